import { Readable } from 'node:stream';
import { Dispatcher } from 'undici';
import { Deadline } from '../../../src/transport/dispatch/deadline.js';
import { exchange } from '../../../src/transport/dispatch/exchange.js';
import type { ExchangeLimits, WireRequest } from '../../../src/transport/dispatch/wire-request.js';
import type { RawHeaders } from '../../../src/transport/http/headers.js';
import type { HttpResponse } from '../../../src/transport/http/raw-response.js';

/** Records how an attempt controls the connection. */
class RecordingController implements Dispatcher.DispatchController {
  readonly aborts: Error[] = [];
  pauses = 0;
  resumes = 0;

  get aborted(): boolean {
    return this.aborts.length > 0;
  }

  get paused(): boolean {
    return this.pauses > this.resumes;
  }

  get reason(): Error | null {
    return this.aborts[0] ?? null;
  }

  abort(reason: Error): void {
    this.aborts.push(reason);
  }

  pause(): void {
    this.pauses += 1;
  }

  resume(): void {
    this.resumes += 1;
  }
}

/** Records dispatched requests. The test triggers each event of the response. */
export class ScriptedDispatcher extends Dispatcher {
  readonly controller = new RecordingController();
  readonly dispatched: Dispatcher.DispatchOptions[] = [];
  readonly chunks: Buffer[] = [];
  #handler: Dispatcher.DispatchHandler | undefined;

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.dispatched.push(options);
    this.#handler = handler;
    return true;
  }

  /** Options of the dispatched request. */
  get options(): Dispatcher.DispatchOptions {
    const [options, another] = this.dispatched;
    if (!options || another) throw new Error(`${this.dispatched.length} requests were dispatched`);
    return options;
  }

  /** Body of the dispatched request, if it is a stream. */
  get sentStream(): Readable {
    const { body } = this.options;
    if (!(body instanceof Readable)) throw new Error('the request has no stream body');
    return body;
  }

  /** Reports that the connection is established and the request is about to be written. */
  start(): this {
    this.#reached.onRequestStart?.(this.controller, undefined);
    return this;
  }

  /** Reports the head of a response. */
  head(status: number, headers: RawHeaders = {}, statusText?: string): this {
    this.#reached.onResponseStart?.(this.controller, status, headers, statusText);
    return this;
  }

  /** Reports a chunk of the body. If `chunk` is a number, the chunk has that many bytes. */
  data(chunk: Buffer | string | number): this {
    const bytes = typeof chunk === 'number' ? Buffer.alloc(chunk, 'x') : Buffer.from(chunk);
    this.chunks.push(bytes);
    this.#reached.onResponseData?.(this.controller, bytes);
    return this;
  }

  end(): this {
    this.#reached.onResponseEnd?.(this.controller, {});
    return this;
  }

  /**
   * Reports a failure. `as`: undici declares an Error, but passes on any value that destroyed a
   * dispatcher.
   */
  fail(cause: unknown): this {
    this.#reached.onResponseError?.(this.controller, cause as Error);
    return this;
  }

  get #reached(): Dispatcher.DispatchHandler {
    if (!this.#handler) throw new Error('nothing was dispatched');
    return this.#handler;
  }
}

/** A request without a body. */
const plainRequest: WireRequest = {
  origin: 'https://code.example.com',
  path: '/api/v3/user',
  method: 'GET',
  headers: ['accept', 'application/json'],
  body: undefined,
};

/** Options of an attempt that differ from the defaults. */
export interface AttemptOptions {
  readonly request?: Partial<WireRequest> | undefined;
  readonly limits?: Partial<ExchangeLimits> | undefined;
  readonly deadline?: Deadline | undefined;
  readonly dispatcher?: ScriptedDispatcher | undefined;
}

/** Starts one attempt. Dispatches the request immediately unless the body must be opened first. */
export function attempt(options: AttemptOptions = {}) {
  const dispatcher = options.dispatcher ?? new ScriptedDispatcher();
  const deadline = options.deadline ?? new Deadline([], 0);
  const outcome = exchange(
    dispatcher,
    { ...plainRequest, ...options.request },
    {
      headersTimeout: 0,
      bodyTimeout: 0,
      maxBytes: 1024 * 1024,
      stream: undefined,
      ...options.limits,
    },
    deadline,
  );
  return { dispatcher, outcome };
}

/** Returns a streamed response's body. */
export function streamOf(outcome: HttpResponse): Readable {
  if (outcome.failed || !(outcome.body instanceof Readable)) {
    throw new Error('the outcome is not a response with a stream');
  }
  return outcome.body;
}
