import { hookEvents } from '../hosting/models/hook.js';
import { checkOptions, invalidOption, optionNames, parseNumber } from '../option-names.js';
import { describeKind, formatGot, joinWords, showValue } from '../schema/unknown-values.js';
import { maxTimerDelay } from '../transport/request/event-loop.js';
import type { DeliveryStore } from '../transport/stores/stores.js';
import { checkVendor } from './delivery.js';
import type { Delivery } from './payloads.js';
import { listSecrets, type Secret } from './signature.js';

/** Handlers by event. `other` handles unknown events. */
export type DeliveryHandlers = {
  readonly [Event in Delivery['event']]?:
    | ((delivery: Extract<Delivery, { event: Event }>) => unknown)
    | undefined;
};

/** Context of an error passed to `onError`. */
export interface ErrorContext {
  /** HTTP status code of the response, which may already have been sent. */
  readonly status: number;
  /**
   * Delivery that was being handled. Undefined if the request was rejected before it was parsed.
   */
  readonly delivery: Delivery | undefined;
}

/** Options for `createNodeListener` and `createFetchHandler`. */
export interface ReceiverOptions {
  /**
   * Hook secret, or an array of secrets during rotation. Deliveries without a matching signature
   * get a 401. With `false`, deliveries from anyone are accepted, so use it only for hooks without
   * a secret.
   */
  readonly secret: Secret | false;
  /**
   * Handlers by event. A delivery whose event has no handler goes to `onDelivery`. Default: none.
   */
  readonly handlers?: DeliveryHandlers | undefined;
  /**
   * Handler for deliveries whose event isn't in `handlers`. Required if `handlers` is empty. Default:
   * none, so such deliveries get a 202 and are dropped.
   */
  readonly onDelivery?: ((delivery: Delivery) => unknown) | undefined;
  /**
   * Maximum time in ms until the sender gets a response. If the handler takes longer, the sender
   * gets a 202 while the handler continues, and the handler's errors are reported only to `onError`.
   * With `within: 0`, the sender gets the 202 before the handler runs. Default: the sender gets a
   * 202 after the handler finishes, or a 500 if the handler fails.
   */
  readonly respond?: { readonly within: number } | undefined;
  /** Vendor name in `X-<Vendor>-Event`. Default: `service`. */
  readonly vendor?: string | undefined;
  /** Maximum body size in bytes. A larger body gets a 413. Default: 26214400 bytes (25 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Store in which several processes record the deliveries that they have handled, so that a
   * redelivery gets a 202 without being handled again. Example: `redisStore(client)` from
   * `triforge/redis`. Default: each process remembers its last 10000 handled deliveries.
   */
  readonly deliveries?: DeliveryStore | undefined;
  /**
   * Called with each handler error and with the reason for each rejected POST request. Errors that
   * the callback throws are ignored. Default: handler and setup errors become process warnings.
   */
  readonly onError?: ((error: unknown, context: ErrorContext) => unknown) | undefined;
}

const names = optionNames<ReceiverOptions>()(
  'secret handlers onDelivery respond vendor maxBodyBytes deliveries onError',
);

/**
 * Names of all events that can have a handler. No delivery's event is `*`, so `*` can't have a
 * handler.
 */
const handlerNames = Object.fromEntries(
  [...hookEvents, 'other'].filter((name) => name !== '*').map((name) => [name, true as const]),
);

/** Validated options with defaults. */
export interface ReceiverSettings {
  readonly secret: readonly string[] | false;
  readonly vendor: string;
  readonly handle: (delivery: Delivery) => unknown;
  /** Time in ms after which the sender gets a 202 even if the handler is still running. */
  readonly respondWithin: number;
  readonly maxBodyBytes: number;
  readonly deliveries: DeliveryStore | undefined;
  readonly onError: ReceiverOptions['onError'];
}

/**
 * Validates the options and applies the defaults.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export function resolveReceiverSettings(options: ReceiverOptions): ReceiverSettings {
  checkOptions(options, names);
  const { secret, onError } = options;
  checkHandler('onError', onError);
  return {
    secret: secret === false ? false : listSecrets(secret),
    vendor: checkVendor(options.vendor),
    handle: resolveHandler(options),
    respondWithin: respondWithin(options.respond),
    maxBodyBytes: parseNumber('maxBodyBytes', options.maxBodyBytes, 25 * 1024 * 1024, 1),
    deliveries: checkDeliveryStore(options.deliveries),
    onError,
  };
}

function respondWithin(respond: ReceiverOptions['respond']): number {
  if (respond === undefined) return Number.POSITIVE_INFINITY;
  checkOptions(respond, { within: true }, 'respond');
  const { within } = respond;
  if (Number.isFinite(within) && within >= 0 && within <= maxTimerDelay) return within;
  const why = `must be between 0 and ${maxTimerDelay} ms (got ${showValue(within)})`;
  throw invalidOption('respond.within', why);
}

function checkDeliveryStore(store: DeliveryStore | undefined): DeliveryStore | undefined {
  const methods = ['get', 'set', 'setIfAbsent', 'delete'] as const;
  if (store === undefined || methods.every((name) => typeof store?.[name] === 'function')) {
    return store;
  }
  const why = `must be a store with the methods ${joinWords(methods, 'and')}, such as redisStore(client)${formatGot(store, 'object')}`;
  throw invalidOption('deliveries', why);
}

function resolveHandler({
  handlers = {},
  onDelivery,
}: ReceiverOptions): ReceiverSettings['handle'] {
  checkHandler('onDelivery', onDelivery);
  checkOptions(handlers, handlerNames, 'handlers');
  const byEvent = new Map<string, unknown>(Object.entries(handlers));
  for (const [event, handler] of byEvent) checkHandler(`handlers.${event}`, handler);
  if (!onDelivery && ![...byEvent.values()].some(Boolean)) {
    const why = 'is required if handlers is empty. Set at least one handler.';
    throw invalidOption('onDelivery', why);
  }
  return (delivery) => {
    // `as`: a handler registered under an event's name accepts deliveries of that event.
    const own = byEvent.get(delivery.event) as typeof onDelivery;
    return (own ?? onDelivery)?.(delivery);
  };
}

function checkHandler(option: string, handler: unknown): void {
  if (handler === undefined || typeof handler === 'function') return;
  throw invalidOption(option, `must be a function (got ${describeKind(handler)})`);
}
