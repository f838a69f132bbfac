import { InvalidRequestError, SignatureError } from '../errors.js';
import { type DeliveryHeaders, headerOf, isDeliveryType, parseDelivery } from './delivery.js';
import type { Delivery } from './events.js';

/** How deliveries are received, by {@link createNodeListener} and {@link createFetchHandler}. */
export interface ReceiverOptions {
  /**
   * Called once for each delivery, after it was verified. The server is answered 202 when this is done,
   * so do slow work elsewhere; what it throws is answered 500, and the delivery may be sent again.
   */
  readonly onDelivery: (delivery: Delivery) => unknown;
  /** The hook's secret; several while it is rotated. Deliveries without a fitting signature are answered 401. */
  readonly secret: string | readonly string[];
  /** The word in `X-<Vendor>-Event`. Default `service`. */
  readonly vendor?: string | undefined;
  /** Longest body in bytes; a longer one is answered 413. Default 26214400 (25 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /** Ids of deliveries that are remembered, so that one sent again is answered 202 and not handled twice. Default 10000; 0 remembers none. */
  readonly rememberDeliveries?: number | undefined;
  /** Told what a handler threw, or why a delivery was refused. Default: nothing is told. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The answer to a delivery. */
export interface Receipt {
  readonly status: 202 | 400 | 401 | 405 | 413 | 415 | 500;
  readonly text: string;
}

/** A request as both listeners hand it over; `readBody` gives undefined where the body is too long. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly headers: DeliveryHeaders;
  readBody(limit: number): Promise<Uint8Array | undefined>;
}

const defaultMaxBody = 25 * 1024 * 1024;

/** Verifies, reads and hands over deliveries, each once. Never throws. */
export function createReceiver(
  options: ReceiverOptions,
): (request: ReceivedRequest) => Promise<Receipt> {
  const { onDelivery, secret, vendor, maxBodyBytes = defaultMaxBody } = options;
  const memory = new DeliveryMemory(options.rememberDeliveries ?? 10_000);
  const tell = (error: unknown) => {
    try {
      options.onError?.(error);
    } catch {
      // What a listener of errors throws has nowhere to go, and must not end the process.
    }
  };
  return async (request) => {
    if (request.method !== 'POST') return { status: 405, text: 'deliveries are POSTed' };
    if (!isDeliveryType(headerOf(request.headers, 'content-type'))) {
      return { status: 415, text: 'expected JSON or a form' };
    }
    let delivery: Delivery;
    try {
      const body = await request.readBody(maxBodyBytes);
      if (!body) return { status: 413, text: `longer than ${maxBodyBytes} bytes` };
      delivery = parseDelivery({ headers: request.headers, body, secret, vendor });
    } catch (error) {
      tell(error);
      if (error instanceof SignatureError)
        return { status: 401, text: 'the signature does not fit' };
      if (error instanceof InvalidRequestError) return { status: 400, text: error.message };
      return { status: 400, text: 'the body could not be read' };
    }
    if (!memory.begin(delivery.id)) return { status: 202, text: 'handled already' };
    try {
      await onDelivery(delivery);
      memory.succeed(delivery.id);
      return { status: 202, text: 'accepted' };
    } catch (error) {
      memory.fail(delivery.id);
      tell(error);
      return { status: 500, text: 'the handler failed' };
    }
  };
}

/** Which deliveries were handled, or are being handled: the oldest are forgotten. */
class DeliveryMemory {
  readonly #capacity: number;
  readonly #running = new Set<string>();
  readonly #done = new Set<string>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** False where the delivery is handled already, or being handled. */
  begin(id: string | undefined): boolean {
    if (id === undefined || this.#capacity === 0) return true;
    if (this.#done.has(id) || this.#running.has(id)) return false;
    this.#running.add(id);
    return true;
  }

  succeed(id: string | undefined): void {
    if (id === undefined || this.#capacity === 0) return;
    this.#running.delete(id);
    this.#done.add(id);
    if (this.#done.size > this.#capacity) {
      const oldest = this.#done.values().next();
      if (!oldest.done) this.#done.delete(oldest.value);
    }
  }

  /** It may be sent again. */
  fail(id: string | undefined): void {
    if (id !== undefined) this.#running.delete(id);
  }
}
