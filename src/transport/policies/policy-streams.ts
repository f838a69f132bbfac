import { finished, Readable } from 'node:stream';
import { types } from 'node:util';
import { invalidOption } from '../../option-names.js';
import { describeKind } from '../../schema/unknown-values.js';
import { ResponseStream } from '../dispatch/response-stream.js';
import type { HttpResponse } from '../http/raw-response.js';

/**
 * The streamed bodies that a policy got from `next`. Each stream keeps a connection open until it
 * ends.
 */
export class PolicyStreams {
  readonly #received = new Set<Readable>();
  #isOver = false;

  /** Adds a response's body. Destroys it if the policy has already ended. */
  add(response: HttpResponse): void {
    if (response.failed || !(response.body instanceof Readable)) return;
    this.#received.add(response.body);
    if (this.#isOver) this.destroy();
  }

  /**
   * Destroys all streams, including those added later. Called when the policy's result doesn't need
   * them.
   */
  destroy(): void {
    this.#isOver = true;
    for (const stream of this.#received) stream.destroy();
  }

  /**
   * Destroys the streams that the policy dropped.
   * @returns the body of the policy's response, as a stream that ends when the call ends.
   */
  select(body: Buffer | Readable): Readable {
    const isReceived = body instanceof Readable && this.#received.delete(body);
    if (isReceived || !(body instanceof Readable)) this.destroy();
    // A destroyed stream would look like an empty web stream.
    if (isReceived && !body.destroyed) return body;
    const source = body instanceof Readable ? body : Readable.from([body], { objectMode: false });
    // Destroy the received streams only when this stream ends, because this stream may read from
    // them.
    return wrapStream(source, () => this.destroy());
  }
}

/** @param release called when the stream has ended and doesn't need the streams that it read. */
function wrapStream(source: Readable, release: () => void): ResponseStream {
  const abort = () => {
    source.destroy();
    release();
  };
  const stream = new ResponseStream({ resume: () => source.resume(), abort }, (cause) => cause);
  // Pause the source so that the listener doesn't start the stream before it is read.
  source.pause();
  source.on('data', (chunk: unknown) => {
    if (typeof chunk !== 'string' && !types.isUint8Array(chunk)) {
      const rule = `must return a body of bytes or text (got ${describeKind(chunk)} in its stream)`;
      source.destroy(invalidOption('policies', rule));
    } else if (!stream.push(Buffer.from(chunk))) source.pause();
  });
  finished(source, { writable: false }, (cause) => {
    if (cause) stream.fail(cause);
    else stream.finish();
    release();
  });
  return stream;
}
