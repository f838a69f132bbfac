import { pipeline, Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isError } from '../../schema/unknown-values.js';
import { parseCodings } from '../http/content-coding.js';
import { getHeader, type RawHeaders } from '../http/header-fields.js';
import type { Failure, FailureKind, HttpResponse } from '../http/raw-response.js';
import { type OpenBody, serializeBody } from '../request/body.js';
import { catchRejection } from '../request/callback.js';
import { BodyBuffer } from './body-buffer.js';
import type { Deadline } from './deadline.js';
import { decodeResponse } from './decode-response.js';
import { classifyFailure, proxyRefusal, wasReused } from './failure-kind.js';
import { openResponse, type ResponseStream } from './response-stream.js';
import { piecesOf, SourceWatch } from './source-watch.js';
import type { WireRequest } from './wire-request.js';

/** What one attempt may cost, and how its body is wanted. */
export interface ExchangeLimits {
  /** Milliseconds until the header fields must have come; 0 for no limit. */
  readonly headersTimeout: number;
  /** Longest silence within a body in ms; 0 for no limit. */
  readonly bodyTimeout: number;
  /** Most bytes of a buffered body, encoded or decoded. */
  readonly maxBytes: number;
  /** The dispatcher is our own: see {@link SourceWatch}. */
  readonly recycles: boolean;
  /** Hands out the body of a 2xx as a stream, whose failures become what this makes of them. */
  readonly stream: ((failure: Failure) => Error) | undefined;
}

/**
 * One attempt: dispatches the request and reads its answer. Never rejects, but for a body source
 * that can't be opened: what went wrong is returned, and becomes an error where the caller's stack is.
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

class Attempt implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #resolve: ((outcome: HttpResponse | Promise<HttpResponse>) => void) | undefined;
  #status = 0;
  #statusText = '';
  #headers: RawHeaders = {};
  readonly #body = new BodyBuffer();
  /** Announced length of the body; 0 or NaN if it is unknown. */
  #expected = 0;
  /** Bytes of a streamed body that arrived. */
  #streamed = 0;
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
        // Names stand at the even places.
        if (!headers.some((each, index) => index % 2 === 0 && each === 'content-type')) {
          headers.push('content-type', open.contentType);
        }
        if (open.length !== undefined) headers.push('content-length', String(open.length));
        const watch = new SourceWatch(
          this.#limits.bodyTimeout,
          () => this.#stall(),
          this.#limits.recycles ? open.recycle : undefined,
        );
        // The callback takes over the error: pipeline destroys `watch` with it, where undici sees it.
        this.#source = pipeline(open.stream, watch, () => undefined);
        this.#watch = watch;
        // The total timeout stands still while a streamed body is sent.
        this.#deadline.pause();
        watch.once('close', () => this.#deadline.resume());
      } else if (payload && payload.length > longPayload) {
        const bytes = Buffer.from(payload);
        headers.push('content-length', String(bytes.length));
        const pieces = piecesOf(bytes);
        this.#source = Readable.from(this.#counted(pieces), { objectMode: false });
      }
      try {
        const dispatched: unknown = dispatcher.dispatch(
          {
            origin: request.origin,
            path: request.path,
            // `as`: undici types the methods it knows, and sends any token.
            method: request.method as Dispatcher.HttpMethod,
            headers,
            body: this.#source ?? payload ?? null,
            headersTimeout: this.#limits.headersTimeout,
            bodyTimeout: this.#limits.bodyTimeout,
          },
          this,
        );
        // An interceptor of the caller's may be an async function.
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
    if (!this.#resolve) controller.abort(new Error('stopped before it was sent'));
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
    if (this.#stream) {
      this.#streamed += chunk.length;
      if (!this.#stream.accept(chunk)) controller.pause();
      return;
    }
    if (!this.#resolve) return;
    this.#body.push(chunk, this.#expected);
    if (this.#body.size > this.#limits.maxBytes) {
      this.#giveUp('too_large', new Error(`more than ${this.#limits.maxBytes} bytes`));
    }
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    const size = this.#stream ? this.#streamed : this.#body.size;
    if (size < this.#expected) {
      // Over HTTP/2, undici takes a stream that was reset for one that ended.
      const cause = new Error(`${size} bytes came of ${this.#expected}`);
      this.onResponseError(controller, cause);
      return;
    }
    if (this.#stream) {
      this.#stream.finish();
      return;
    }
    const body = this.#body;
    const answer = {
      failed: false,
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers,
      body: body.whole(),
      release: () => body.recycle(),
    } as const;
    const coding = getHeader(this.#headers, 'content-encoding');
    const codings = body.size === 0 || coding === undefined ? [] : parseCodings(coding);
    if (codings.length === 0) this.#finish(answer);
    else this.#finish(() => decodeResponse(answer, codings, this.#limits.maxBytes, this.#deadline));
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    if (this.#stream) {
      this.#stream.fail(cause);
      return;
    }
    this.#fail(classifyFailure(cause, this.#status > 0), cause);
  }

  #startStream(errorOf: (failure: Failure) => Error): void {
    const status = this.#status;
    try {
      const codings = parseCodings(getHeader(this.#headers, 'content-encoding'));
      const source = {
        resume: () => this.#controller?.resume(),
        abort: (cause: Error) => this.#controller?.abort(cause),
      };
      const { wire, body } = openResponse(source, codings, (kind, cause) =>
        errorOf({ failed: true, kind, cause, sent: true, status }),
      );
      this.#stream = wire;
      const statusText = this.#statusText;
      this.#finish({ failed: false, status, statusText, headers: this.#headers, body });
    } catch (cause) {
      this.#giveUp('undecodable', isError(cause) ? cause : new Error('undecodable'));
    }
  }

  /** undici restarts its headers timeout with each 1xx, which a server may send without end. */
  #boundInterim(): void {
    const { headersTimeout } = this.#limits;
    if (headersTimeout === 0 || this.#interimTimer) return;
    const taken = this.#taken;
    this.#interimTimer = setTimeout(() => {
      this.#interimTimer = undefined;
      const isSending = this.#source !== undefined && !this.#source.readableEnded;
      // The wait is not bounded while a body is sent, unless the server takes nothing of it.
      if (isSending && !(this.#source?.isPaused() && taken === this.#taken)) return;
      this.#giveUp('timeout_headers', new Error('only 1xx responses came'));
    }, headersTimeout);
  }

  /** Grows while the connection takes a body that is sent in pieces. */
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
    this.#giveUp('interrupted', new Error('stopped by the caller'));
  }

  #stall(): void {
    this.#giveUp('timeout_body', new Error('the source of the request body gave nothing'));
  }

  #giveUp(kind: FailureKind, cause: Error): void {
    this.#fail(kind, cause);
    this.#controller?.abort(cause);
  }

  #fail(kind: FailureKind, cause: unknown): void {
    const failure: Failure = {
      failed: true,
      kind,
      cause,
      // undici calls onRequestStart just before it writes to a connected socket.
      sent: this.#controller !== undefined && proxyRefusal(cause) === undefined,
      reused: this.#request && wasReused(cause, this.#request),
      status: this.#status === 0 ? undefined : this.#status,
    };
    this.#finish(failure);
  }

  /** @param outcome what came, or a function that still needs the deadline to produce the response. */
  #finish(outcome: HttpResponse | (() => Promise<HttpResponse>)): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    this.#resolve = undefined;
    clearTimeout(this.#interimTimer);
    this.#deadline.watch(undefined);
    // An early answer or a failure leaves the rest of the source unread: its file must be closed.
    this.#source?.destroy();
    resolve(typeof outcome === 'function' ? outcome() : outcome);
  }
}

/**
 * More than this of a body that is there as a whole goes out in pieces: undici restarts its headers
 * timeout with each of them, and a slow uplink may need longer than that for them all.
 */
const longPayload = 256 * 1024;
