import { pipeline, Readable, type Transform } from 'node:stream';
import { asError } from '../../schema/unknown-values.js';
import { classifyCodingError, createDecoders, isCodingError } from '../http/content-coding.js';
import type { FailureKind } from '../http/raw-response.js';
import { type InFlight, type OpenStream, onAbort } from './deadline.js';
import { classifyFailure } from './failure-kind.js';

export interface ChunkSource {
  /** Requests more chunks. */
  resume(): void;
  /** Ends the source early. */
  abort(cause: Error): void;
}

/** Events whose listeners show that the stream has a reader. */
const readerEvents = new Set<string | symbol>(['error', 'data', 'readable', 'end']);

/**
 * A response body as a stream, with backpressure to the socket. If the stream fails before it has a
 * listener, it emits the error once a listener is added. An `error` event without a listener would
 * end the Node.js process.
 */
export class ResponseStream extends Readable implements OpenStream {
  #finished = false;
  #hasReader = false;
  #failure: Error | undefined;
  #stopListening: readonly (() => void)[] = [];
  readonly #source: ChunkSource;
  readonly #translate: (cause: Error) => Error;
  readonly #wire: ResponseStream | undefined;
  #release: (() => void) | undefined;

  /**
   * @param translate converts a failure of the source to the error that the reader gets.
   * @param wire stream from the connection, if this stream only decodes it.
   */
  constructor(source: ChunkSource, translate: (cause: Error) => Error, wire?: ResponseStream) {
    super({ highWaterMark: 256 * 1024 });
    this.#source = source;
    this.#translate = translate;
    this.#wire = wire;
    this.on('newListener', (event) => {
      if (this.#hasReader || !readerEvents.has(event)) return;
      this.#hasReader = true;
      // Emit the error later so that the reader can add all its listeners first.
      process.nextTick(() => this.#failure && this.#emitFailure(this.#failure));
    });
  }

  finish(): void {
    this.#settle();
    this.push(null);
  }

  /** Ends the stream with an error, because its source failed. Later failures are ignored. */
  fail(cause: Error): void {
    this.#settle();
    if (!this.#failure) this.#end(this.#translate(cause));
  }

  cut(cause: Error): void {
    if (this.#failure || this.destroyed) return;
    const failure = this.#translate(cause);
    this.#end(failure);
    this.#abortSource(failure);
    if (this.#hasReader) return;
    // Destroy the stream without emitting the error, which the first reader gets later.
    this.#hasReader = true;
    this.once('error', () => undefined);
    this.destroy(failure);
    this.#hasReader = false;
  }

  /**
   * Prepares the stream for the caller. If a signal is aborted later, the stream fails with the
   * signal's reason. The stream is in flight until its last byte has arrived.
   */
  handOut(signals: readonly AbortSignal[], inFlight?: InFlight): void {
    const abort = ({ reason }: AbortSignal) => {
      // `as`: a stream can emit any value as its error, except a falsy value.
      const failure = (reason as Error | null | undefined) || asError(reason);
      this.#end(failure);
      this.#abortSource(failure);
    };
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted) abort(aborted);
    else this.#stopListening = signals.map((signal) => onAbort(signal, () => abort(signal)));
    const wire = this.#wire ?? this;
    if (inFlight && !wire.#finished) wire.#release = inFlight.addStream(this);
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#dropSignals();
    this.#abortSource(error ?? new Error('the reader closed the stream'));
    callback(error);
  }

  #emitFailure(failure: Error): void {
    if (this.destroyed) this.emit('error', failure);
    else this.destroy(failure);
  }

  #settle(): void {
    this.#finished = true;
    this.#release?.();
    this.#release = undefined;
  }

  #end(failure: Error): void {
    this.#dropSignals();
    this.#failure = failure;
    if (this.#hasReader) this.destroy(failure);
  }

  #abortSource(cause: Error): void {
    if (this.#finished) return;
    this.#settle();
    this.#source.abort(cause);
  }

  #dropSignals(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopListening = [];
  }
}

/**
 * Creates the stream from the connection (`wire`) and the decoded stream (`body`).
 * @throws {Error} if the codings can't be decoded.
 */
export function openResponse(
  source: ChunkSource,
  codings: readonly string[],
  createError: (kind: FailureKind, cause: Error) => Error,
): { readonly wire: ResponseStream; readonly body: ResponseStream } {
  const transforms = createDecoders(codings);
  /** Failure of the connection. Its code may resemble a zlib code (`ERR_HTTP2_…`, `ERR_SSL_…`). */
  let broken: unknown;
  const translate = (cause: Error) => {
    const isCoding = cause !== broken && isCodingError(cause);
    return createError(isCoding ? classifyCodingError(cause) : classifyFailure(cause, true), cause);
  };
  const wire = new ResponseStream(source, (cause) => {
    broken = cause;
    return transforms.length === 0 ? translate(cause) : cause;
  });
  return { wire, body: decodeStream(wire, transforms, translate) };
}

/**
 * Decodes a stream with `transforms`, in order. Returns the same stream if there are no transforms.
 */
export function decodeStream(
  encoded: ResponseStream,
  transforms: readonly Transform[],
  translate: (cause: Error) => Error,
): ResponseStream {
  const last = transforms.at(-1);
  if (!last) return encoded;
  const decoded = new ResponseStream(
    { resume: () => last.resume(), abort: (cause) => encoded.destroy(cause) },
    translate,
    encoded,
  );
  last.on('data', (chunk: Buffer) => {
    if (!decoded.push(chunk)) last.pause();
  });
  last.on('end', () => decoded.finish());
  const fail = (cause: Error) => decoded.fail(cause);
  last.on('error', fail);
  // The callback can run before `last` has emitted all its data, so the callback reports only
  // errors. The `end` event reports success.
  pipeline([encoded, ...transforms], (cause) => cause && fail(cause));
  return decoded;
}
