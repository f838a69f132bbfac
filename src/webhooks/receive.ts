import { createHash } from 'node:crypto';
import { InvalidRequestError, SignatureError } from '../errors/index.js';
import { errorMessage, isError } from '../schema/unknown-values.js';
import { createInputError } from '../transport/request/input.js';
import { Deliveries } from './deliveries.js';
import {
  type DeliveryHeaders,
  getDeliveryHeader,
  listSignatures,
  parseDelivery,
} from './delivery.js';
import type { Delivery } from './payloads.js';
import {
  type ReceiverOptions,
  type ReceiverSettings,
  resolveReceiverSettings,
} from './receiver-options.js';
import { type RawBody, rawBytes, verifySignature } from './signature.js';

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
  const deliveries = new Deliveries<Receipt>(settings.deliveries, ({ status }) => status === 202);
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
    await settings.handle(delivery);
    return accepted;
  } catch (error) {
    reportError(settings, error, response.isSent ? 202 : 500, delivery);
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return await Promise.race([running, late]).finally(() => clearTimeout(timer));
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
  const { headers } = request;
  const { secret, vendor, maxBodyBytes } = settings;
  if (request.method !== 'POST') return { status: 405, text: 'the method must be POST' };
  try {
    // Don't buffer the body of a sender that provides no signature.
    if (secret !== false && listSignatures(headers).every((each) => !each)) {
      verifySignature({ body: '', signature: undefined, secret });
    }
    const length = Number(getDeliveryHeader(headers, 'content-length') ?? 0);
    const body = length > maxBodyBytes ? undefined : await request.readBody(maxBodyBytes);
    if (body === undefined) {
      const why = `must be at most ${maxBodyBytes} bytes. To accept larger bodies, set maxBodyBytes.`;
      throw createInputError('body', why);
    }
    const delivery = parseDelivery({ headers, body, secret, vendor });
    return { delivery, key: deliveryKey(delivery.id, body) };
  } catch (error) {
    const receipt = reject(error);
    reportError(settings, error, receipt.status, undefined);
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

/** Statuses for invalid parts of a request. All others get a 400. */
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
 * Reports an error to `onError`, or as a process warning. A failing report must not end the
 * process.
 */
function reportError(
  { onError }: ReceiverSettings,
  error: unknown,
  status: number,
  delivery: Delivery | undefined,
): void {
  if (!onError) {
    // Invalid deliveries aren't logged by default, because anyone could fill the log with them.
    const ours = delivery !== undefined || status === 500;
    if (ours)
      process.emitWarning(errorMessage(error), {
        detail: isError(error) ? (error.stack ?? '') : '',
      });
    return;
  }
  // The executor converts a synchronous throw to a rejection, so thrown errors and rejections are
  // both ignored here. The callbacks return undefined, because returning the value would read its
  // `then` property again, which may throw.
  new Promise((resolve) => {
    resolve(onError(error, { status, delivery }));
  }).then(
    () => undefined,
    () => undefined,
  );
}
