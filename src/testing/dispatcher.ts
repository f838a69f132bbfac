// Imports only parts of undici, because importing all of it would replace the global agent that
// `fetch` uses.

import type { Dispatcher } from 'undici';
import errors from 'undici/lib/core/errors.js';
import { asError } from '../schema/unknown-values.js';
import { DispatcherBase } from './dispatcher-base.js';
import { rawHeaders } from './header-names.js';
import type { Handler } from './node-server.js';
import { buildTarget, type Outgoing, toRequest } from './outgoing.js';
import { findWireFault, readPieces, TruncatedBodyError } from './wire-faults.js';

/**
 * Creates an undici dispatcher that responds in process, without a socket, and enforces each
 * request's timeouts.
 */
export function dispatcherOver(respond: Handler): Dispatcher {
  let closed = false;
  const end = async () => {
    closed = true;
  };
  // The interceptor below handles every request, so the base's `dispatch` is never called.
  const base = new DispatcherBase({ dispatch: () => true }, { close: end, destroy: end });
  // `compose` adapts the old handler interface, which `undici.request` and `fetch` use.
  return base.compose(() => (options, handler) => {
    const controller = new Controller();
    const aborted = controller.waitUntilAborted();
    const ended = closed
      ? Promise.reject(new errors.ClientClosedError())
      : respondInProcess(respond, options, handler, controller);
    // Drops a response or an error that arrives after an abort.
    Promise.race([ended, aborted])
      .finally(() => controller.stopTimeout())
      .catch((cause: unknown) => handler.onResponseError?.(controller, asError(cause)));
    return true;
  });
}

class Controller implements Dispatcher.DispatchController {
  readonly #left = new AbortController();
  paused = false;
  rawHeaders: string[] | null = null;
  #resume: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  get aborted(): boolean {
    return this.#left.signal.aborted;
  }

  get reason(): Error | null {
    return this.aborted ? asError(this.#left.signal.reason) : null;
  }

  get signal(): AbortSignal {
    return this.#left.signal;
  }

  abort(reason: Error): void {
    this.#left.abort(reason);
    this.#resume?.();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.#resume?.();
  }

  /** Waits until the reader resumes or aborts. */
  async waitUntilResumed(): Promise<void> {
    while (this.paused && !this.aborted) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
  }

  /**
   * Rejects with the abort reason when the reader or a timeout aborts the request. Never resolves.
   */
  waitUntilAborted(): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason));
    });
  }

  /**
   * Starts a timeout that aborts the request, as an undici agent does.
   * @param limit Timeout in ms. 0, null and undefined disable the timeout.
   */
  startTimeout(limit: number | null | undefined, TimeoutError: new () => Error): void {
    if (limit) this.#timer = setTimeout(() => this.abort(new TimeoutError()), limit);
  }

  stopTimeout(): void {
    clearTimeout(this.#timer);
  }
}

async function respondInProcess(
  respond: Handler,
  options: Outgoing,
  handler: Dispatcher.DispatchHandler,
  controller: Controller,
): Promise<void> {
  handler.onRequestStart?.(controller, null);
  controller.signal.throwIfAborted();
  const request = toRequest(options, controller.signal);
  // The headers timeout doesn't apply to a streamed request body, because the sender may produce it
  // slowly.
  const whole = typeof options.body !== 'object' || options.body === null;
  controller.startTimeout(whole ? options.headersTimeout : 0, errors.HeadersTimeoutError);
  const response = await respond(request, buildTarget(options));
  controller.stopTimeout();
  controller.signal.throwIfAborted();
  const fault = findWireFault(response);
  if (fault?.kind === 'reset' || response.type === 'error') {
    throw new errors.SocketError('other side closed');
  }
  if (fault?.kind === 'refuse') {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }
  if (fault?.kind === 'malformed') {
    throw new errors.HTTPParserError('Response does not match the HTTP/1.1 protocol');
  }
  controller.rawHeaders = rawHeaders(response.headers);
  handler.onResponseStart?.(
    controller,
    response.status,
    toHeaderRecord(response),
    response.statusText,
  );
  try {
    controller.startTimeout(options.bodyTimeout, errors.BodyTimeoutError);
    for await (const piece of readPieces(response, controller.signal)) {
      controller.stopTimeout();
      await controller.waitUntilResumed();
      controller.signal.throwIfAborted();
      const { buffer, byteOffset, length } = piece;
      handler.onResponseData?.(controller, Buffer.from(buffer, byteOffset, length));
      controller.startTimeout(options.bodyTimeout, errors.BodyTimeoutError);
    }
  } catch (error) {
    throw error instanceof TruncatedBodyError ? new errors.SocketError('other side closed') : error;
  }
  controller.stopTimeout();
  await controller.waitUntilResumed();
  controller.signal.throwIfAborted();
  handler.onResponseEnd?.(controller, {});
}

function toHeaderRecord(response: Response): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  return headers;
}
