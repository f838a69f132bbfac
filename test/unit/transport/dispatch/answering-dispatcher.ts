import { Dispatcher } from 'undici';
import type { RawHeaders } from '../../../../src/transport/http/header-fields.js';

/** A request as it was dispatched. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  /** By name, as they were given. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What comes back: an answer, a failure, or an answer that breaks off. */
export interface Reply {
  /** Default 200; left out together with an `error`, no answer begins. */
  readonly status?: number | undefined;
  readonly headers?: RawHeaders | undefined;
  readonly body?: string | undefined;
  /** What the connection fails with, after what else is given. */
  readonly error?: Error | undefined;
  /** Leaves the answer open, and is told how to break it off. */
  readonly ending?: ((fail: (error: Error) => void) => void) | undefined;
}

/** Nothing comes until the request is aborted. */
export const silence = 'silence';

type Answering = (sent: Sent, index: number) => Reply | typeof silence;

/** Answers each request from a script, or by a function, and remembers what was sent. No sockets. */
export class AnsweringDispatcher extends Dispatcher {
  readonly sent: Sent[] = [];
  /** How often it was closed. */
  closings = 0;
  readonly #answer: Answering;

  constructor(script: readonly (Reply | typeof silence)[] | Answering) {
    super();
    // Nobody sends again what fails like this: a test sees the request too many.
    const over = {
      error: Object.assign(new Error('the script is over'), { code: 'UND_ERR_CLOSED' }),
    };
    this.#answer =
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
    const reply = this.#answer(sent, index);
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

/** Names and values in turn, as the transport gives them. */
function byName(headers: unknown): Record<string, string> {
  if (!Array.isArray(headers)) throw new TypeError('expected names and values in turn');
  const fields: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2)
    fields[String(headers[at])] = String(headers[at + 1]);
  return fields;
}
