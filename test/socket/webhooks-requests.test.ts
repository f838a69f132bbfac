import { request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createFetchHandler,
  createNodeListener,
  type Delivery,
  signDelivery,
} from '../../src/webhooks/index.js';
import { until, watchRejections } from '../support/client.js';
import { listen, payload, receiverBy, secret, signed, ways } from './webhook-receivers.js';

describe.each(ways)('%s', (_name, start) => {
  const receiver = receiverBy(start);

  test.each<[string, RequestInit, number]>([
    [
      'a missing signature',
      { ...signed(), headers: { 'content-type': 'application/json', 'x-service-event': 'push' } },
      401,
    ],
    [
      'a malformed signature',
      {
        ...signed(),
        headers: { ...signed().headers, 'x-hub-signature': 'x', 'x-hub-signature-256': '' },
      },
      401,
    ],
    ['a changed body', { ...signed(), body: '{}' }, 401],
    [
      'an unsupported media type',
      { ...signed(), headers: { ...signed().headers, 'content-type': 'text/xml' } },
      415,
    ],
    [
      'a missing event header',
      { ...signed(), headers: { ...signed().headers, 'x-service-event': '' } },
      400,
    ],
    ['a ping without its fields', signed(undefined, 'ping', {}), 400],
    ['a GET', { method: 'GET' }, 405],
    ['a PUT', { ...signed(), method: 'PUT' }, 405],
  ])('rejects %s', async (_what, init, status) => {
    const { post, received } = await receiver();
    const response = await post(init);
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(received).toEqual([]);
    const text = await response.text();
    expect(text).toMatch(/\w/);
    expect(text).not.toContain(secret);
  });

  test('names a missing payload field in the response', async () => {
    const { post } = await receiver();
    const response = await post(signed(undefined, 'ping', {}));
    expect(await response.text()).toContain('payload.zen');
  });

  test('sends a text body with every response', async () => {
    const { post } = await receiver({
      maxBodyBytes: 1000,
      onDelivery: ({ id }) => {
        if (id === 'bad') throw new Error('broke');
      },
    });
    const long = { ...signed(), body: 'x'.repeat(1001) };
    const expected: [RequestInit, number][] = [
      [signed('good'), 202],
      [signed('good'), 202],
      [signed('bad'), 500],
      [long, 413],
      [{ ...signed(), body: '{}' }, 401],
    ];
    for (const [init, status] of expected) {
      const response = await post(init);
      expect(response.status).toBe(status);
      expect(await response.text()).toMatch(/\w/);
    }
  });

  test('accepts a delivery signed with SHA-1 only', async () => {
    const { method, headers, body } = signed();
    const { 'x-hub-signature-256': _stronger, ...older } = headers;
    const { post, received } = await receiver();
    expect((await post({ method, headers: older, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  test('rejects a delivery whose content type differs from the contentType option', async () => {
    const { post, received } = await receiver({ contentType: 'form' });
    const refused = await post(signed());
    expect(refused.status).toBe(415);
    expect(await refused.text()).toContain('form');
    expect(received).toEqual([]);
    const { headers, body } = signDelivery({ event: 'push', payload, secret, contentType: 'form' });
    expect((await post({ method: 'POST', headers, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  test('reports rejected requests with their status', async () => {
    const { post, errors, contexts } = await receiver();
    await post({ ...signed(), body: '{}' });
    await post(signed(undefined, 'ping', {}));
    expect(errors).toMatchObject([
      { code: 'signature', reason: 'mismatch' },
      { code: 'invalid_request', field: 'payload.zen' },
    ]);
    expect(contexts).toEqual([
      { status: 401, delivery: undefined },
      { status: 400, delivery: undefined },
    ]);
  });

  test('reports an unsupported media type with 415 and an oversized body with 413', async () => {
    const { post, errors, contexts } = await receiver({ maxBodyBytes: 1000 });
    const xml = { ...signed().headers, 'content-type': 'text/xml' };
    await post({ ...signed(), headers: xml });
    await post({ ...signed(), body: 'x'.repeat(1001) });
    const body = new Blob(['x'.repeat(1001)]).stream();
    await post({ ...signed(), body, duplex: 'half' });
    expect(errors).toMatchObject([
      { code: 'invalid_request', field: 'content-type' },
      { code: 'invalid_request', field: 'body' },
      { code: 'invalid_request', field: 'body' },
    ]);
    expect(contexts).toEqual([
      { status: 415, delivery: undefined },
      { status: 413, delivery: undefined },
      { status: 413, delivery: undefined },
    ]);
  });

  test('does not report a request that is not a POST', async () => {
    const { post, errors } = await receiver();
    expect((await post({ method: 'GET' })).status).toBe(405);
    expect(errors).toEqual([]);
  });

  test('accepts a body of maxBodyBytes, and responds with 413 to a longer body', async () => {
    const init = signed();
    const { post, received } = await receiver({ maxBodyBytes: init.body.length });
    expect((await post(init)).status).toBe(202);
    const longer = signed(undefined, 'push', { ...payload, x: 1 });
    expect((await post(longer)).status).toBe(413);
    expect(received).toHaveLength(1);
  });

  test('responds with 413 if a body of unknown length exceeds maxBodyBytes', async () => {
    const { post, received } = await receiver({ maxBodyBytes: 1000 });
    let sent = 0;
    const body = new ReadableStream({
      async pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1000));
        if (sent === 500) controller.close();
      },
    });
    const init: RequestInit = { ...signed(), body, duplex: 'half' };
    expect((await post(init)).status).toBe(413);
    expect(received).toEqual([]);
  });

  test('accepts a form delivery', async () => {
    const { post, received } = await receiver({ vendor: ['service', 'github'] });
    const { headers, body } = signDelivery({
      event: 'push',
      payload,
      secret,
      contentType: 'form',
      vendor: 'github',
    });
    expect((await post({ method: 'POST', headers, body })).status).toBe(202);
    expect(received[0]?.payload).toEqual(payload);
  });

  test('accepts unsigned deliveries if `secret` is false', async () => {
    const { headers, body } = signDelivery({ event: 'push', payload });
    const { post, received } = await receiver({ secret: false });
    expect((await post({ method: 'POST', headers, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });
});

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
    ['a body that is too long', 413, { ...signed().headers, 'content-length': '99000000000' }],
    [
      'a request without a signature',
      401,
      { 'content-type': 'application/json', 'x-service-event': 'push', 'content-length': '100' },
    ],
  ])('rejects %s before the body arrives', async (_what, status, headers) => {
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

  test('merges the chunks of a body that is sent one byte at a time', async () => {
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

  test('keeps the connection open after rejecting a body that is too long', async () => {
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

  test('accepts deliveries after a sender disconnects in the middle of a body', async () => {
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
  ])('responds with %i if an earlier parser %s', async (status, _what, keep) => {
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

  test('accepts a stored body of maxBodyBytes', async () => {
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

  test('rejects a body that was already partly read', async () => {
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

  test('reports a sender that disconnected before the request arrived', async () => {
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

  test('handles the delivery even if other code sends the response', async () => {
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

  test('accepts a request on which setEncoding was called', async () => {
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

test('createFetchHandler reports that the body was already read', async () => {
  const errors: unknown[] = [];
  const handle = createFetchHandler({
    secret,
    onDelivery: () => {},
    onError: (error) => errors.push(error),
  });
  const request = new Request('http://receiver.test/', signed());
  await request.json();
  expect((await handle(request)).status).toBe(500);
  expect(errors).toMatchObject([{ reason: 'not_raw' }]);
});

test('createFetchHandler responds with 400 to an unreadable body and hides the error', async () => {
  const errors: unknown[] = [];
  const handle = createFetchHandler({
    secret,
    onDelivery: () => {},
    onError: (error) => errors.push(error),
  });
  const body = new ReadableStream({
    start: (controller) => controller.error(new Error('the socket of 10.0.0.7 broke')),
  });
  const init: RequestInit = { ...signed(), body, duplex: 'half' };
  const response = await handle(new Request('http://receiver.test/', init));
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/^(?!.*10\.0).*\w/);
  expect(errors).toEqual([new Error('the socket of 10.0.0.7 broke')]);
});

test('createFetchHandler rejects a POST without a body', async () => {
  const errors: unknown[] = [];
  const handle = createFetchHandler({
    secret: false,
    onDelivery: () => {},
    onError: (error) => errors.push(error),
  });
  const { headers } = signed();
  const response = await handle(new Request('http://receiver.test/', { method: 'POST', headers }));
  expect(response.status).toBe(400);
  expect(errors).toMatchObject([{ code: 'invalid_request', field: 'payload' }]);
});
