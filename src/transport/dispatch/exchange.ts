import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ConfigurationError } from '../../errors/index.js';
import {
  asError,
  errorMessage,
  formatCount,
  getMember,
  isError,
} from '../../schema/unknown-values.js';
import { classifyCodingError, decodeBody, parseCodings } from '../http/content-coding.js';
import { getHeader, type RawHeaders } from '../http/headers.js';
import type { BufferedResponse, Failure, FailureKind, HttpResponse } from '../http/raw-response.js';
import type { OpenBody, RequestBody } from '../request/body.js';
import { catchRejection } from '../request/event-loop.js';
import type { Deadline } from './deadline.js';
import type { DispatcherLike, DispatchOptions, ExchangeLimits, WireRequest } from './dispatcher.js';
import { classifyFailure, parseProxyRejection } from './failure-kind.js';
import { openResponse, type ResponseStream } from './response-stream.js';

/**
 * Sends one request and reads the response. Resolves to a failure instead of rejecting, unless the
 * body's source can't be opened or the dispatcher is from undici 6.
 */
export function exchange(
  dispatcher: DispatcherLike,
  request: WireRequest,
  limits: ExchangeLimits,
  deadline: Deadline,
): Promise<HttpResponse> {
  const attempt = new Attempt(limits, deadline);
  const { body } = request;
  return body?.kind === 'stream'
    ? body.open().then((open) => attempt.send(dispatcher, request, open))
    : attempt.send(dispatcher, request);
}

/** Returns the error for a dispatcher from undici 6. Undefined if something else failed. */
function createDispatcherError(cause: unknown): ConfigurationError | undefined {
  if (!/^invalid on(?:Connect|Error|Headers|Data|Complete) method$/.test(errorMessage(cause)))
    return undefined;
  return new ConfigurationError(
    'dispatcher: needs undici 7 or later (got a dispatcher from undici 6, which Node.js 20 contains)',
    { option: 'dispatcher', cause },
  );
}

class Attempt implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #resolve: ((outcome: HttpResponse | Promise<HttpResponse>) => void) | undefined;
  #status = 0;
  #statusText = '';
  #headers: RawHeaders = {};
  readonly #chunks: Buffer[] = [];
  /** Whether the response may have a body. */
  #hasBody = true;
  /** Body length from `Content-Length`. 0 or NaN if unknown. */
  #expected = 0;
  /** Number of body bytes received so far. */
  #received = 0;
  #stream: ResponseStream | undefined;
  readonly #limits: ExchangeLimits;
  readonly #deadline: Deadline;
  #source: SourceWatch | undefined;
  #request: WireRequest | undefined;

  constructor(limits: ExchangeLimits, deadline: Deadline) {
    this.#limits = limits;
    this.#deadline = deadline;
  }

  send(dispatcher: DispatcherLike, request: WireRequest, open?: OpenBody): Promise<HttpResponse> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#request = request;
      if (this.#deadline.interruption) {
        open?.stream.destroy();
        return this.#stop();
      }
      this.#deadline.onStop = this.#stop;
      const headers = [...request.headers];
      const body =
        request.body &&
        prepareBody(request.body, open, headers, this.#limits, () =>
          this.#giveUp('timeout_body', new Error('the source of the request body stalled')),
        );
      if (body instanceof SourceWatch) this.#source = body;
      if (open) {
        // The total timeout doesn't include the time to send a streamed body.
        this.#deadline.pause();
        this.#source?.once('close', () => this.#deadline.resume());
      }
      try {
        const options: DispatchOptions = {
          origin: request.origin,
          path: request.path,
          method: request.method,
          headers,
          body: body ?? null,
          headersTimeout: this.#limits.headersTimeout,
          bodyTimeout: this.#limits.bodyTimeout,
        };
        const dispatched: unknown = dispatcher.dispatch(options, this);
        // A user's interceptor may be async.
        if (typeof dispatched === 'object') {
          catchRejection(dispatched, (cause) => this.#fail('connection', cause));
        }
      } catch (cause) {
        const error = createDispatcherError(cause);
        if (error) this.#finish(() => Promise.reject(error));
        else this.#fail('connection', cause);
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
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#statusText = statusText ?? '';
    this.#hasBody = this.#request?.method !== 'HEAD' && status !== 204 && status !== 304;
    this.#expected = this.#hasBody ? Number(getHeader(headers, 'content-length') ?? 0) : 0;
    if (this.#limits.stream && status < 300) this.#startStream(this.#limits.stream);
  }

  onResponseData(controller: Dispatcher.DispatchController, given: Uint8Array | string): void {
    if (!this.#stream && !this.#resolve) return;
    // undici passes Buffers, but a user's interceptor may pass other bytes or text.
    const chunk = given instanceof Buffer ? given : Buffer.from(given);
    this.#received += chunk.length;
    if (this.#stream) {
      if (!this.#stream.push(chunk)) controller.pause();
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
      const cause = new Error(
        `received ${this.#received} of ${formatCount(this.#expected, 'byte')}`,
      );
      this.onResponseError(controller, cause);
      return;
    }
    if (this.#stream) {
      this.#stream.finish();
      return;
    }
    const coding = getHeader(this.#headers, 'content-encoding');
    const codings = this.#received === 0 || coding === undefined ? [] : parseCodings(coding);
    const raw = {
      failed: false,
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers,
      body: this.#chunks,
    } as const;
    if (codings.length === 0) this.#finish(raw);
    else this.#finish(() => decodeResponse(raw, codings, this.#limits.maxBytes, this.#deadline));
  }

  onResponseError(controller: Dispatcher.DispatchController, cause: Error): void {
    const code = getMember(cause, 'code');
    if (code === 'UND_ERR_RESPONSE') {
      this.#restoreResponse(controller, cause);
    } else if (!this.#hasBody && code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      // A 304 may have the Content-Length of a 200 (RFC 9110 section 8.6), but undici rejects such
      // a 304.
      this.onResponseEnd(controller);
    } else if (this.#stream) {
      this.#stream.fail(cause);
    } else {
      this.#fail(classifyFailure(cause, this.#status > 0), cause);
    }
  }

  /** Restores the response that undici's `responseError` interceptor converted to an error. */
  #restoreResponse(controller: Dispatcher.DispatchController, cause: Error): void {
    // `as`: undici's `ResponseError` has the parsed headers.
    const headers = { ...(getMember(cause, 'headers') as RawHeaders | undefined) };
    const body = getMember(cause, 'body') ?? '';
    // The interceptor parses JSON and garbles compressed bodies.
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const isGarbled = headers['content-encoding'] !== undefined;
    delete headers['content-encoding'];
    delete headers['content-length'];
    this.onResponseStart(controller, Number(getMember(cause, 'statusCode')), headers);
    this.onResponseData(controller, isGarbled ? '' : text);
    this.onResponseEnd(controller);
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

  // An arrow function, because a closure created in the assignment to `onStop` makes V8 run full
  // garbage collections 20 times as often (measured on lists).
  readonly #stop = (): void => {
    this.#giveUp('interrupted', new Error('the caller aborted the request'));
  };

  #giveUp(kind: FailureKind, cause: Error): void {
    this.#fail(kind, cause);
    this.#controller?.abort(cause);
  }

  #fail(kind: FailureKind, reason: unknown): void {
    // An error from a user's dispatcher may have properties that throw when read.
    const cause = isError(reason) ? asError(reason) : reason;
    const failure: Failure = {
      failed: true,
      kind,
      cause,
      // undici calls onRequestStart immediately before it writes to a connected socket.
      sent: this.#controller !== undefined && parseProxyRejection(cause) === undefined,
      status: this.#status === 0 ? undefined : this.#status,
    };
    this.#finish(failure);
  }

  /** @param outcome result, or a function that creates the result and watches the deadline. */
  #finish(outcome: HttpResponse | (() => Promise<HttpResponse>)): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    this.#resolve = undefined;
    this.#deadline.onStop = undefined;
    // Close the source's file, because an early response or a failure may leave the source unread.
    this.#source?.destroy();
    resolve(typeof outcome === 'function' ? outcome() : outcome);
  }
}

async function decodeResponse(
  response: BufferedResponse,
  codings: readonly string[],
  maxBytes: number,
  deadline: Deadline,
): Promise<HttpResponse> {
  const failed = { failed: true, sent: true, status: response.status } as const;
  const decoding = decodeBody(Buffer.concat(response.body), codings, maxBytes);
  try {
    const body = await deadline.waitFor(decoding);
    if (body === undefined) return { ...failed, kind: 'interrupted', cause: undefined };
    return { ...response, body: [body] };
  } catch (cause) {
    return { ...failed, kind: classifyCodingError(cause), cause };
  }
}

/**
 * Length in characters above which an in-memory body is sent in pieces. undici restarts
 * its headers timeout with each piece. On a slow uplink, the whole body may take longer than the
 * timeout.
 */
const longPayload = 256 * 1024;

/**
 * Size in bytes of the pieces that are passed to the connection. On a slow uplink, larger pieces
 * could take longer than undici's headers timeout.
 */
const pieceSize = 128 * 1024;

/**
 * Passes an upload through in pieces and reports a stalled source. undici has a timeout for a
 * server that doesn't read, but none for a stalled source.
 */
export class SourceWatch extends Transform {
  #timer: NodeJS.Timeout | undefined;
  readonly #limit: number;
  readonly #onStall: () => void;

  /** @param limit maximum pause of the source in ms. 0 for no limit. */
  constructor(limit: number, onStall: () => void) {
    super({ highWaterMark: 1024 * 1024 });
    this.#limit = limit;
    this.#onStall = onStall;
  }

  override _read(size: number): void {
    if (this.#limit > 0) this.#timer ??= setTimeout(this.#onStall, this.#limit);
    super._read(size);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#disarm();
    for (const piece of splitIntoPieces(chunk)) this.push(piece);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#disarm();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#disarm();
    done(error);
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Splits bytes into pieces without copying them. */
export function* splitIntoPieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceSize) {
    yield bytes.subarray(start, start + pieceSize);
  }
}

/**
 * Converts a request's body to a value that undici can send, and adds the body's headers to
 * `headers`. Streams and long bodies are sent in pieces.
 * @param open the opened stream. Undefined if the body is in memory.
 * @param headers alternating names and values.
 * @param onStall called if the stream's source stalls.
 */
function prepareBody(
  body: RequestBody,
  open: OpenBody | undefined,
  headers: string[],
  { bodyTimeout }: ExchangeLimits,
  onStall: () => void,
): string | SourceWatch | undefined {
  if (open) {
    const hasType = headers.some((each, index) => index % 2 === 0 && each === 'content-type');
    if (!hasType) headers.push('content-type', open.contentType);
    if (open.length !== undefined) headers.push('content-length', String(open.length));
    const watch = new SourceWatch(bodyTimeout, onStall);
    // The callback ignores errors, because `watch` passes them to undici.
    return pipeline(open.stream, watch, () => undefined);
  }
  if (body.kind === 'stream') return undefined;
  if (body.text.length <= longPayload) return body.text;
  const bytes = Buffer.from(body.text);
  headers.push('content-length', String(bytes.length));
  const pieces = Readable.from(splitIntoPieces(bytes), { objectMode: false });
  return pipeline(pieces, new SourceWatch(0, onStall), () => undefined);
}
