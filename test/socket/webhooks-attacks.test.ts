import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNodeListener, type Delivery, verifySignature } from '../../src/webhooks/index.js';
import { until, watchRejections } from '../support/client.js';
import { listen, receiverBy, secret, signed, ways } from './webhook-receivers.js';

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
  ])('verifySignature() rejects %s', (_what, signature) => {
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
  ])('verifySignature() accepts a secret with %s, alone and in a list', (_what, key) => {
    const signature = `sha256=${hmac('sha256', key)}`;
    verifySignature({ body, signature, secret: key });
    verifySignature({ body, signature, secret: ['other', key] });
    expect(() => verifySignature({ body, signature, secret: `${key}x` })).toThrow();
  });
});

describe.each(ways)('%s', (_name, start) => {
  const receiver = receiverBy(start);
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
  ])('the receiver responds with %i to %s', async (status, _what, init) => {
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
  ])('the receiver responds with 400 if a signed body is %s', async (_what, bytes) => {
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

  it('the receiver handles a redelivery if the handler failed after the 202', async () => {
    let calls = 0;
    const { post, errors } = await receiver({
      respond: { within: 1 },
      onDelivery: async () => {
        calls++;
        await new Promise((resolve) => setTimeout(resolve, 30));
        if (calls === 1) throw new Error('late');
      },
    });
    expect((await post(signed('a'))).status).toBe(202);
    await until('the failure was reported', () => errors.length === 1);
    expect((await post(signed('a'))).status).toBe(202);
    await until('it was handled again', () => calls === 2);
  });
});

describe('createNodeListener', () => {
  async function open(received: Delivery[]) {
    const listener = createNodeListener({
      secret,
      onDelivery: (delivery) => received.push(delivery),
      onError: () => undefined,
    });
    const socket = connect(await listen(listener), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => (text += chunk.toString()));
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    return { socket, statuses };
  }
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');

  it('createNodeListener rejects duplicate signature headers, but keeps the connection usable', async () => {
    const received: Delivery[] = [];
    const { socket, statuses } = await open(received);
    const { headers, body: sent } = signed();
    const head = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${sent.length}\r\n`;
    const second = `x-hub-signature-256: sha256=${'0'.repeat(64)}\r\n`;
    socket.write(`${head}${lines(headers)}${second}\r\n${sent}`);
    socket.write(`${head}${second}${lines(headers)}\r\n${sent}`);
    socket.write(`${head}${lines(headers)}\r\n${sent}`);
    await until('all were answered', () => statuses().length === 3);
    expect(statuses()).toEqual(['401', '401', '202']);
    expect(received).toHaveLength(1);
  });

  it('createNodeListener accepts a body that is sent byte by byte', async () => {
    const received: Delivery[] = [];
    const { socket, statuses } = await open(received);
    const { headers, body: sent } = signed();
    socket.setNoDelay(true);
    socket.write(
      `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${sent.length}\r\n${lines(headers)}\r\n`,
    );
    for (const byte of sent) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until('it was answered', () => statuses().length === 1);
    expect(statuses()).toEqual(['202']);
    expect(received).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['a length that is too short', 'content-length: 3\r\n'],
    ['a negative length', 'content-length: -1\r\n'],
    ['two lengths', 'content-length: 3\r\ncontent-length: 4\r\n'],
    ['a length and chunks', 'content-length: 3\r\ntransfer-encoding: chunked\r\n'],
  ])('createNodeListener rejects a request with %s', async (_what, length) => {
    const rejections = watchRejections();
    const received: Delivery[] = [];
    const { socket, statuses } = await open(received);
    const { headers, body: sent } = signed();
    socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${length}${lines(headers)}\r\n${sent}`);
    await until('it was answered', () => statuses().length > 0);
    expect(statuses()[0]).toMatch(/^40[01]$/);
    expect(received).toEqual([]);
    expect(await rejections()).toEqual([]);
  });
});
