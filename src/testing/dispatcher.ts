import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { wireFaultOf } from './faults.js';
import type { Answer } from './node-server.js';

/** What undici lets an answer come through: its `Dispatcher` class, loaded when it is needed. */
type DispatcherClass = new () => Dispatcher;

/** An undici dispatcher that answers in process, without a socket. */
export async function dispatcherOver(answer: Answer): Promise<Dispatcher> {
  const { Dispatcher: Base } = (await import('undici')) as { Dispatcher: DispatcherClass };
  const inner = new Base();
  // Handlers of `undici.request` and `fetch` are of the old kind; `compose` wraps them for us.
  return inner.compose(() => (options, handler) => {
    answerInProcess(answer, options, handler).catch((cause: unknown) => {
      handler.onResponseError?.(
        new Controller(),
        cause instanceof Error ? cause : new Error(String(cause)),
      );
    });
    return true;
  });
}

class Controller implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders: string[] | null = null;
  onAbort: (() => void) | undefined;
  onResume: (() => void) | undefined;

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.onAbort?.();
    this.onResume?.();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.onResume?.();
  }
}

async function answerInProcess(
  answer: Answer,
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): Promise<void> {
  const controller = new Controller();
  const stopped = new Promise<'stopped'>((resolve) => {
    controller.onAbort = () => resolve('stopped');
  });
  handler.onRequestStart?.(controller, null);
  const fail = (error: Error) => handler.onResponseError?.(controller, error);
  const given = controller.aborted
    ? 'stopped'
    : await Promise.race([answer(await toRequest(options), options.path), stopped]);
  if (given === 'stopped') {
    fail(controller.reason ?? new Error('aborted'));
    return;
  }
  const fault = wireFaultOf(given);
  if (fault?.kind === 'reset') {
    fail(socketError());
    return;
  }
  const headers = Object.fromEntries(given.headers);
  controller.rawHeaders = Object.entries(headers).flat();
  handler.onResponseStart?.(controller, given.status, headers, given.statusText);
  let body = Buffer.from(await given.arrayBuffer());
  if (fault) body = body.subarray(0, fault.bytes ?? Math.floor(body.length / 2));
  for (let start = 0; start < body.length && !controller.aborted; start += 65_536) {
    if (controller.paused) {
      await new Promise<void>((resolve) => {
        controller.onResume = resolve;
      });
    }
    handler.onResponseData?.(controller, body.subarray(start, start + 65_536));
  }
  if (controller.aborted) fail(controller.reason ?? new Error('aborted'));
  else if (fault) fail(socketError());
  else handler.onResponseEnd?.(controller, {});
}

function socketError(): Error {
  return Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
}

async function toRequest(options: Dispatcher.DispatchOptions): Promise<Request> {
  const url = new URL(options.path, String(options.origin));
  for (const [name, value] of Object.entries(options.query ?? {})) {
    url.searchParams.append(name, String(value));
  }
  const { method } = options;
  const headers = headersOf(options.headers);
  if (method === 'GET' || method === 'HEAD' || !options.body) {
    return new Request(url, { method, headers });
  }
  const { body } = options;
  if (typeof body === 'string' || body instanceof Uint8Array) {
    return new Request(url, { method, headers, body: Buffer.from(body) });
  }
  if (body instanceof Readable) {
    const stream = Readable.toWeb(body) as ReadableStream<Uint8Array>;
    return new Request(url, { method, headers, body: stream, duplex: 'half' });
  }
  throw new TypeError('expected a body of text, bytes or a Readable');
}

function headersOf(given: Dispatcher.DispatchOptions['headers']): Headers {
  const headers = new Headers();
  if (!given) return headers;
  if (Array.isArray(given)) {
    const flat = given.flat();
    for (let index = 0; index + 1 < flat.length; index += 2) {
      headers.append(String(flat[index]), String(flat[index + 1]));
    }
    return headers;
  }
  const pairs = Symbol.iterator in given ? given : Object.entries(given);
  for (const [name, value] of pairs) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) headers.append(name, String(each));
    }
  }
  return headers;
}
