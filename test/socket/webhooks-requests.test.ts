import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Webhooks } from '@octokit/webhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import {
  createNodeListener,
  type Delivery,
  type ErrorContext,
  signDelivery,
  verifySignature,
} from '../../src/webhooks/index.js';
import { listening } from '../support/server.js';
import { payload, receiverBy, secret, signed, ways } from './webhook-receivers.js';

const body = '{"ref":"refs/heads/main"}';
const hmac = (algorithm: string, key = secret, text: string | Buffer = body) =>
  createHmac(algorithm, key).update(text).digest('hex');

describe('verifySignature()', () => {
  it.each<[string, string | undefined]>([
    ['a SHA-512 digest', `sha512=${hmac('sha512')}`],
    ['a digest without its last digit', `sha256=${hmac('sha256').slice(0, -1)}`],
    ['a digest truncated to its first byte', `sha256=${hmac('sha256').slice(0, 2)}`],
    ['two digests joined by a comma', `sha256=${hmac('sha256')},sha256=${hmac('sha256')}`],
    ['a space before the digest', `sha256= ${hmac('sha256')}`],
    ['a digest in fullwidth digits', `sha1=${'０'.repeat(40)}`],
    ['a digest followed by a line break', `sha1=${hmac('sha1')}\n0`],
    ['a Base64 digest', `sha1=${createHmac('sha1', secret).update(body).digest('base64')}`],
    [
      'the digest of an empty secret',
      `sha256=${createHmac('sha256', '').update(body).digest('hex')}`,
    ],
    ['a missing digest', 'sha256='],
    ['a digest after two equals signs', `sha256==${hmac('sha256')}`],
  ])('rejects %s', (_what, signature) => {
    expect(() => verifySignature({ body, signature, secret })).toThrow(
      expect.objectContaining({ code: 'signature' }),
    );
  });

  it.each([
    ['umlauts', 'pässwörd'],
    ['emoji', '🚀🚀'],
    ['a null character', 'a\0b'],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['spaces at both ends', ' spaces '],
  ])('accepts a secret with %s, alone and in a list', (_what, key) => {
    const signature = `sha256=${hmac('sha256', key)}`;
    verifySignature({ body, signature, secret: key });
    verifySignature({ body, signature, secret: ['other', key] });
    expect(() => verifySignature({ body, signature, secret: `${key}x` })).toThrow();
  });
});

describe.each(ways)('%s', (_name, start) => {
  const receiver = receiverBy(start);

  it.each<[string, RequestInit, number, string?]>([
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
    ['a ping without its fields', signed(undefined, 'ping', {}), 400, 'payload.zen'],
    ['a GET', { method: 'GET' }, 405],
    ['a PUT', { ...signed(), method: 'PUT' }, 405],
  ])('rejects %s', async (_what, init, status, names) => {
    const { post, received } = await receiver();
    const response = await post(init);
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(received).toEqual([]);
    const text = await response.text();
    expect(text).toMatch(/\w/);
    expect(text).not.toContain(secret);
    if (names) expect(text).toContain(names);
  });

  it('sends a text body with every response', async () => {
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

  it('accepts a delivery signed only with SHA-1', async () => {
    const { method, headers, body } = signed();
    const { 'x-hub-signature-256': _stronger, ...older } = headers;
    const { post, received } = await receiver();
    expect((await post({ method, headers: older, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  it('reports rejected requests with their status', async () => {
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

  it('reports an unsupported media type with 415 and an oversized body with 413', async () => {
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

  it('does not report a GET to onError', async () => {
    const { post, errors } = await receiver();
    expect((await post({ method: 'GET' })).status).toBe(405);
    expect(errors).toEqual([]);
  });

  it('accepts a body of maxBodyBytes, and responds with 413 to a longer body', async () => {
    const init = signed();
    const { post, received } = await receiver({ maxBodyBytes: init.body.length });
    expect((await post(init)).status).toBe(202);
    const longer = signed(undefined, 'push', { ...payload, x: 1 });
    expect((await post(longer)).status).toBe(413);
    expect(received).toHaveLength(1);
  });

  it('responds with 413 if a body of unknown length exceeds maxBodyBytes', async () => {
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

  it('accepts a form-encoded delivery', async () => {
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

  it('accepts unsigned deliveries if `secret` is false', async () => {
    const { headers, body } = signDelivery({ event: 'push', payload });
    const { post, received } = await receiver({ secret: false });
    expect((await post({ method: 'POST', headers, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  const form = (text: string) => ({
    method: 'POST',
    body: text,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-service-event': 'push',
      'x-hub-signature-256': `sha256=${hmac('sha256', secret, text)}`,
    },
  });

  it.each<[number, string, RequestInit]>([
    [400, 'a form with two payloads', form('payload=%7B%7D&payload=%7B%22a%22%3A1%7D')],
    [400, 'a form with a field before the payload', form('a=1&payload=%7B%7D')],
    [400, 'a form with an encoded field name', form('%70ayload=%7B%7D')],
    [400, 'an empty form', form('')],
    [400, 'a form with invalid UTF-8', form('payload=%ff')],
    [400, 'a form whose payload is an array', form('payload=%5B%5D')],
    [202, 'a form whose payload is an object', form('payload=%7B%22ref%22%3A%22a%22%7D')],
  ])('responds with %i to %s', async (status, _what, init) => {
    const { post } = await receiver();
    expect((await post(init)).status).toBe(status);
  });

  it.each<[string, string | Buffer]>([
    ['compressed', gzipSync(body)],
    ['null', 'null'],
    ['a number', '1'],
    ['two JSON documents', '{}{}'],
    ['only a byte-order mark', '\ufeff'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a million brackets', '['.repeat(1_000_000)],
    ['a million objects', '{"sender":'.repeat(1_000_000)],
    [
      'a delivery with a deeply nested sender',
      `{"sender":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
    ],
  ])('responds with 400 if a signed body is %s', async (_what, bytes) => {
    const { post, received } = await receiver();
    const headers = {
      ...signed().headers,
      'x-hub-signature': '',
      'x-hub-signature-256': `sha256=${hmac('sha256', secret, Buffer.from(bytes))}`,
    };
    const response = await post({ method: 'POST', headers, body: Buffer.from(bytes) });
    expect(response.status).toBe(400);
    expect(received).toEqual([]);
  });
});

/** Starts a receiver and creates an emulator hook that delivers to the receiver. */
async function world(contentType: 'json' | 'form', vendor: string) {
  const received: Delivery[] = [];
  const refused: [unknown, ErrorContext][] = [];
  const server = createServer(
    createNodeListener({
      secret,
      vendor,
      onDelivery: (delivery) => received.push(delivery),
      onError: (error, context) => refused.push([error, context]),
    }),
  );
  const { origin } = await listening(server);
  const url = `${origin}/hook`;
  const emulator = createEmulator({ vendor });
  const { hostingUrl } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const hooks = `${hostingUrl}repos/${seeded.owner}/${seeded.repo}/hooks`;
  const post = async (path: string, body: object = {}) =>
    await fetch(`${hooks}${path}`, {
      method: 'POST',
      headers: { authorization: `token ${seeded.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const config = { url, content_type: contentType, secret };
  const created = await post('', { name: 'web', events: ['push'], config });
  const id: unknown = Reflect.get(Object(await created.json()), 'id');
  await post(`/${id}/tests`);
  await post(`/${id}/pings`);
  await emulator.hosting.deliveriesSettled();
  return { emulator, received, refused, id };
}

it.each([
  ['json', 'service'],
  ['form', 'service'],
  ['json', 'github'],
] as const)(
  "createNodeListener accepts the emulator's %s deliveries with the vendor '%s'",
  async (contentType, vendor) => {
    const { emulator, received, refused, id } = await world(contentType, vendor);
    expect(refused).toEqual([]);
    const { deliveries } = emulator.hosting;
    expect(deliveries.map(({ event }) => event)).toEqual(['ping', 'push', 'ping']);
    expect(deliveries.map(({ status }) => status)).toEqual([202, 202, 202]);
    // Each delivery uses a separate connection, so deliveries may overtake each other.
    const arrived = new Map(received.map((each) => [each.id, each.event]));
    expect(arrived).toEqual(new Map(deliveries.map((each) => [each.id, each.event])));
    const ping = received.find((each) => each.event === 'ping');
    expect(ping?.payload).toMatchObject({ zen: expect.any(String), hook_id: id });
    const push = received.find((each) => each.event === 'push');
    expect(push?.payload).toMatchObject({
      ref: expect.stringMatching(/^refs\//),
      repository: { name: seeded.repo },
      sender: { login: seeded.login },
    });
  },
);

it("a third-party verifier accepts the emulator's deliveries", async () => {
  const { emulator } = await world('json', 'service');
  const octokit = new Webhooks({ secret });
  for (const { body, headers } of emulator.hosting.deliveries) {
    const signature = headers['X-Hub-Signature-256'] ?? '';
    await expect(octokit.verify(body, signature)).resolves.toBe(true);
  }
  expect(emulator.hosting.deliveries).toHaveLength(3);
});
