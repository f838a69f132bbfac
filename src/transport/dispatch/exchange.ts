import { pipeline, Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { asError, isError } from '../../schema/unknown-values.js';
import { joinChunks } from '../http/body-memory.js';
import { parseCodings } from '../http/content-coding.js';
import { getHeader, type RawHeaders } from '../http/headers.js';
import type { Failure, FailureKind, HttpResponse } from '../http/raw-response.js';
import { type OpenBody, serializeBody } from '../request/body.js';
import { catchRejection } from '../request/callback.js';
import type { Deadline } from './deadline.js';
import { decodeResponse } from './decode-response.js';
import { classifyFailure, parseProxyRejection, wasReused } from './failure-kind.js';
import { openResponse, type ResponseStream } from './response-stream.js';
import { SourceWatch, splitIntoPieces } from './source-watch.js';
import type { WireRequest } from './wire-request.js';

/** Limits for one request, and how to read its response. */
export interface ExchangeLimits {
  /** Maximum time until the response's headers arrive, in ms. 0 for no limit. */
  readonly headersTimeout: number;
  /** Maximum pause within a body, in ms. 0 for no limit. */
  readonly bodyTimeout: number;
  /** Maximum size of a buffered body in bytes, before and after decoding. */
  readonly maxBytes: number;
  /**
   * Whether to reuse sent chunks (see {@link SourceWatch}). True for the client's own dispatcher.
   */
  readonly recycles: boolean;
  /** Converts a streamed body's failure to an error. Undefined if the body is buffered. */
  readonly stream: ((failure: Failure) => Error) | undefined;
}

/**
 * Sends one request and reads its response. Returns failures as data. Rejects only if the source of
 * the request's body can't be opened.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  limits: ExchangeLimits,
  deadline: Deadline,
): Promise<HttpResponse> {
  const { body } = request;
  if (body?.kind !== 'stream') {
    return new Attempt(limits, deadline).send(dispatcher, request, undefined);
  }
  return body.open().then((open) => new Attempt(limits, deadline).send(dispatcher, request, open));
}

/**
 * Size in bytes above which a body in memory is sent in pieces. undici restarts its headers timeout
 * with each piece. On a slow uplink, the whole body may take longer than the timeout.
 */
const longPayload = 256 * 1024;

class Attempt implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #resolve: ((outcome: HttpResponse | Promise<HttpResponse>) => void) | undefined;
  #status = 0;
  #statusText = '';
  #headers: RawHeaders = {};
  /** Chunks of a buffered body. */
  readonly #chunks: Buffer[] = [];
  /** Announced body length. 0 or NaN if unknown. */
  #expected = 0;
  /** Number of body bytes received so far. */
  #received = 0;
  #stream: ResponseStream | undefined;
  readonly #limits: ExchangeLimits;
  readonly #deadline: Deadline;
  #source: Readable | undefined;
  #watch: SourceWatch | undefined;
  #pieces = 0;
  #request: WireRequest | undefined;
  #interimTimer: NodeJS.Timeout | undefined;

  constructor(limits: ExchangeLimits, deadline: Deadline) {
    this.#limits = limits;
    this.#deadline = deadline;
  }

  send(
    dispatcher: Dispatcher,
    request: WireRequest,
    open: OpenBody | undefined,
  ): Promise<HttpResponse> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#request = request;
      this.#source = open?.stream;
      if (this.#deadline.interruption) return this.#stop();
      this.#deadline.watch(() => this.#stop());
      const { body } = request;
      const payload = body && !open ? serializeBody(body) : undefined;
      const headers = [...request.headers];
      if (open) {
        // The array alternates between names and values, so names have even indexes.
        if (!headers.some((each, index) => index % 2 === 0 && each === 'content-type')) {
          headers.push('content-type', open.contentType);
        }
        if (open.length !== undefined) headers.push('content-length', String(open.length));
        const watch = new SourceWatch(
          this.#limits.bodyTimeout,
          () => this.#giveUp('timeout_body', new Error('the source of the request body stalled')),
          this.#limits.recycles ? open.recycle : undefined,
        );
        // The callback ignores the error, because undici gets it from `watch`.
        this.#source = pipeline(open.stream, watch, () => undefined);
        this.#watch = watch;
        // The total timeout doesn't include the time to send a streamed body.
        this.#deadline.pause();
        watch.once('close', () => this.#deadline.resume());
      } else if (payload && payload.length > longPayload) {
        const bytes = Buffer.from(payload);
        headers.push('content-length', String(bytes.length));
        this.#source = Readable.from(this.#counted(splitIntoPieces(bytes)), { objectMode: false });
      }
      try {
        const dispatched: unknown = dispatcher.dispatch(
          {
            origin: request.origin,
            path: request.path,
            // `as`: undici sends any method, but its type lists only some.
            method: request.method as Dispatcher.HttpMethod,
            headers,
            body: this.#source ?? payload ?? null,
            headersTimeout: this.#limits.headersTimeout,
            bodyTimeout: this.#limits.bodyTimeout,
          },
          this,
        );
        // A user's interceptor may be async.
        if (typeof dispatched === 'object') {
          catchRejection(dispatched, (cause) => this.#fail('connection', cause));
        }
      } catch (cause) {
        this.#fail('connection', cause);
      }
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (!this.#resolve) controller.abort(new Error('the request was aborted before it was sent'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawHeaders,
    statusText?: string,
  ): void {
    if (!this.#resolve) return;
    if (status < 200) {
      this.#boundInterim();
      return;
    }
    clearTimeout(this.#interimTimer);
    this.#status = status;
    this.#headers = headers;
    this.#statusText = statusText ?? '';
    const hasBody = this.#request?.method !== 'HEAD' && status !== 204 && status !== 304;
    this.#expected = hasBody ? Number(getHeader(headers, 'content-length') ?? 0) : 0;
    if (this.#limits.stream && status < 300) this.#startStream(this.#limits.stream);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#stream && !this.#resolve) return;
    this.#received += chunk.length;
    if (this.#stream) {
      if (!this.#stream.accept(chunk)) controller.pause();
      return;
    }
    const { maxBytes } = this.#limits;
    if (this.#received > maxBytes) {
      this.#giveUp('too_large', new Error(`received more than ${maxBytes} bytes`));
    } else {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#received < this.#expected) {
      // Over HTTP/2, undici reports a reset stream as complete.
      const cause = new Error(`received ${this.#received} of ${this.#expected} bytes`);
      this.onResponseError(controller, cause);
      return;
    }
    if (this.#stream) {
      this.#stream.finish();
      return;
    }
    const raw = {
      failed: false,
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers,
      body: joinChunks(this.#chunks, this.#received),
    } as const;
    const coding = getHeader(this.#headers, 'content-encoding');
    const codings = this.#received === 0 || coding === undefined ? [] : parseCodings(coding);
    if (codings.length === 0) this.#finish(raw);
    else this.#finish(() => decodeResponse(raw, codings, this.#limits.maxBytes, this.#deadline));
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    if (this.#stream) {
      this.#stream.fail(cause);
      return;
    }
    this.#fail(classifyFailure(cause, this.#status > 0), cause);
  }

  #startStream(createError: (failure: Failure) => Error): void {
    const status = this.#status;
    try {
      const codings = parseCodings(getHeader(this.#headers, 'content-encoding'));
      const source = {
        resume: () => this.#controller?.resume(),
        abort: (cause: Error) => this.#controller?.abort(cause),
      };
      const { wire, body } = openResponse(source, codings, (kind, cause) =>
        createError({ failed: true, kind, cause, sent: true, status }),
      );
      this.#stream = wire;
      const statusText = this.#statusText;
      this.#finish({ failed: false, status, statusText, headers: this.#headers, body });
    } catch (cause) {
      this.#giveUp('undecodable', isError(cause) ? cause : new Error('undecodable'));
    }
  }

  /**
   * Bounds the total time of 1xx responses, because each response restarts undici's headers
   * timeout.
   */
  #boundInterim(): void {
    const { headersTimeout } = this.#limits;
    if (headersTimeout === 0 || this.#interimTimer) return;
    const taken = this.#taken;
    this.#interimTimer = setTimeout(() => {
      this.#interimTimer = undefined;
      const isSending = this.#source !== undefined && !this.#source.readableEnded;
      // While a body is being sent, the wait is bounded only if the server doesn't read the body.
      if (isSending && !(this.#source?.isPaused() && taken === this.#taken)) return;
      this.#giveUp('timeout_headers', new Error('the server sent only 1xx responses'));
    }, headersTimeout);
  }

  /** Counter that increases while the connection reads a body that is sent in pieces. */
  get #taken(): number {
    return this.#watch?.taken ?? this.#pieces;
  }

  *#counted(pieces: Iterable<Buffer>): Generator<Buffer> {
    for (const piece of pieces) {
      this.#pieces++;
      yield piece;
    }
  }

  #stop(): void {
    this.#giveUp('interrupted', new Error('the caller aborted the request'));
  }

  #giveUp(kind: FailureKind, cause: Error): void {
    this.#fail(kind, cause);
    this.#controller?.abort(cause);
  }

  #fail(kind: FailureKind, reason: unknown): void {
    // A user's dispatcher may report an error whose fields can't be read.
    const cause = isError(reason) ? asError(reason) : reason;
    const failure: Failure = {
      failed: true,
      kind,
      cause,
      // undici calls onRequestStart immediately before it writes to a connected socket.
      sent: this.#controller !== undefined && parseProxyRejection(cause) === undefined,
      reused: this.#request && wasReused(cause, this.#request),
      status: this.#status === 0 ? undefined : this.#status,
    };
    this.#finish(failure);
  }

  /**
   * @param outcome the result, or a function that creates it. The function watches the deadline
   * itself.
   */
  #finish(outcome: HttpResponse | (() => Promise<HttpResponse>)): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    this.#resolve = undefined;
    clearTimeout(this.#interimTimer);
    this.#deadline.watch(undefined);
    // Close the source's file, because an early response or a failure may leave the source unread.
    this.#source?.destroy();
    resolve(typeof outcome === 'function' ? outcome() : outcome);
  }
}
