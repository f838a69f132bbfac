import { createHash } from 'node:crypto';
import { InvalidRequestError, SignatureError } from '../errors/index.js';
import { errorMessage, errorStack } from '../schema/unknown-values.js';
import { deliveryType, parseDelivery } from './delivery.js';
import { DeliveryMemory } from './delivery-memory.js';
import type { Delivery } from './events.js';
import { type DeliveryHeaders, headerOf, signaturesOf } from './headers.js';
import { type ReceiverOptions, type ReceiverSettings, settingsOf } from './receiver-options.js';
import { SharedDeliveries } from './shared-deliveries.js';
import { type RawBody, rawBytes, verifySignature } from './signature.js';

/** The answer to a delivery. */
export interface Receipt {
  readonly status: 202 | 400 | 401 | 405 | 413 | 415 | 500;
  readonly text: string;
}

/** A request as both listeners hand it over. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly headers: DeliveryHeaders;
  /** The raw body; undefined where it is longer than the limit, and then it is read no further. */
  readonly readBody: (limit: number) => Promise<RawBody | undefined>;
}

const accepted: Receipt = { status: 202, text: 'accepted' };

/**
 * Verifies, reads and hands over deliveries, each once. What it returns never rejects.
 * @throws {ConfigurationError} naming the option that is wrong.
 */
export function createReceiver(
  options: ReceiverOptions,
): (request: ReceivedRequest) => Promise<Receipt> {
  const settings = settingsOf(options);
  const memory = new DeliveryMemory<Receipt>(settings.rememberDeliveries);
  const shared = settings.deliveries && new SharedDeliveries(settings.deliveries);
  return async (request) => {
    const read = await readDelivery(request, settings);
    if ('status' in read) return read;
    const { delivery, key } = read;
    if (memory.knows(key)) return handledAlready;
    const response = { isSent: settings.respondWithin === 0 };
    const handle = () => handleDelivery(delivery, settings, response);
    const handling = memory.once(
      key,
      async () =>
        shared && key !== undefined
          ? ((await shared.once(key, handle, isAccepted)) ?? handledAlready)
          : await handle(),
      isAccepted,
    );
    const receipt = await endsWithin(handling, settings.respondWithin);
    response.isSent = true;
    return receipt ?? accepted;
  };
}

const handledAlready: Receipt = { status: 202, text: 'handled already' };

function isAccepted({ status }: Receipt): boolean {
  return status === 202;
}

/** Runs the handler. Never rejects: an error of the handler is reported. */
async function handleDelivery(
  delivery: Delivery,
  settings: ReceiverSettings,
  response: { readonly isSent: boolean },
): Promise<Receipt> {
  try {
    await settings.handle(delivery);
    return accepted;
  } catch (error) {
    report(settings, error, response.isSent ? 202 : 500, delivery);
    return { status: 500, text: 'the handler failed' };
  }
}

/** The result if it is there in time, otherwise undefined. */
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

/** A delivery with the key that it is remembered by. A delivery without an id has no key. */
interface ReadDelivery {
  readonly delivery: Delivery;
  readonly key: string | undefined;
}

/** Reads a delivery, or says why the request is none. A request that its headers rule out is not read. */
async function readDelivery(
  request: ReceivedRequest,
  settings: ReceiverSettings,
): Promise<ReadDelivery | Receipt> {
  const { headers } = request;
  const { secret, vendors, contentType, maxBodyBytes } = settings;
  if (request.method !== 'POST') return { status: 405, text: 'deliveries are sent by POST' };
  const type = deliveryType(headerOf(headers, 'content-type'));
  if (!type || (contentType && type !== contentType)) {
    return { status: 415, text: `expected ${contentType ?? 'json or form'}` };
  }
  const tooLong: Receipt = { status: 413, text: `longer than ${maxBodyBytes} bytes` };
  if (Number(headerOf(headers, 'content-length') ?? 0) > maxBodyBytes) return tooLong;
  try {
    // Nobody gets his bytes kept who does not even claim to know the secret.
    if (secret !== false && signaturesOf(headers).every((each) => !each)) {
      verifySignature({ body: '', signature: undefined, secret });
    }
    const body = await request.readBody(maxBodyBytes);
    if (body === undefined) return tooLong;
    const delivery = parseDelivery({ headers, body, secret, vendor: vendors, contentType });
    return { delivery, key: deliveryKey(delivery.id, body) };
  } catch (error) {
    const receipt = refusalOf(error);
    report(settings, error, receipt.status, undefined);
    return receipt;
  }
}

/** The id is not signed: with the body's hash in its key, a delivery can't pass for another one. */
function deliveryKey(id: string | undefined, body: RawBody): string | undefined {
  if (id === undefined) return undefined;
  const digest = (part: string | Uint8Array) => createHash('sha256').update(part).digest();
  return digest(Buffer.concat([digest(id), digest(rawBytes(body))])).toString('base64url');
}

function refusalOf(error: unknown): Receipt {
  if (error instanceof SignatureError) {
    // Not the sender's fault, and well when it is sent again to a receiver that was mended.
    return error.reason === 'not_raw'
      ? { status: 500, text: 'the receiver is set up wrongly' }
      : { status: 401, text: 'the signature is missing or does not fit' };
  }
  if (error instanceof InvalidRequestError) return { status: 400, text: error.message };
  return { status: 400, text: 'the body could not be read' };
}

/** Reports an error to `onError`, or as a warning. A failing report must not end the process either. */
function report(
  { onError }: ReceiverSettings,
  error: unknown,
  status: number,
  delivery: Delivery | undefined,
): void {
  if (!onError) {
    // Refused deliveries are anyone's to send: they do not fill the log.
    const ours = delivery !== undefined || status === 500;
    if (ours) process.emitWarning(errorMessage(error), { detail: errorStack(error) });
    return;
  }
  // The executor turns what it throws at once into a rejection, and both are dropped here.
  new Promise((resolve) => {
    resolve(onError(error, { status, delivery }));
  }).catch(() => undefined);
}
