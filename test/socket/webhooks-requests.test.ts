import { describe, expect, test } from 'vitest';
import { signDelivery } from '../../src/webhooks/index.js';
import { payload, receiverBy, secret, signed, ways } from './webhook-receivers.js';

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
  ])('the receiver rejects %s', async (_what, init, status) => {
    const { post, received } = await receiver();
    const response = await post(init);
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(received).toEqual([]);
    const text = await response.text();
    expect(text).toMatch(/\w/);
    expect(text).not.toContain(secret);
  });

  test('the receiver names a missing payload field in its response', async () => {
    const { post } = await receiver();
    const response = await post(signed(undefined, 'ping', {}));
    expect(await response.text()).toContain('payload.zen');
  });

  test('the receiver sends a text body with every response', async () => {
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

  test('the receiver accepts a delivery signed only with SHA-1', async () => {
    const { method, headers, body } = signed();
    const { 'x-hub-signature-256': _stronger, ...older } = headers;
    const { post, received } = await receiver();
    expect((await post({ method, headers: older, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  test('the receiver reports rejected requests with their status', async () => {
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

  test('the receiver reports an unsupported media type with 415 and an oversized body with 413', async () => {
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

  test('the receiver does not report a GET to onError', async () => {
    const { post, errors } = await receiver();
    expect((await post({ method: 'GET' })).status).toBe(405);
    expect(errors).toEqual([]);
  });

  test('the receiver accepts a body of maxBodyBytes, and responds with 413 to a longer body', async () => {
    const init = signed();
    const { post, received } = await receiver({ maxBodyBytes: init.body.length });
    expect((await post(init)).status).toBe(202);
    const longer = signed(undefined, 'push', { ...payload, x: 1 });
    expect((await post(longer)).status).toBe(413);
    expect(received).toHaveLength(1);
  });

  test('the receiver responds with 413 if a body of unknown length exceeds maxBodyBytes', async () => {
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

  test('the receiver accepts a form-encoded delivery', async () => {
    const { post, received } = await receiver({ vendor: 'github' });
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

  test('the receiver accepts unsigned deliveries if `secret` is false', async () => {
    const { headers, body } = signDelivery({ event: 'push', payload });
    const { post, received } = await receiver({ secret: false });
    expect((await post({ method: 'POST', headers, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });
});
