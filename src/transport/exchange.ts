import { pipeline, Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { InvalidRequestError } from '../errors.js';
import type { OpenBody, RequestBody } from './body.js';
import { BodyBuffer } from './body-buffer.js';
import {
  codingFailure,
  codingsOf,
  decodeBody,
  decodingStream,
  isCodingError,
} from './content-coding.js';
import type { Interrupt } from './interrupt.js';
import type { Failure, FailureKind, Outcome, RawHeaders, RawResponse } from './raw-response.js';
import { headerOf } from './raw-response.js';
import { ResponseStream } from './response-stream.js';
import { piecesOf, SourceWatch } from './source-watch.js';
import { wasReused } from './stale-socket.js';
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
  interrupt: Interrupt,
): Promise<Outcome> {
  const { body } = request;
  if (body?.kind !== 'stream') {
    return new Attempt(limits, interrupt).send(dispatcher, request, undefined);
  }
  return body.open().then((open) => new Attempt(limits, interrupt).send(dispatcher, request, open));
}

/** A whole answer with the coding of its body undone. */
async function decoded(
  answer: RawResponse & { readonly body: Buffer; readonly release: () => void },
  codings: readonly string[],
  maxBytes: number,
): Promise<Outcome> {
  try {
    const body = await decodeBody(answer.body, codings, maxBytes);
    answer.release();
    return { ...answer, body, release: undefined };
  } catch (cause) {
    return { failed: true, kind: codingFailure(cause), cause, sent: true, status: answer.status };
  }
}

class Attempt implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #resolve: ((outcome: Outcome | Promise<Outcome>) => void) | undefined;
  #status = 0;
  #statusText = '';
  #headers: RawHeaders = {};
  readonly #body = new BodyBuffer();
  #expected = 0;
  #stream: ResponseStream | undefined;
  readonly #limits: ExchangeLimits;
  readonly #interrupt: Interrupt;
  #source: Readable | undefined;
  #request: WireRequest | undefined;

  constructor(limits: ExchangeLimits, interrupt: Interrupt) {
    this.#limits = limits;
    this.#interrupt = interrupt;
  }

  send(dispatcher: Dispatcher, request: WireRequest, open: OpenBody | undefined): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#request = request;
      this.#source = open?.stream;
      if (this.#interrupt.interruption) return this.#stop();
      this.#interrupt.watch(() => this.#stop());
      const { body } = request;
      const payload = open ? undefined : payloadOf(body);
      const headers = [...request.headers];
      if (open) {
        if (!namesOf(headers).includes('content-type')) {
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
        // The total timeout stands still while a streamed body is sent.
        this.#interrupt.pause();
        watch.once('close', () => this.#interrupt.resume());
      } else if (payload && payload.length > longPayload) {
        const bytes = Buffer.from(payload);
        headers.push('content-length', String(bytes.length));
        this.#source = Readable.from(piecesOf(bytes), { objectMode: false });
      }
      try {
        dispatcher.dispatch(
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
    if (status < 200 || !this.#resolve) return;
    this.#status = status;
    this.#headers = headers;
    this.#statusText = statusText ?? '';
    this.#expected = Number(headerOf(headers, 'content-length') ?? 0);
    if (this.#limits.stream && status < 300) this.#startStream(this.#limits.stream);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stream) {
      if (!this.#stream.accept(chunk)) controller.pause();
      return;
    }
    if (!this.#resolve) return;
    this.#body.push(chunk, this.#expected);
    if (this.#body.size > this.#limits.maxBytes) {
      const cause = new Error(`more than ${this.#limits.maxBytes} bytes`);
      this.#fail('too_large', cause);
      controller.abort(cause);
      return;
    }
  }

  onResponseEnd(): void {
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
    const coding = headerOf(this.#headers, 'content-encoding');
    const codings = body.size === 0 ? [] : codingsOf(coding);
    this.#finish(codings.length === 0 ? answer : decoded(answer, codings, this.#limits.maxBytes));
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    if (this.#stream) {
      this.#stream.fail(cause);
      return;
    }
    this.#fail(kindOf(cause, this.#status > 0), cause);
  }

  #startStream(errorOf: (failure: Failure) => Error): void {
    const status = this.#status;
    const raw = new ResponseStream(
      () => this.#controller?.resume(),
      (cause) => this.#controller?.abort(cause),
      (cause) => {
        const kind = isCodingError(cause) ? codingFailure(cause) : kindOf(cause, true);
        return errorOf({ failed: true, kind, cause, sent: true, status });
      },
    );
    try {
      const codings = codingsOf(headerOf(this.#headers, 'content-encoding'));
      const transforms = codings.map(decodingStream);
      this.#stream = raw;
      this.#finish({
        failed: false,
        status: this.#status,
        statusText: this.#statusText,
        headers: this.#headers,
        body: raw.through(transforms),
      });
    } catch (cause) {
      this.#fail('undecodable', cause);
      this.#controller?.abort(cause instanceof Error ? cause : new Error('undecodable'));
    }
  }

  #stop(): void {
    const cause = new Error('stopped by the caller');
    this.#fail('interrupted', cause);
    this.#controller?.abort(cause);
  }

  #stall(): void {
    const cause = new Error('the source of the request body gave nothing');
    this.#fail('timeout_body', cause);
    this.#controller?.abort(cause);
  }

  #fail(kind: FailureKind, cause: unknown): void {
    const failure: Failure = {
      failed: true,
      kind,
      cause,
      // undici calls onRequestStart just before it writes to a connected socket.
      sent: this.#controller !== undefined,
      reused: this.#request && wasReused(cause, this.#request),
      status: this.#status === 0 ? undefined : this.#status,
    };
    this.#finish(failure);
  }

  #finish(outcome: Outcome | Promise<Outcome>): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    this.#resolve = undefined;
    this.#interrupt.watch(undefined);
    // An early answer or a failure leaves the rest of the source unread: its file must be closed.
    this.#source?.destroy();
    resolve(outcome);
  }
}

/** Names stand at the even places. */
function namesOf(headers: readonly string[]): string[] {
  return headers.filter((_each, index) => index % 2 === 0);
}

/**
 * More than this of a body that is there as a whole goes out in pieces: undici restarts its headers
 * timeout with each of them, and a slow uplink may need longer than that for them all.
 */
const longPayload = 256 * 1024;

function payloadOf(body: RequestBody | undefined): string | Uint8Array | undefined {
  if (!body || body.kind === 'stream') return undefined;
  return body.kind === 'bytes' ? body.bytes : body.text;
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}

function kindOf(cause: unknown, answered: boolean): FailureKind {
  if (cause instanceof InvalidRequestError) return 'invalid_body';
  switch (codeOf(cause)) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'timeout_connect';
    case 'UND_ERR_HEADERS_TIMEOUT':
      return 'timeout_headers';
    case 'UND_ERR_BODY_TIMEOUT':
      return 'timeout_body';
    default:
      return answered ? 'truncated' : 'connection';
  }
}
