import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEmulator, dispatcherOver } from '../../src/testing/index.js';

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/** A dispatch handler that records the calls it receives. */
class Listener implements Handler {
  readonly calls: string[] = [];
  controller: Controller | undefined;
  onPiece: (controller: Controller) => void = () => undefined;

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    this.calls.push('start');
  }

  onResponseStart(controller: Controller, status: number): void {
    this.calls.push(`${status} ${String(controller.rawHeaders)}`);
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    this.calls.push(String(piece));
    this.onPiece(controller);
  }

  onResponseEnd(): void {
    this.calls.push('end');
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.calls.push(error.name);
  }
}

/** Creates a response whose body the test writes piece by piece. */
function written() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    respond: async () => new Response(readable, { headers: { a: '1', b: '2' } }),
    write: (text: string) => void writer.write(Buffer.from(text)).catch(() => undefined),
    end: () => void writer.close().catch(() => undefined),
  };
}

/** Waits until all promises that don't depend on the test have settled. */
async function settled(): Promise<void> {
  for (let count = 0; count < 10; count++) await turn();
}

function send(
  respond: () => Promise<Response>,
  handler: Handler,
  options: Partial<Dispatcher.DispatchOptions> = {},
): boolean {
  const request = { origin: 'http://code.test', path: '/', method: 'GET', ...options } as const;
  return dispatcherOver(respond).dispatch(request, handler);
}

const never = () => new Promise<Response>(() => {});

describe('dispatch handler', () => {
  test('a dispatch handler receives the raw headers, each chunk and the end', async () => {
    const { respond: response, write, end } = written();
    const listener = new Listener();
    expect(send(response, listener), 'more may be sent').toBe(true);
    write('x');
    write('y');
    end();
    await settled();
    expect(listener.calls).toEqual(['start', '200 A,1,B,2', 'x', 'y', 'end']);
  });

  test('a dispatch handler receives no chunks while it is paused', async () => {
    const { respond: response, write, end } = written();
    const listener = new Listener();
    listener.onPiece = (controller) => controller.pause();
    send(response, listener);
    write('x');
    write('y');
    end();
    await settled();
    expect([listener.calls.slice(2), listener.controller?.paused]).toEqual([['x'], true]);
    listener.controller?.resume();
    await settled();
    expect(listener.calls.slice(2)).toEqual(['x', 'y']);
    listener.controller?.resume();
    await settled();
    expect(listener.calls.slice(2)).toEqual(['x', 'y', 'end']);
    expect(listener.controller?.paused).toBe(false);
  });

  test('a dispatch handler receives the abort reason if it aborts the request while paused', async () => {
    const { respond: response, write } = written();
    const listener = new Listener();
    listener.onPiece = (controller) => controller.pause();
    send(response, listener);
    write('x');
    write('y');
    await settled();
    const { controller } = listener;
    expect([controller?.aborted, controller?.reason]).toEqual([false, null]);
    const left = new RangeError('left');
    controller?.abort(left);
    await settled();
    expect([controller?.aborted, controller?.reason]).toEqual([true, left]);
    expect(listener.calls.slice(2)).toEqual(['x', 'RangeError']);
  });

  test('a dispatch handler receives the abort reason if it aborts the request before the response', async () => {
    const listener = new Listener();
    send(never, listener);
    listener.controller?.abort(new RangeError('left'));
    await settled();
    expect(listener.calls).toEqual(['start', 'RangeError']);
  });

  test('a dispatch handler works without onResponseStart, onResponseData and onResponseEnd', async () => {
    const ends: string[] = [];
    const onRequestStart = () => undefined;
    const onResponseError = (_: Controller, error: Error) => ends.push(String(error));
    const onResponseEnd = () => ends.push('end');
    const respond = async () => new Response('x');
    send(respond, { onRequestStart, onResponseEnd, onResponseError });
    await settled();
    send(respond, { onRequestStart, onResponseError });
    await settled();
    expect(ends).toEqual(['end']);
  });

  test('a dispatch handler without onResponseError causes no unhandled rejection', async () => {
    const strays: unknown[] = [];
    const stray = (error: unknown) => strays.push(error);
    process.on('unhandledRejection', stray);
    const deaf = { onRequestStart: () => undefined };
    send(() => Promise.reject(new Error('broken')), deaf);
    const closed = dispatcherOver(never);
    await closed.close();
    const options = { origin: 'http://code.test', path: '/', method: 'GET' } as const;
    expect(closed.dispatch(options, deaf)).toBe(true);
    await settled();
    process.off('unhandledRejection', stray);
    expect(strays).toEqual([]);
  });
});

describe('emulator.dispatcher()', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test.each<[string, Dispatcher.DispatchOptions['body'], boolean]>([
    ['emulator.dispatcher() applies headersTimeout to a request without a body', undefined, true],
    ['emulator.dispatcher() applies headersTimeout to a request with a null body', null, true],
    ['emulator.dispatcher() applies headersTimeout to a request with a text body', 'x', true],
    [
      "emulator.dispatcher() doesn't apply headersTimeout to a request with a stream body",
      Readable.from(['x']),
      false,
    ],
  ])('%s', async (_name, body, holds) => {
    const listener = new Listener();
    send(never, listener, {
      method: 'POST',
      headersTimeout: 1000,
      ...(body !== undefined && { body }),
    });
    vi.advanceTimersByTime(1000);
    await settled();
    expect(listener.calls).toEqual(['start', ...(holds ? ['HeadersTimeoutError'] : [])]);
  });

  test('emulator.dispatcher() stops headersTimeout when the headers arrive', async () => {
    const { respond: response, write, end } = written();
    const listener = new Listener();
    send(response, listener, { headersTimeout: 1000 });
    await settled();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2000);
    write('x');
    end();
    await settled();
    expect(listener.calls.slice(2)).toEqual(['x', 'end']);
  });

  test('emulator.dispatcher() restarts bodyTimeout after each chunk', async () => {
    const { respond: response, write, end } = written();
    const listener = new Listener();
    send(response, listener, { bodyTimeout: 1000 });
    await settled();
    vi.advanceTimersByTime(900);
    write('x');
    await settled();
    vi.advanceTimersByTime(900);
    listener.onPiece = (controller) => controller.pause();
    write('y');
    end();
    await settled();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2000);
    listener.controller?.resume();
    await settled();
    expect(listener.calls.slice(2)).toEqual(['x', 'y', 'end']);
  });

  test('emulator.dispatcher() ends a stalled body with a BodyTimeoutError', async () => {
    const { respond: response, write } = written();
    const listener = new Listener();
    send(response, listener, { bodyTimeout: 1000 });
    write('x');
    await settled();
    vi.advanceTimersByTime(1000);
    await settled();
    expect(listener.calls.slice(2)).toEqual(['x', 'BodyTimeoutError']);
  });
});

test("the close() method of the emulator's dispatcher returns a promise unless it receives a callback", async () => {
  const dispatcher = createEmulator({ seed: false }).dispatcher();
  await expect(dispatcher.close()).resolves.toBeUndefined();
  await expect(dispatcher.destroy()).resolves.toBeUndefined();
  await new Promise<void>((resolve) => expect(dispatcher.close(resolve)).toBeUndefined());
});
