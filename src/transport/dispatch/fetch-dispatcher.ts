import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { asError, getMember, isError } from '../../schema/unknown-values.js';
import type { RawHeaders } from '../http/headers.js';
import type { DispatcherLike, DispatchOptions } from './dispatcher.js';

type Fetch = typeof globalThis.fetch;
type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>;

/** Creates a dispatcher that sends requests with a `fetch` function instead of undici. */
export function createFetchDispatcher(fetch: Fetch): DispatcherLike {
  return {
    dispatch(options: DispatchOptions, handler: Handler) {
      void new FetchExchange().send(fetch, options, handler);
      return true;
    },
  };
}

/** One request that is sent with `fetch`. */
class FetchExchange implements Dispatcher.DispatchController {
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Resolves when the reader wants more chunks. Undefined if the response isn't paused. */
  #resumed: Promise<void> | undefined;
  #resume = () => {};

  get aborted(): boolean {
    return this.#abort.signal.aborted;
  }

  get reason(): Error | null {
    return this.aborted ? asError(this.#abort.signal.reason) : null;
  }

  get paused(): boolean {
    return this.#resumed !== undefined;
  }

  abort(reason: Error): void {
    this.#abort.abort(reason);
    this.resume();
  }

  pause(): void {
    this.#resumed ??= new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#resumed = undefined;
    this.#resume();
  }

  async send(fetch: Fetch, options: DispatchOptions, handler: Handler): Promise<void> {
    const { origin, path, headersTimeout, bodyTimeout } = options;
    try {
      handler.onRequestStart(this, {});
      this.#limitTime(headersTimeout, 'UND_ERR_HEADERS_TIMEOUT');
      const response = await fetch(`${origin}${path}`, this.#createInit(options));
      if (response.status < 200) throw new Error('fetch returned a response without a status');
      this.#limitTime(bodyTimeout, 'UND_ERR_BODY_TIMEOUT');
      handler.onResponseStart(this, response.status, readHeaders(response), response.statusText);
      for await (const chunk of response.body ?? []) {
        clearTimeout(this.#timer);
        handler.onResponseData(this, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        if (this.#resumed) await this.#resumed;
        this.#limitTime(bodyTimeout, 'UND_ERR_BODY_TIMEOUT');
      }
      this.#abort.signal.throwIfAborted();
      clearTimeout(this.#timer);
      handler.onResponseEnd(this, {});
    } catch (error) {
      clearTimeout(this.#timer);
      handler.onResponseError(this, this.reason ?? unwrapCause(error));
    }
  }

  #createInit({ method, headers, body, headersTimeout }: DispatchOptions): RequestInit {
    const fields = new Headers();
    for (let at = 0; at < headers.length; at += 2) {
      fields.append(headers[at] ?? '', headers[at + 1] ?? '');
    }
    const { signal } = this.#abort;
    const init = { method, headers: fields, redirect: 'manual', signal } as const;
    if (!(body instanceof Readable)) return { ...init, body };
    // `fetch` reports a failed body only as a failed request.
    body.once('error', (cause) => this.abort(cause));
    const source: ReadableStream<Uint8Array> = Readable.toWeb(body);
    const pieces = source.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          // undici also restarts its headers timeout with each piece.
          this.#limitTime(headersTimeout, 'UND_ERR_HEADERS_TIMEOUT');
          controller.enqueue(piece);
        },
      }),
    );
    return { ...init, body: pieces, duplex: 'half' };
  }

  /** Limits the time until the next call to this method. 0 for no limit. */
  #limitTime(ms: number, code: string): void {
    clearTimeout(this.#timer);
    if (ms === 0) return;
    this.#timer = setTimeout(() => {
      this.abort(Object.assign(new Error(`received nothing for ${ms} ms`), { code }));
    }, ms);
  }
}

/**
 * Returns a response's headers. Omits the coding and the length of a body that `fetch` has decoded.
 */
function readHeaders({ headers }: Response): RawHeaders {
  const read: Record<string, string | string[]> = Object.fromEntries(headers);
  if (headers.has('content-encoding')) {
    delete read['content-encoding'];
    delete read['content-length'];
  }
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) read['set-cookie'] = cookies;
  return read;
}

/** Returns the cause of `TypeError: fetch failed`, because only the cause has a code. */
function unwrapCause(error: unknown): Error {
  const cause = getMember(error, 'cause');
  return isError(cause) ? cause : asError(error);
}
