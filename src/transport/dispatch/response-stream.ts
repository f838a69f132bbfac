import { pipeline, Readable, type Transform } from 'node:stream';
import { errorMessage } from '../../schema/unknown-values.js';
import { onAbort } from './abort-scope.js';

/** Where the chunks of a stream come from. */
export interface ChunkSource {
  /** More is wanted. */
  resume(): void;
  /** Nothing is wanted any more. */
  abort(cause: Error): void;
}

/** What a reader listens for. */
const readersEvents = new Set<string | symbol>(['error', 'data', 'readable', 'end']);

/**
 * The body of an answer as a stream, with backpressure down to the socket. A failure that comes before
 * anybody listens waits for the first who does, as with `fetch`: Node would end the process for an
 * `error` event without a listener.
 */
export class ResponseStream extends Readable {
  #finished = false;
  #isHeard = false;
  #failure: Error | undefined;
  #stopListening: readonly (() => void)[] = [];
  readonly #source: ChunkSource;
  readonly #translate: (cause: Error) => Error;

  /** @param translate makes what the reader sees of a failure of the source. */
  constructor(source: ChunkSource, translate: (cause: Error) => Error) {
    super({ highWaterMark: 256 * 1024 });
    this.#source = source;
    this.#translate = translate;
    this.on('newListener', (event) => {
      if (this.#isHeard || !readersEvents.has(event)) return;
      this.#isHeard = true;
      // A reader adds all its listeners first.
      process.nextTick(() => this.#failure && this.destroy(this.#failure));
    });
  }

  /** @returns false when the source should pause. */
  accept(chunk: Buffer): boolean {
    return this.push(chunk);
  }

  finish(): void {
    this.#finished = true;
    this.push(null);
  }

  /** The source has failed. Failing twice is failing once. */
  fail(cause: Error): void {
    this.#finished = true;
    if (!this.#failure) this.#end(this.#translate(cause));
  }

  /** The caller's signals still end a stream that has been handed out, with their own reason. */
  keepAborting(signals: readonly AbortSignal[]): void {
    const abort = ({ reason }: AbortSignal) => {
      // `as`: a stream fails with whatever it is destroyed with, but takes nothing for no failure.
      const failure = reason ? (reason as Error) : new Error(errorMessage(reason));
      this.#end(failure);
      this.#abortSource(failure);
    };
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted) abort(aborted);
    else this.#stopListening = signals.map((signal) => onAbort(signal, () => abort(signal)));
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#dropSignals();
    this.#abortSource(error ?? new Error('the reader left the stream'));
    callback(error);
  }

  #end(failure: Error): void {
    this.#dropSignals();
    this.#failure = failure;
    if (this.#isHeard) this.destroy(failure);
  }

  #abortSource(cause: Error): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#source.abort(cause);
  }

  #dropSignals(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopListening = [];
  }
}

/** A stream with its codings undone by `transforms`, in turn; the very stream where there are none. */
export function decodedStream(
  encoded: ResponseStream,
  transforms: readonly Transform[],
  translate: (cause: Error) => Error,
): ResponseStream {
  const last = transforms.at(-1);
  if (!last) return encoded;
  const decoded = new ResponseStream(
    { resume: () => last.resume(), abort: (cause) => encoded.destroy(cause) },
    translate,
  );
  last.on('data', (chunk: Buffer) => {
    if (!decoded.accept(chunk)) last.pause();
  });
  last.on('end', () => decoded.finish());
  const fail = (cause: Error) => decoded.fail(cause);
  last.on('error', fail);
  // It calls back once the last transform has taken everything, before what that gives has ended.
  pipeline([encoded, ...transforms], (cause) => cause && fail(cause));
  return decoded;
}
