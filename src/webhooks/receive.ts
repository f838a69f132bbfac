import { InvalidRequestError, SignatureError } from '../errors/index.js';
import { deliveryType, parseDelivery } from './delivery.js';
import { DeliveryMemory } from './delivery-memory.js';
import type { Delivery } from './events.js';
import { type DeliveryHeaders, headerOf, signaturesOf } from './headers.js';
import { type ReceiverOptions, type ReceiverSettings, settingsOf } from './receiver-options.js';
import { type RawBody, verifySignature } from './signature.js';

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
  const handle = async (delivery: Delivery): Promise<Receipt> => {
    try {
      await settings.handle(delivery);
      return accepted;
    } catch (error) {
      tell(settings, error, settings.respond === 'before' ? 202 : 500, delivery);
      return { status: 500, text: 'the handler failed' };
    }
  };
  return async (request) => {
    const read = await readDelivery(request, settings);
    if ('status' in read) return read;
    if (memory.knows(read.id)) return { status: 202, text: 'handled already' };
    const handling = memory.once(
      read.id,
      () => handle(read),
      ({ status }) => status === 202,
    );
    return settings.respond === 'before' ? accepted : await handling;
  };
}

/** The delivery, or the answer to what is none. What can be refused by its headers is not read. */
async function readDelivery(
  request: ReceivedRequest,
  settings: ReceiverSettings,
): Promise<Delivery | Receipt> {
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
    return parseDelivery({ headers, body, secret, vendor: vendors, contentType });
  } catch (error) {
    const receipt = refusalOf(error);
    tell(settings, error, receipt.status, undefined);
    return receipt;
  }
}

function refusalOf(error: unknown): Receipt {
  if (error instanceof SignatureError) {
    // Not the sender's fault, and well when it is sent again to a receiver that was mended.
    return error.problem === 'not_raw'
      ? { status: 500, text: 'the receiver is set up wrongly' }
      : { status: 401, text: 'the signature is missing or does not fit' };
  }
  if (error instanceof InvalidRequestError) return { status: 400, text: error.message };
  return { status: 400, text: 'the body could not be read' };
}

/** A failing report must not end the process either. */
function tell(
  { onError }: ReceiverSettings,
  error: unknown,
  status: number,
  delivery: Delivery | undefined,
): void {
  if (!onError) {
    // Refused deliveries are anyone's to send: they do not fill the log.
    const ours = delivery !== undefined || status === 500;
    if (ours) process.emitWarning(error instanceof Error ? error : String(error));
    return;
  }
  // The executor turns what it throws at once into a rejection, and both are dropped here.
  new Promise((resolve) => {
    resolve(onError(error, { status, delivery }));
  }).catch(() => undefined);
}
