import { ConfigurationError } from '../errors/index.js';
import { checkOptions, optionNames } from '../option-names.js';
import { contentTypeOf, type DeliveryType } from './delivery.js';
import { type Delivery, hookEvents } from './events.js';
import { type Vendor, vendorsOf } from './headers.js';
import { type Secret, secretsOf } from './secrets.js';

/** A handler for each event that has one; `other` takes events that are not known by name. */
export type DeliveryHandlers = {
  readonly [Event in Delivery['event']]?:
    | ((delivery: Extract<Delivery, { event: Event }>) => unknown)
    | undefined;
};

/** What an error is told with. */
export interface ErrorContext {
  /** What the sender is, or was, answered. */
  readonly status: number;
  /** Undefined where the request was refused before it was read. */
  readonly delivery: Delivery | undefined;
}

/** How deliveries are received, by `createNodeListener` and `createFetchHandler`. */
export interface ReceiverOptions {
  /**
   * The hook's secret; several while it is rotated. Deliveries without a fitting signature are
   * answered 401. `false` takes anything from anyone: only for hooks without a secret.
   */
  readonly secret: Secret | false;
  /** By event. A delivery goes to the handler of its event, or to `onDelivery` where it has none. Default none. */
  readonly handlers?: DeliveryHandlers | undefined;
  /** Takes what has no handler of its own; without it that is answered 202 and dropped. */
  readonly onDelivery?: ((delivery: Delivery) => unknown) | undefined;
  /**
   * When the sender is answered. `after` the handler (default): 202 says that it is done, and a
   * handler that fails is answered 500, so that the delivery shows as failed and can be sent again. `before` the
   * handler: for slow work; 202 says only that the delivery was verified and read, and what the
   * handler throws reaches `onError` alone.
   */
  readonly respond?: 'after' | 'before' | undefined;
  /** The word in `X-<Vendor>-Event`, or several. Default `service`. */
  readonly vendor?: Vendor | undefined;
  /** The hook's `content_type`: what is sent in another is answered 415. Default both are taken. */
  readonly contentType?: DeliveryType | undefined;
  /** Longest body in bytes; a longer one is answered 413. Default 26214400 (25 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /**
   * How many handled deliveries are remembered by their ids, so that one that is sent again is
   * answered 202 and not handled twice. An id is remembered once its handler has succeeded. The
   * memory is this process's own. Default 10000; 0 remembers none.
   */
  readonly rememberDeliveries?: number | undefined;
  /**
   * Told what a handler threw, and why a delivery was refused. What it throws itself is dropped.
   * Default: failures of handlers, and of the set-up, become warnings of the process.
   */
  readonly onError?: ((error: unknown, context: ErrorContext) => unknown) | undefined;
}

const names = optionNames<ReceiverOptions>()(
  'secret handlers onDelivery respond vendor contentType maxBodyBytes rememberDeliveries',
  'onError',
);

/** Every event that a handler can be for. */
const handlerNames = Object.fromEntries(
  [...hookEvents, 'other', 'ping'].map((name) => [name, true as const]),
);

/** Options, checked and filled in. */
export interface ReceiverSettings {
  readonly secret: readonly string[] | false;
  readonly vendors: readonly string[];
  readonly contentType: DeliveryType | undefined;
  readonly handle: (delivery: Delivery) => unknown;
  readonly respond: 'after' | 'before';
  readonly maxBodyBytes: number;
  readonly rememberDeliveries: number;
  readonly onError: ReceiverOptions['onError'];
}

/** @throws {ConfigurationError} naming the option that is wrong. */
export function settingsOf(options: ReceiverOptions): ReceiverSettings {
  checkOptions(options, names);
  const { secret, respond = 'after', onError } = options;
  if (respond !== 'after' && respond !== 'before') {
    throw new ConfigurationError("respond: expected 'after' or 'before'", 'respond');
  }
  checkHandler('onError', onError);
  return {
    secret: secret === false ? false : secretsOf(secret),
    vendors: vendorsOf(options.vendor),
    contentType: contentTypeOf(options.contentType),
    handle: handlerOf(options),
    respond,
    maxBodyBytes: countOf('maxBodyBytes', options.maxBodyBytes, 25 * 1024 * 1024, 1),
    rememberDeliveries: countOf('rememberDeliveries', options.rememberDeliveries, 10_000, 0),
    onError,
  };
}

function handlerOf({ handlers = {}, onDelivery }: ReceiverOptions): ReceiverSettings['handle'] {
  checkHandler('onDelivery', onDelivery);
  checkOptions(handlers, handlerNames, 'handlers');
  const byEvent = new Map<string, unknown>(Object.entries(handlers));
  for (const [event, handler] of byEvent) checkHandler(`handlers.${event}`, handler);
  if (!onDelivery && ![...byEvent.values()].some(Boolean)) {
    throw new ConfigurationError('expected onDelivery, or a handler in handlers', 'onDelivery');
  }
  return (delivery) => {
    // `as`: the handler that stands under an event's name takes deliveries of that event.
    const own = byEvent.get(delivery.event) as typeof onDelivery;
    return (own ?? onDelivery)?.(delivery);
  };
}

function checkHandler(option: string, handler: unknown): void {
  if (handler === undefined || typeof handler === 'function') return;
  throw new ConfigurationError(`${option}: expected a function`, option);
}

function countOf(option: string, given: number | undefined, base: number, min: number): number {
  if (given === undefined) return base;
  if (Number.isSafeInteger(given) && given >= min) return given;
  throw new ConfigurationError(`${option}: expected a whole number from ${min}`, option);
}
