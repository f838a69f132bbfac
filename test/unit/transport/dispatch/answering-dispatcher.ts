import { Dispatcher } from 'undici';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';

/** A dispatched request. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  /** Headers as sent, keyed by name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A complete response, an interrupted response, or a connection failure. */
export interface Reply {
  /**
   * Status of the response. Default: 200. If `status` is omitted and `error` is set, there is no
   * response.
   */
  readonly status?: number | undefined;
  readonly headers?: RawHeaders | undefined;
  readonly body?: string | undefined;
  /** Connection error that follows the rest of the reply. */
  readonly error?: Error | undefined;
  /** Callback that receives a function to fail the response. Keeps the response open. */
  readonly ending?: ((fail: (error: Error) => void) => void) | undefined;
}

/** A reply that never arrives. The request stays pending until it is aborted. */
export const silence = 'silence';

type Answering = (sent: Sent, index: number) => Reply | typeof silence;

/** Records requests and responds as a script or a function specifies. Uses no sockets. */
export class AnsweringDispatcher extends Dispatcher {
  readonly sent: Sent[] = [];
  /** Number of `close` calls. */
  closings = 0;
  readonly #reply: Answering;

  constructor(script: readonly (Reply | typeof silence)[] | Answering) {
    super();
    // This error is never retried, so an unexpected request fails the test.
    const over = {
      error: Object.assign(new Error('the script is over'), { code: 'UND_ERR_CLOSED' }),
    };
    this.#reply =
      typeof script === 'function' ? script : (_sent, index) => script.at(index) ?? over;
  }

  override dispatch(
    { method, origin, path, headers }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const sent = { method, url: `${String(origin)}${path}`, headers: byName(headers) };
    const index = this.sent.push(sent) - 1;
    const controller = new Controller(handler);
    handler.onRequestStart?.(controller, undefined);
    const reply = this.#reply(sent, index);
    if (reply !== silence) queueMicrotask(() => controller.give(reply));
    return true;
  }

  override async close(): Promise<void> {
    this.closings++;
  }
}

class Controller implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler;
  #ended = false;
  aborted = false;
  paused = false;
  reason: Error | null = null;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  give({ status, headers = {}, body, error, ending }: Reply): void {
    if (this.#ended) return;
    if (status !== undefined || !error) {
      this.#handler.onResponseStart?.(this, status ?? 200, { ...headers }, '');
    }
    if (body !== undefined) this.#handler.onResponseData?.(this, Buffer.from(body));
    if (error) {
      this.#fail(error);
    } else if (ending) {
      ending((cause) => this.#fail(cause));
    } else {
      this.#ended = true;
      this.#handler.onResponseEnd?.(this, {});
    }
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.#fail(reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  #fail(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#handler.onResponseError?.(this, error);
  }
}

/** Converts alternating header names and values to an object. */
function byName(headers: unknown): Record<string, string> {
  if (!Array.isArray(headers)) throw new TypeError('expected names and values in turn');
  const fields: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2)
    fields[String(headers[at])] = String(headers[at + 1]);
  return fields;
}
