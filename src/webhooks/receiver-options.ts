import { ConfigurationError } from '../errors/index.js';
import { checkOptions, optionNames } from '../option-names.js';
import { contentTypeOf, type DeliveryType } from './delivery.js';
import type { DeliveryStore } from './delivery-store.js';
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
   * When the sender is answered. `after` the handler (default): 202 says that it is done, and a handler
   * that fails is answered 500, so that the delivery shows as failed and can be sent again. `before` the
   * handler: for slow work; 202 says only that the delivery was verified and read, and errors of the
   * handler reach `onError` alone. `{ within: ms }`: after the handler if it ends in that time,
   * otherwise 202 when the time is over, while the handler continues.
   */
  readonly respond?: 'after' | 'before' | { readonly within: number } | undefined;
  /** The word in `X-<Vendor>-Event`, or several. Default `service`. */
  readonly vendor?: Vendor | undefined;
  /** The hook's `content_type`: what is sent in another is answered 415. Default both are taken. */
  readonly contentType?: DeliveryType | undefined;
  /** Longest body in bytes; a longer one is answered 413. Default 26214400 (25 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /**
   * How many handled deliveries this process remembers by id and body, so that a redelivery gets a
   * 202 without being handled twice. A delivery is remembered once its handler has succeeded.
   * `0` remembers none. Default: 10000.
   */
  readonly rememberDeliveries?: number | undefined;
  /**
   * Store in which several processes share the deliveries that were handled, such as
   * `redisStore(client)` of `triforge/redis`. Deliveries without an id are not shared. Default: each
   * process has its own memory.
   */
  readonly deliveries?: DeliveryStore | undefined;
  /**
   * Told what a handler threw, and why a delivery was refused. What it throws itself is dropped.
   * Default: failures of handlers, and of the set-up, become warnings of the process.
   */
  readonly onError?: ((error: unknown, context: ErrorContext) => unknown) | undefined;
}

const names = optionNames<ReceiverOptions>()(
  'secret handlers onDelivery respond vendor contentType maxBodyBytes rememberDeliveries',
  'deliveries onError',
);

/** Every event that a handler can be for. */
const handlerNames = Object.fromEntries(
  [...hookEvents, 'other'].map((name) => [name, true as const]),
);

/** Options, checked and filled in. */
export interface ReceiverSettings {
  readonly secret: readonly string[] | false;
  readonly vendors: readonly string[];
  readonly contentType: DeliveryType | undefined;
  readonly handle: (delivery: Delivery) => unknown;
  /** Milliseconds after which the sender gets a 202 even if the handler still runs. */
  readonly respondWithin: number;
  readonly maxBodyBytes: number;
  readonly rememberDeliveries: number;
  readonly deliveries: DeliveryStore | undefined;
  readonly onError: ReceiverOptions['onError'];
}

/** @throws {ConfigurationError} naming the option that is wrong. */
export function settingsOf(options: ReceiverOptions): ReceiverSettings {
  checkOptions(options, names);
  const { secret, onError } = options;
  checkHandler('onError', onError);
  return {
    secret: secret === false ? false : secretsOf(secret),
    vendors: vendorsOf(options.vendor),
    contentType: contentTypeOf(options.contentType),
    handle: handlerOf(options),
    respondWithin: respondWithin(options.respond),
    maxBodyBytes: countOf('maxBodyBytes', options.maxBodyBytes, 25 * 1024 * 1024, 1),
    rememberDeliveries: countOf('rememberDeliveries', options.rememberDeliveries, 10_000, 0),
    deliveries: checkStore(options.deliveries),
    onError,
  };
}

/** The longest delay of a timer. */
const longestDelay = 2 ** 31 - 1;

function respondWithin(respond: ReceiverOptions['respond'] = 'after'): number {
  if (respond === 'after') return Number.POSITIVE_INFINITY;
  if (respond === 'before') return 0;
  if (typeof respond !== 'object' || respond === null) {
    throw new ConfigurationError("respond: expected 'after', 'before' or { within: ms }", {
      option: 'respond',
    });
  }
  checkOptions(respond, { within: true }, 'respond');
  const { within } = respond;
  if (Number.isFinite(within) && within > 0 && within <= longestDelay) return within;
  throw new ConfigurationError(
    `respond.within: expected milliseconds above 0, at most ${longestDelay}`,
    { option: 'respond.within' },
  );
}

function checkStore(store: DeliveryStore | undefined): DeliveryStore | undefined {
  const methods = ['claimDelivery', 'completeDelivery', 'releaseDelivery'] as const;
  if (store === undefined || methods.every((name) => typeof store?.[name] === 'function')) {
    return store;
  }
  throw new ConfigurationError(
    `deliveries: expected a store with ${methods.join(', ')}, such as redisStore(client)`,
    { option: 'deliveries' },
  );
}

function handlerOf({ handlers = {}, onDelivery }: ReceiverOptions): ReceiverSettings['handle'] {
  checkHandler('onDelivery', onDelivery);
  checkOptions(handlers, handlerNames, 'handlers');
  const byEvent = new Map<string, unknown>(Object.entries(handlers));
  for (const [event, handler] of byEvent) checkHandler(`handlers.${event}`, handler);
  if (!onDelivery && ![...byEvent.values()].some(Boolean)) {
    throw new ConfigurationError('expected onDelivery, or a handler in handlers', {
      option: 'onDelivery',
    });
  }
  return (delivery) => {
    // `as`: the handler that stands under an event's name takes deliveries of that event.
    const own = byEvent.get(delivery.event) as typeof onDelivery;
    return (own ?? onDelivery)?.(delivery);
  };
}

function checkHandler(option: string, handler: unknown): void {
  if (handler === undefined || typeof handler === 'function') return;
  throw new ConfigurationError(`${option}: expected a function`, { option });
}

function countOf(option: string, given: number | undefined, base: number, min: number): number {
  if (given === undefined) return base;
  if (Number.isSafeInteger(given) && given >= min) return given;
  throw new ConfigurationError(`${option}: expected a whole number from ${min}`, { option });
}
