import { type IncomingMessage, type RequestListener, request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createNodeListener,
  type Delivery,
  type ReceiverOptions,
} from '../../src/webhooks/index.js';
import { until } from '../support/client.js';
import { listen, secret, signed } from './webhook-receivers.js';

/** Creates a listener that records deliveries and errors. */
function recording(options: Partial<ReceiverOptions> = {}) {
  const received: Delivery[] = [];
  const errors: unknown[] = [];
  const listener = createNodeListener({
    secret,
    onDelivery: (delivery) => received.push(delivery),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { listener, received, errors };
}

/** Starts a receiver. `wrap` returns the server's listener, which runs before the receiver's. */
async function start(
  wrap: (listener: RequestListener) => RequestListener = (listener) => listener,
  options: Partial<ReceiverOptions> = {},
) {
  const { listener, ...records } = recording(options);
  const port = await listen(wrap(listener));
  const post = (init: RequestInit = signed()) => fetch(`http://127.0.0.1:${port}/hook`, init);
  return { port, post, ...records };
}

/** Starts a receiver and connects to it. */
async function open(options: Partial<ReceiverOptions> = {}) {
  const { port, received } = await start(undefined, options);
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (text += chunk.toString()));
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  return { socket, statuses, received };
}

/** Creates the head of a request. `more` are further header lines. */
function head(headers: Readonly<Record<string, string>>, more: string) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /hook HTTP/1.1\r\nhost: a\r\n${lines.join('')}${more}\r\n`;
}

/** Sends half of a body and disconnects. */
function leaveInMidBody(port: number): void {
  const headers = { ...signed().headers, 'content-length': '100' };
  const leaving = requestHttp({ port, method: 'POST', headers });
  leaving.on('error', () => undefined);
  leaving.write('half', () => leaving.destroy());
}

describe('createNodeListener', () => {
  it.each([
    [
      'a request with too long a body',
      413,
      { ...signed().headers, 'content-length': '99000000000' },
    ],
    [
      'a request without a signature',
      401,
      { 'content-type': 'application/json', 'x-service-event': 'push', 'content-length': '100' },
    ],
  ])('rejects %s before the body arrives', async (_what, status, headers) => {
    const { port, received } = await start();
    const sending = requestHttp({ port, path: '/hook', method: 'POST', headers });
    sending.on('error', () => undefined);
    onTestFinished(() => void sending.destroy());
    const response = new Promise((resolve) => {
      sending.on('response', ({ statusCode }) => resolve(statusCode));
    });
    sending.flushHeaders();
    expect(await response).toBe(status);
    expect(received).toEqual([]);
  });

  it('rejects duplicate signature headers, but keeps the connection usable', async () => {
    const { socket, statuses, received } = await open();
    const { headers, body } = signed();
    const length = `content-length: ${body.length}\r\n`;
    const other = `sha256=${'0'.repeat(64)}`;
    socket.write(head(headers, `${length}x-hub-signature-256: ${other}\r\n`) + body);
    const { 'x-hub-signature-256': right, ...rest } = headers;
    const wrongFirst = { 'x-hub-signature-256': other, ...rest };
    socket.write(head(wrongFirst, `${length}x-hub-signature-256: ${right}\r\n`) + body);
    socket.write(head(headers, length) + body);
    await until('three responses arrived', () => statuses().length === 3);
    expect(statuses()).toEqual(['401', '401', '202']);
    expect(received).toHaveLength(1);
  });

  it('accepts deliveries after a sender disconnects in the middle of a body', async () => {
    const { port, post, received, errors } = await start();
    leaveInMidBody(port);
    await until('the receiver reported an error', () => errors.length > 0);
    expect((await post()).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  it.each<[number, string, (raw: Buffer) => object]>([
    [500, 'parsed the body', (raw) => ({ body: JSON.parse(raw.toString()) })],
    [202, 'stored the body as bytes', (raw) => ({ body: raw })],
    [202, 'stored the body as text', (raw) => ({ body: raw.toString() })],
    [
      202,
      'kept the raw bytes of a parsed body',
      (raw) => ({ body: JSON.parse(raw.toString()), rawBody: raw }),
    ],
    [413, 'stored more bytes than allowed', () => ({ rawBody: Buffer.alloc(26 * 1024 * 1024) })],
  ])('responds with %i if an earlier parser %s', async (status, _what, keep) => {
    const { post, received, errors } = await start((listener) => async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      listener(Object.assign(request, keep(Buffer.concat(chunks))), response);
    });
    expect((await post()).status).toBe(status);
    expect(received).toHaveLength(status === 202 ? 1 : 0);
    if (status === 500) {
      expect(errors).toMatchObject([{ code: 'signature', reason: 'not_raw' }]);
      expect(String(errors[0])).toContain('express.raw()');
    }
  });

  it('rejects a body that was already partly read', async () => {
    const { post, errors } = await start((listener) => (request, response) => {
      request.once('data', () => {
        request.pause();
        listener(request, response);
      });
    });
    expect((await post()).status).toBe(500);
    expect(errors).toMatchObject([{ code: 'signature', reason: 'not_raw' }]);
  });

  it.each<[string, (request: IncomingMessage) => unknown]>([
    ['that earlier code paused', (request) => request.pause()],
    ['on which setEncoding() was called', (request) => request.setEncoding('utf8')],
  ])('accepts a request %s', async (_what, prepare) => {
    const { post, received } = await start((listener) => (request, response) => {
      prepare(request);
      listener(request, response);
    });
    const init = signed(undefined, 'push', { ref: 'refs/heads/🚀' });
    expect((await post(init)).status).toBe(202);
    expect(received).toHaveLength(1);
  });
});
