import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidRequestError, SignatureError } from '../errors/index.js';
import {
  checkFunction,
  checkOptions,
  checkStore,
  invalidOption,
  optionNames,
  parseNumber,
} from '../option-names.js';
import { errorMessage, isError, showValue } from '../schema/unknown-values.js';
import { BoundedMap } from '../transport/request/bounded-map.js';
import { publish } from '../transport/request/diagnostics.js';
import { maxTimerDelay } from '../transport/request/event-loop.js';
import { createInputError } from '../transport/request/input.js';
import type { DeliveryStore } from '../transport/stores/stores.js';
import { StoreAccess } from '../transport/stores/stores.js';
import {
  checkVendor,
  type DeliveryHeaders,
  listSecrets,
  listSignatures,
  parseDelivery,
  type RawBody,
  rawBytes,
  readHeaders,
  type Secret,
  verifySignature,
} from './delivery.js';
import type { Delivery } from './payloads.js';

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
   * get a 401. `false` accepts deliveries from anyone, so use it only for hooks without a secret.
   */
  readonly secret: Secret | false;
  /** Handler for each delivery. A `switch` on `delivery.event` narrows the payload's type. */
  readonly onDelivery: (delivery: Delivery) => unknown;
  /**
   * When to respond. `within` is the maximum time in ms that the response waits for the handler. If
   * the handler takes longer, the sender gets a 202 while the handler continues. If the handler
   * then fails, the sender doesn't find out. With `within: 0`, the response doesn't wait for the
   * handler's promise. Default: the sender gets a 202 after the handler finishes, or a 500 if the
   * handler fails.
   */
  readonly respond?: { readonly within: number } | undefined;
  /** Vendor name in `X-<Vendor>-Event`. Default: `service`. */
  readonly vendor?: string | undefined;
  /** Maximum body size in bytes. A larger body gets a 413. Default: 26214400 bytes (25 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Store in which several processes record the deliveries that they have handled, for example
   * `redisStore(client)` from `triforge/redis`. A redelivery of a handled delivery gets a 202 and
   * isn't handled again. Default: each receiver remembers the last 10000 deliveries that it has
   * handled.
   */
  readonly deliveries?: DeliveryStore | undefined;
  /**
   * Callback for errors in the handler and errors that cause POST requests to be rejected. Errors
   * that the callback throws are ignored. Default: errors in the handler or in the receiver's setup
   * become process warnings.
   */
  readonly onError?: ((error: unknown, context: ErrorContext) => unknown) | undefined;
}

const names = optionNames<ReceiverOptions>()(
  'secret onDelivery respond vendor maxBodyBytes deliveries onError',
);

/** Validated options with defaults. */
type ReceiverSettings = ReturnType<typeof resolveReceiverSettings>;

/**
 * Validates the options and applies the defaults.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
function resolveReceiverSettings(options: ReceiverOptions) {
  checkOptions(options, names);
  const { secret, onDelivery, onError, deliveries } = options;
  checkFunction('onDelivery', onDelivery);
  if (onError !== undefined) checkFunction('onError', onError);
  if (deliveries !== undefined) {
    checkStore('deliveries', deliveries, ['get', 'set', 'setIfAbsent', 'delete']);
  }
  return {
    secret: secret === false ? secret : listSecrets(secret),
    vendor: checkVendor(options.vendor),
    onDelivery,
    respondWithin: respondWithin(options.respond),
    maxBodyBytes: parseNumber('maxBodyBytes', options.maxBodyBytes, 25 * 1024 * 1024, 1),
    deliveries,
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

/** Response to a delivery. */
export interface Receipt {
  readonly status: 202 | 400 | 401 | 405 | 413 | 415 | 500;
  readonly text: string;
}

/** A request from a Node listener or a fetch handler. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly headers: DeliveryHeaders;
  /** Reads the raw body. Stops and returns undefined if the body exceeds the limit. */
  readonly readBody: (limit: number) => Promise<RawBody | undefined>;
}

const accepted: Receipt = { status: 202, text: 'accepted' };

/**
 * Creates a receiver that verifies and parses each delivery, and handles it once. The returned
 * function never rejects.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export function createReceiver(
  options: ReceiverOptions,
): (request: ReceivedRequest) => Promise<Receipt> {
  const settings = resolveReceiverSettings(options);
  const deliveries = new Deliveries(settings.deliveries);
  return async (request) => {
    const read = await readDelivery(request, settings);
    if ('status' in read) return read;
    const { delivery, key } = read;
    const response = { isSent: settings.respondWithin === 0 };
    const handling = deliveries
      .once(key, () => handleDelivery(delivery, settings, response))
      .then((receipt) => receipt ?? handledAlready);
    const receipt = await endsWithin(handling, settings.respondWithin);
    response.isSent = true;
    return receipt ?? accepted;
  };
}

const handledAlready: Receipt = { status: 202, text: 'already handled' };

/** Runs the handler. Never rejects, because handler errors are reported. */
async function handleDelivery(
  delivery: Delivery,
  settings: ReceiverSettings,
  response: { readonly isSent: boolean },
): Promise<Receipt> {
  try {
    await settings.onDelivery(delivery);
    return accepted;
  } catch (error) {
    void reportError(settings, error, response.isSent ? 202 : 500, delivery);
    return { status: 500, text: 'the handler failed' };
  }
}

/** Returns the result if it is available in time, otherwise undefined. */
async function endsWithin<Result>(
  running: Promise<Result>,
  ms: number,
): Promise<Result | undefined> {
  if (ms === 0) return undefined;
  if (ms === Number.POSITIVE_INFINITY) return await running;
  return await Promise.race([running, sleep(ms, undefined, { ref: false })]);
}

/** Delivery and the key that identifies its redeliveries. A delivery without an ID has no key. */
interface ReadDelivery {
  readonly delivery: Delivery;
  readonly key: string | undefined;
}

/** Parses a delivery, or returns the response that rejects it. */
async function readDelivery(
  request: ReceivedRequest,
  settings: ReceiverSettings,
): Promise<ReadDelivery | Receipt> {
  const headers = readHeaders(request.headers);
  const { secret, vendor, maxBodyBytes } = settings;
  if (request.method !== 'POST') return { status: 405, text: 'the method must be POST' };
  try {
    // Don't buffer the body of a sender that provides no signature.
    if (secret !== false && listSignatures(headers).every((each) => !each)) {
      verifySignature({ body: '', signature: undefined, secret });
    }
    const length = Number(headers.get('content-length') ?? 0);
    const body = length > maxBodyBytes ? undefined : await request.readBody(maxBodyBytes);
    if (body === undefined) {
      const why = `must be at most ${maxBodyBytes} bytes. To accept larger bodies, set maxBodyBytes.`;
      throw createInputError('body', why);
    }
    const delivery = parseDelivery({ headers: request.headers, body, secret, vendor });
    return { delivery, key: deliveryKey(delivery.id, body) };
  } catch (error) {
    const receipt = reject(error);
    void reportError(settings, error, receipt.status, undefined);
    return receipt;
  }
}

/**
 * Returns a delivery's key. The key includes a hash of the body, because the ID isn't signed, and a
 * forged ID could make one delivery pass for another.
 */
function deliveryKey(id: string | undefined, body: RawBody): string | undefined {
  if (id === undefined) return undefined;
  const digest = (part: string | Uint8Array) => createHash('sha256').update(part).digest();
  return digest(Buffer.concat([digest(id), digest(rawBytes(body))])).toString('base64url');
}

/** Status for each invalid part of a request. For all other parts, the status is 400. */
const statusByField: Readonly<Record<string, Receipt['status']>> = {
  body: 413,
  'content-type': 415,
};

function reject(error: unknown): Receipt {
  if (error instanceof SignatureError) {
    // A redelivery succeeds after the receiver is fixed, so the status must not blame the sender.
    return error.reason === 'not_raw'
      ? { status: 500, text: 'the receiver is misconfigured' }
      : { status: 401, text: 'the signature is missing or does not match' };
  }
  if (error instanceof InvalidRequestError) {
    return { status: statusByField[error.field] ?? 400, text: error.message };
  }
  return { status: 400, text: 'the body could not be read' };
}

/**
 * Reports an error to `onError`, or as a process warning. Ignores errors in `onError`, which must
 * not end the process.
 */
async function reportError(
  { onError }: ReceiverSettings,
  error: unknown,
  status: number,
  delivery: Delivery | undefined,
): Promise<void> {
  try {
    if (onError) await onError(error, { status, delivery });
    // Invalid deliveries aren't logged by default, because anyone could fill the log with them.
    else if (delivery !== undefined || status === 500) {
      const detail = isError(error) ? (error.stack ?? '') : '';
      process.emitWarning(errorMessage(error), { detail });
    }
  } catch {
    return;
  }
}

/** Number of handled deliveries that a process remembers. The oldest are dropped first. */
const capacity = 10_000;

/**
 * Time in ms after which a claim expires. A running handler renews its claim. A stopped process's
 * claim expires.
 */
const lease = 30_000;

/** Time in ms for which redeliveries are recognized. Servers offer redelivery for three days. */
const lifetime = 3 * 86_400_000;

/** Shortest and longest time in ms between two checks of another process's claim. */
const [firstLook, lastLook] = [50, 1000];

/** Stored value of a handled delivery. During handling, the value is the claim's ID. */
const handled = 'handled';

/**
 * Ensures that each delivery is handled once, in this process or, with a store, in one of several
 * processes. A redelivery that arrives during handling gets the same outcome. If the handler fails,
 * the delivery can be handled again. If the store fails, each process handles all deliveries that
 * it receives, so some may be handled twice, but none is lost.
 */
class Deliveries {
  readonly #running = new Map<string, Promise<Receipt | undefined>>();
  readonly #handled = new BoundedMap<string, true>(capacity);
  readonly #store: DeliveryStore | undefined;
  readonly #access: StoreAccess;

  constructor(store: DeliveryStore | undefined) {
    this.#store = store;
    this.#access = new StoreAccess('deliveries', store?.timeout ?? 50, publish);
  }

  /**
   * Handles a delivery, unless it was already handled. Waits while another process handles it.
   * @param key identifies the delivery. Undefined if its redeliveries can't be recognized.
   * @param handle handler that never rejects.
   * @returns the outcome of `handle`. Undefined if the delivery was already handled.
   */
  async once(
    key: string | undefined,
    handle: () => Promise<Receipt>,
  ): Promise<Receipt | undefined> {
    if (key === undefined) return await handle();
    if (this.#handled.get(key)) return undefined;
    const running = this.#running.get(key);
    if (running) return await running;
    const store = this.#store;
    const handling = (store ? this.#handleClaimed(store, key, handle) : handle()).then(
      (outcome) => {
        this.#running.delete(key);
        if (outcome === undefined || isHandled(outcome)) this.#handled.set(key, true);
        return outcome;
      },
    );
    this.#running.set(key, handling);
    return await handling;
  }

  async #handleClaimed(
    store: DeliveryStore,
    delivery: string,
    handle: () => Promise<Receipt>,
  ): Promise<Receipt | undefined> {
    const key = `delivery:${delivery}`;
    const claim = randomBytes(12).toString('base64url');
    if (!(await this.#acquire(store, key, claim))) return undefined;
    let renewing: Promise<unknown> | undefined;
    const renewal = setInterval(() => {
      renewing = this.#write(() => store.set(key, claim, lease));
    }, lease / 3).unref();
    const outcome = await handle();
    clearInterval(renewal);
    // A renewal that arrives after the outcome would claim a delivery that no process handles.
    await renewing;
    await this.#write(() =>
      isHandled(outcome) ? store.set(key, handled, lifetime) : store.delete(key),
    );
    return outcome;
  }

  #write(write: () => unknown): Promise<void> {
    return this.#access.request(async () => {
      await write();
    });
  }

  /**
   * Claims a delivery. If the store fails while another process handles the delivery, waits until
   * the last known claim expires.
   * @returns false if the delivery was already handled. True if this process must handle it.
   */
  async #acquire(store: DeliveryStore, key: string, claim: string): Promise<boolean> {
    let claimedUntil = 0;
    for (let wait = firstLook; ; wait = Math.min(lastLook, wait * 2)) {
      const owner = await this.#access.request(async () =>
        (await store.setIfAbsent(key, claim, lease)) ? claim : ((await store.get(key)) ?? ''),
      );
      if (owner === handled) return false;
      if (owner === claim) return true;
      if (owner !== undefined) claimedUntil = performance.now() + lease;
      else if (performance.now() >= claimedUntil) return true;
      await sleep(wait);
    }
  }
}

function isHandled({ status }: Receipt): boolean {
  return status === 202;
}
