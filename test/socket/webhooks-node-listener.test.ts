import { request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createNodeListener, type Delivery } from '../../src/webhooks/index.js';
import { until, watchRejections } from '../support/client.js';
import { listen, secret, signed } from './webhook-receivers.js';

/** Sends half of a body and disconnects. */
function leaveInMidBody(port: number): void {
  const { headers } = signed();
  const leaving = requestHttp({
    port,
    method: 'POST',
    headers: { ...headers, 'content-length': '100' },
  });
  leaving.on('error', () => undefined);
  leaving.write('half', () => leaving.destroy());
}

describe('createNodeListener', () => {
  const receive = (received: Delivery[], errors: unknown[] = []) =>
    createNodeListener({
      secret,
      onDelivery: (delivery) => received.push(delivery),
      onError: (error) => errors.push(error),
    });

  test.each([
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
  ])('createNodeListener rejects %s before the body arrives', async (_what, status, headers) => {
    const received: Delivery[] = [];
    const sending = requestHttp({
      port: await listen(receive(received)),
      path: '/hook',
      method: 'POST',
      headers,
    });
    sending.on('error', () => undefined);
    onTestFinished(() => {
      sending.destroy();
    });
    const response = new Promise((resolve) => {
      sending.on('response', ({ statusCode }) => resolve(statusCode));
    });
    sending.flushHeaders();
    expect(await response).toBe(status);
    expect(received).toEqual([]);
  });

  test('createNodeListener merges the chunks of a body that is sent one byte at a time', async () => {
    const sizes: number[] = [];
    const collected = Buffer.concat;
    const spy = vi.spyOn(Buffer, 'concat').mockImplementation((list, length) => {
      sizes.push(list.length);
      return collected.call(Buffer, list, length);
    });
    onTestFinished(() => spy.mockRestore());
    const received: Delivery[] = [];
    const socket = connect(await listen(receive(received)), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const { headers, body } = signed();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST / HTTP/1.1\r\nhost: a\r\n${lines.join('')}transfer-encoding: chunked\r\n\r\n`,
    );
    socket.write(`${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`);
    await until('it was received', () => received.length === 1);
    expect(Math.max(0, ...sizes), 'merged chunks').toBeLessThan(body.length);
  });

  test('createNodeListener keeps the connection open after rejecting a body that is too long', async () => {
    const received: Delivery[] = [];
    const listener = createNodeListener({
      secret,
      maxBodyBytes: 1000,
      onDelivery: (delivery) => received.push(delivery),
    });
    const port = await listen(listener);
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    let response = '';
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString();
    });
    const raw = (body: string, headers: Readonly<Record<string, string>>) =>
      `POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${body}`;
    const { headers, body } = signed();
    socket.write(raw('x'.repeat(200_000), headers) + raw(body, headers));
    await until('both were answered', () => (response.match(/HTTP\/1\.1/g) ?? []).length === 2);
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 202']);
    expect(received).toHaveLength(1);
  });

  test('createNodeListener accepts deliveries after a sender disconnects in the middle of a body', async () => {
    const received: Delivery[] = [];
    const errors: unknown[] = [];
    const port = await listen(receive(received, errors));
    leaveInMidBody(port);
    await until('it was noticed', () => errors.length > 0);
    const response = await fetch(`http://127.0.0.1:${port}/`, signed());
    expect(response.status).toBe(202);
    expect(received).toHaveLength(1);
  });

  test.each<[number, string, (raw: Buffer) => object]>([
    [500, 'parsed the body', (raw) => ({ body: JSON.parse(raw.toString()) })],
    [500, 'discarded the body', () => ({})],
    [202, 'stored the body as bytes', (raw) => ({ body: raw })],
    [202, 'stored the body as text', (raw) => ({ body: raw.toString() })],
    [
      202,
      'kept the raw bytes of a parsed body',
      (raw) => ({ body: JSON.parse(raw.toString()), rawBody: raw }),
    ],
    [413, 'stored more bytes than allowed', () => ({ rawBody: Buffer.alloc(26 * 1024 * 1024) })],
  ])('createNodeListener responds with %i if an earlier parser %s', async (status, _what, keep) => {
    const received: Delivery[] = [];
    const errors: unknown[] = [];
    const listener = receive(received, errors);
    const port = await listen(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      Object.assign(request, keep(Buffer.concat(chunks)));
      listener(request, response);
    });
    expect((await fetch(`http://127.0.0.1:${port}/`, signed())).status).toBe(status);
    expect(received).toHaveLength(status === 202 ? 1 : 0);
    if (status === 500) {
      expect(errors).toMatchObject([{ code: 'signature', reason: 'not_raw' }]);
      expect(String(errors[0])).toContain('express.raw()');
    }
  });

  test('createNodeListener accepts a stored body of maxBodyBytes', async () => {
    const received: Delivery[] = [];
    const init = signed();
    const listener = createNodeListener({
      secret,
      maxBodyBytes: init.body.length,
      onDelivery: (delivery) => received.push(delivery),
    });
    const port = await listen((request, response) => {
      listener(Object.assign(request, { rawBody: init.body }), response);
    });
    expect((await fetch(`http://127.0.0.1:${port}/`, init)).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  test('createNodeListener rejects a body that was already partly read', async () => {
    const errors: unknown[] = [];
    const listener = receive([], errors);
    const port = await listen((request, response) => {
      request.once('data', () => {
        request.pause();
        listener(request, response);
      });
    });
    expect((await fetch(`http://127.0.0.1:${port}/`, signed())).status).toBe(500);
    expect(errors).toMatchObject([{ code: 'signature', reason: 'not_raw' }]);
  });

  test('createNodeListener reports an error if the sender disconnects before the listener is called', async () => {
    const errors: unknown[] = [];
    const listener = receive([], errors);
    const port = await listen((request, response) => {
      request.on('error', () => undefined);
      request.on('close', () => listener(request, response));
    });
    leaveInMidBody(port);
    await until('it was noticed', () => errors.length > 0);
    expect(errors).toEqual([expect.any(Error)]);
  });

  test('createNodeListener handles the delivery even if other code sends the response', async () => {
    const rejections = watchRejections();
    const received: Delivery[] = [];
    const listener = receive(received);
    const port = await listen((request, response) => {
      listener(request, response);
      response.emit('error', new Error('the sender is gone'));
      response.writeHead(504).end();
    });
    expect((await fetch(`http://127.0.0.1:${port}/`, signed())).status).toBe(504);
    await until('it was handled', () => received.length === 1);
    expect(await rejections()).toEqual([]);
  });

  test('createNodeListener accepts a request that earlier code paused', async () => {
    const received: Delivery[] = [];
    const listener = receive(received);
    const port = await listen((request, response) => {
      request.pause();
      listener(request, response);
    });
    const { headers, body } = signed();
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    expect(response.status).toBe(202);
    expect(received).toHaveLength(1);
  });

  test('createNodeListener accepts a request on which setEncoding() was called', async () => {
    const received: Delivery[] = [];
    const listener = receive(received);
    const port = await listen((request, response) => {
      request.setEncoding('utf8');
      listener(request, response);
    });
    const init = signed(undefined, 'push', { ref: 'refs/heads/🚀' });
    expect((await fetch(`http://127.0.0.1:${port}/`, init)).status).toBe(202);
    expect(received).toHaveLength(1);
  });
});
