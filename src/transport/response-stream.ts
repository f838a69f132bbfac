import { pipeline, Readable, type Transform } from 'node:stream';
import { onAbort } from './abort-listeners.js';
import { isCodingError } from './content-coding.js';

/** The body of an answer as a stream, with backpressure down to the socket. */
export class ResponseStream extends Readable {
  #finished = false;
  readonly #resumeSource: () => void;
  readonly #abortSource: (cause: Error) => void;
  readonly #translate: (cause: Error) => Error;

  /** @param translate makes what the reader sees of a failure of the connection or the coding. */
  constructor(
    resumeSource: () => void,
    abortSource: (cause: Error) => void,
    translate: (cause: Error) => Error,
  ) {
    super({ highWaterMark: 256 * 1024 });
    this.#resumeSource = resumeSource;
    this.#abortSource = abortSource;
    this.#translate = translate;
  }

  /** @returns false when the source should pause. */
  accept(chunk: Buffer): boolean {
    return this.push(chunk);
  }

  finish(): void {
    this.#finished = true;
    this.push(null);
  }

  fail(cause: Error): void {
    this.#finished = true;
    this.destroy(this.#translate(cause));
  }

  /** The decoded body; this very stream where nothing is to be decoded. */
  through(transforms: readonly Transform[]): Readable {
    // `as`: undici's and Node's types differ on an optional hook that neither side uses here.
    let last = this as unknown as Readable;
    for (const transform of transforms) {
      const destroy = transform._destroy;
      transform._destroy = (error, callback) => {
        destroy.call(transform, error, (raised) =>
          callback(raised && isCodingError(raised) ? this.#translate(raised) : raised),
        );
      };
      // The callback takes over the error: pipeline destroys `transform` with it, where it surfaces.
      last = pipeline(last, transform, () => undefined);
    }
    return last;
  }

  override _read(): void {
    this.#resumeSource();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#finished) this.#abortSource(error ?? new Error('the reader left the stream'));
    callback(error);
  }
}

/** The caller's signals still end a stream that has been handed out. */
export function keepAborting(stream: Readable, signals: readonly AbortSignal[]): void {
  for (const signal of signals) {
    const abort = () => {
      const { reason } = signal;
      // `as`: a stream fails with whatever it is destroyed with, but takes nothing for no failure.
      stream.destroy(reason ? (reason as Error) : new Error(String(reason)));
    };
    if (signal.aborted) {
      abort();
      return;
    }
    stream.once('close', onAbort(signal, abort));
  }
}
