import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { OpenBody, StreamBody } from '../../../../src/transport/request/body.js';
import { turns } from '../../../support/client.js';
import { attempt, ScriptedDispatcher } from '../scripted-dispatcher.js';

const accept = ['accept', 'application/json'];
const long = 256 * 1024;

/** Creates a body that opens `stream`. */
function streamed(stream: Readable, more: Partial<OpenBody> = {}): StreamBody {
  const open = { stream, contentType: 'image/png', length: undefined, ...more };
  return { kind: 'stream', replayable: false, open: () => Promise.resolve(open) };
}

/** Creates a source that has no data until the test pushes some. */
const silent = () => new Readable({ read: () => undefined });

describe('dispatched requests', () => {
  it('an attempt passes its timeouts to the dispatcher', () => {
    const { dispatcher } = attempt({ limits: { headersTimeout: 5, bodyTimeout: 7 } });
    expect(dispatcher.options).toStrictEqual({
      origin: 'https://code.example.com',
      path: '/api/v3/user',
      method: 'GET',
      headers: accept,
      body: null,
      headersTimeout: 5,
      bodyTimeout: 7,
    });
  });

  it.each(['text', 'form'] as const)(
    'an attempt passes a %s body of up to 256 KiB unchanged',
    (kind) => {
      const content = 'x'.repeat(long);
      const { dispatcher } = attempt({
        request: { body: { kind, text: content, contentType: 'text/plain' } },
      });
      expect(dispatcher.options.body === content).toBe(true);
      expect(dispatcher.options.headers).toEqual(accept);
    },
  );

  it('an attempt passes a binary body of up to 256 KiB unchanged', () => {
    const bytes = new Uint8Array(long);
    const { dispatcher } = attempt({
      request: { body: { kind: 'bytes', bytes, contentType: 'image/png' } },
    });
    expect(dispatcher.options.body).toBe(bytes);
    expect(dispatcher.options.headers).toEqual(accept);
  });

  it('an attempt streams text over 256 KiB and sends its UTF-8 length as content-length', async () => {
    const content = `€${'x'.repeat(long)}`;
    const { dispatcher } = attempt({
      request: { body: { kind: 'text', text: content, contentType: 'text/plain' } },
    });
    expect(dispatcher.options.headers).toEqual([...accept, 'content-length', String(long + 3)]);
    expect(dispatcher.sentStream.readableObjectMode).toBe(false);
    expect((await text(dispatcher.sentStream)) === content).toBe(true);
  });

  it('an attempt splits bytes over 256 KiB into chunks of 128 KiB', async () => {
    const bytes = Buffer.alloc(long + 1, 'y');
    const { dispatcher } = attempt({
      request: { body: { kind: 'bytes', bytes, contentType: 'image/png' } },
    });
    expect(dispatcher.options.headers).toEqual([...accept, 'content-length', String(long + 1)]);
    expect(dispatcher.sentStream.readableObjectMode).toBe(false);
    const pieces: Buffer[] = [];
    // undici also reads the stream through its events.
    dispatcher.sentStream.on('data', (piece: Buffer) => pieces.push(piece));
    await once(dispatcher.sentStream, 'end');
    expect(pieces.map((piece) => piece.length)).toEqual([long / 2, long / 2, 1]);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });
});

describe('stream bodies', () => {
  const sent = async (headers: readonly string[], length: number | undefined) => {
    const { dispatcher } = attempt({
      request: { headers, body: streamed(Readable.from([Buffer.from('bytes')]), { length }) },
    });
    await turns(1);
    return { headers: dispatcher.options.headers, content: await text(dispatcher.sentStream) };
  };

  it('an attempt sends a stream body with its content type and length', async () => {
    expect(await sent(accept, 5)).toEqual({
      headers: [...accept, 'content-type', 'image/png', 'content-length', '5'],
      content: 'bytes',
    });
  });

  it("an attempt omits the Content-Length header if the stream's length is unknown", async () => {
    const typed = [...accept, 'content-type', 'image/png'];
    expect((await sent(accept, 0)).headers).toEqual([...typed, 'content-length', '0']);
    expect((await sent(accept, undefined)).headers).toEqual(typed);
  });

  it('an attempt prefers the content type in the request headers', async () => {
    const first = ['content-type', 'text/csv', ...accept];
    const last = [...accept, 'content-type', 'text/csv'];
    expect((await sent(first, undefined)).headers).toEqual(first);
    expect((await sent(last, undefined)).headers).toEqual(last);
  });

  it('an attempt does not mistake the header value "content-type" for a header name', async () => {
    const headers = ['x-note', 'content-type', 'content-type', 'text/csv'];
    expect((await sent(headers.slice(0, 2), undefined)).headers).toEqual([
      'x-note',
      'content-type',
      'content-type',
      'image/png',
    ]);
    expect((await sent(headers, undefined)).headers).toEqual(headers);
  });

  it("an attempt doesn't dispatch the request if the stream can't be opened", async () => {
    const cause = new Error('no such file');
    const body: StreamBody = {
      kind: 'stream',
      replayable: true,
      open: () => Promise.reject(cause),
    };
    const { dispatcher, outcome } = attempt({ request: { body } });
    await expect(outcome).rejects.toBe(cause);
    expect(dispatcher.dispatched).toEqual([]);
  });

  it('an attempt closes the source if a response arrives before the body is sent', async () => {
    const source = silent();
    const { dispatcher, outcome } = attempt({ request: { body: streamed(source) } });
    await turns(1);
    dispatcher.start().head(413).end();
    expect(await outcome).toMatchObject({ failed: false, status: 413 });
    await turns(2);
    expect(dispatcher.sentStream.destroyed).toBe(true);
    expect(source.destroyed).toBe(true);
  });
});

describe('timeouts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('the total timeout pauses until the request body has been sent', async () => {
    const deadline = new Deadline([], 100);
    const source = silent();
    const { dispatcher, outcome } = attempt({ deadline, request: { body: streamed(source) } });
    await turns(1);
    dispatcher.start();
    vi.advanceTimersByTime(1000);
    expect(deadline.interruption).toBeUndefined();
    source.push(null);
    await text(dispatcher.sentStream);
    await turns(2);
    expect(deadline.timeLeft).toBe(100);
    vi.advanceTimersByTime(99);
    expect(deadline.interruption).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(deadline.interruption).toEqual({ kind: 'total', limit: 100 });
    expect(await outcome).toMatchObject({ kind: 'interrupted', sent: true });
  });

  it('the body timeout ends an attempt with a stalled source', async () => {
    const source = silent();
    const { dispatcher, outcome } = attempt({
      limits: { bodyTimeout: 1000 },
      request: { body: streamed(source) },
    });
    await turns(1);
    dispatcher.start().sentStream.resume();
    await turns(1);
    vi.advanceTimersByTime(999);
    expect(dispatcher.controller.aborts).toEqual([]);
    vi.advanceTimersByTime(1);
    const cause = new Error('the source of the request body stalled');
    expect(dispatcher.controller.aborts).toStrictEqual([cause]);
    expect(await outcome).toStrictEqual({
      failed: true,
      kind: 'timeout_body',
      cause,
      sent: true,
      reused: false,
      status: undefined,
    });
    await turns(2);
    expect(source.destroyed).toBe(true);
  });

  it('the body timeout ends an attempt before a connection is established', async () => {
    const { dispatcher, outcome } = attempt({
      limits: { bodyTimeout: 1000 },
      request: { body: streamed(silent()) },
    });
    await turns(1);
    dispatcher.sentStream.resume();
    await turns(1);
    vi.advanceTimersByTime(1000);
    expect(await outcome).toMatchObject({ kind: 'timeout_body', sent: false });
    expect(dispatcher.controller.aborts).toEqual([]);
  });

  it('the total timeout ends an attempt before a connection is established', async () => {
    const deadline = new Deadline([], 100);
    const { dispatcher, outcome } = attempt({ deadline });
    vi.advanceTimersByTime(100);
    expect(await outcome).toMatchObject({ kind: 'interrupted', sent: false });
    expect(dispatcher.controller.aborts).toEqual([]);
  });
});

describe('dispatch() errors', () => {
  it('a failure has sent: false if dispatch() throws', async () => {
    const cause = new TypeError('invalid header');
    class Refusing extends ScriptedDispatcher {
      override dispatch(): boolean {
        throw cause;
      }
    }
    const source = silent();
    const { outcome } = attempt({
      dispatcher: new Refusing(),
      request: { body: streamed(source) },
    });
    const failure = await outcome;
    expect(failure).toStrictEqual({
      failed: true,
      kind: 'connection',
      cause,
      sent: false,
      reused: false,
      status: undefined,
    });
    await turns(2);
    expect(source.destroyed).toBe(true);
  });
});
