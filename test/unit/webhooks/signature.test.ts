import { createHmac } from 'node:crypto';
import { Webhooks } from '@octokit/webhooks';
import { describe, expect, test } from 'vitest';
import { SignatureError, signDelivery, verifySignature } from '../../../src/webhooks/index.js';

const secret = 'shared secret';
const body = '{"zen":"Keep it simple. 🚀","hook_id":1}';
const sha1 = createHmac('sha1', secret).update(body).digest('hex');
const sha256 = createHmac('sha256', secret).update(body).digest('hex');

describe('verifySignature()', () => {
  test.each([
    [`sha1=${sha1}`],
    [sha1],
    [sha256],
    [`sha256=${sha256}`],
    [`SHA256=${sha256.toUpperCase()}`],
    [` sha1=${sha1} `],
  ])('accepts the signature "%s"', (signature) => {
    const bytes = new TextEncoder().encode(body);
    for (const raw of [body, Buffer.from(body), bytes, bytes.buffer]) {
      expect(() => verifySignature({ body: raw, signature, secret })).not.toThrow();
    }
  });

  test('accepts a known HMAC-SHA-1 of the body', () => {
    const signature = 'sha1=de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9';
    const message = 'The quick brown fox jumps over the lazy dog';
    expect(() => verifySignature({ body: message, signature, secret: 'key' })).not.toThrow();
  });

  test('accepts a signature made with any of several secrets', () => {
    const signature = `sha1=${sha1}`;
    for (const rotated of [['new', secret], [secret, 'old'], [secret]]) {
      expect(() => verifySignature({ body, signature, secret: rotated })).not.toThrow();
    }
  });

  test('verifies only the stronger of two signatures', () => {
    const wrong = { sha1: `sha1=${'0'.repeat(40)}`, sha256: `sha256=${'0'.repeat(64)}` };
    const verify = (...signature: (string | undefined)[]) =>
      verifySignature({ body, signature, secret });
    expect(() => verify(wrong.sha1, `sha256=${sha256}`)).not.toThrow();
    expect(() => verify('sha1=malformed', `sha256=${sha256}`)).not.toThrow();
    expect(() => verify('malformed', sha256)).not.toThrow();
    expect(() => verify(`sha1=${sha1}`, undefined)).not.toThrow();
    for (const [problem, ...given] of [
      ['mismatch', `sha1=${sha1}`, wrong.sha256],
      ['malformed', 'sha256=', `sha1=${sha1}`],
      ['missing', undefined, undefined],
    ]) {
      expect(() => verify(...given)).toThrow(
        expect.objectContaining({ code: 'signature', reason: problem }),
      );
    }
  });

  test.each<[string, string | undefined, string]>([
    ['a missing header', undefined, 'missing'],
    ['an empty header', ' ', 'missing'],
    ['an unsupported algorithm', `md5=${sha1}`, 'malformed'],
    ['an algorithm without a digest', 'sha1=', 'malformed'],
    ['a digest that is too short', 'sha1=abc', 'malformed'],
    ['a digest that is too long', `sha1=${sha1}00`, 'malformed'],
    ["a digest that isn't hexadecimal", `sha1=${'z'.repeat(40)}`, 'malformed'],
    ['a digest with an invalid first digit', `sha1=g${sha1.slice(1)}`, 'malformed'],
    ['a digest with an invalid last digit', `sha1=${sha1.slice(0, -1)}g`, 'malformed'],
    ['a missing algorithm', `=${sha1}`, 'malformed'],
    ['two joined signatures', `sha1=${sha1}, sha1=${sha1}`, 'malformed'],
    ['a wrong digest', `sha1=${'0'.repeat(40)}`, 'mismatch'],
    ['a SHA-1 digest labeled as sha256', `sha256=${sha1}`, 'malformed'],
  ])('rejects %s', (_name, signature, problem) => {
    const attempt = () => verifySignature({ body, signature, secret });
    expect(attempt).toThrow(SignatureError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'signature', reason: problem }));
    expect(attempt).not.toThrow(secret);
  });

  test('rejects a changed body and a wrong secret', () => {
    const signature = `sha1=${sha1}`;
    const mismatch = expect.objectContaining({ reason: 'mismatch' });
    expect(() => verifySignature({ body: `${body} `, signature, secret })).toThrow(mismatch);
    expect(() => verifySignature({ body, signature, secret: 'other' })).toThrow(mismatch);
    expect(() => verifySignature({ body: '', signature, secret })).toThrow(mismatch);
  });

  test.each([[JSON.parse(body)], [[1]], [undefined], [null], [7]])(
    'rejects the parsed body %j with the reason not_raw',
    (parsed) => {
      const attempt = () => verifySignature({ body: parsed, signature: sha1, secret });
      expect(attempt).toThrow(expect.objectContaining({ reason: 'not_raw' }));
      expect(attempt).toThrow('bytes');
    },
  );

  test('rejects an unknown option', () => {
    const misspelt = { body, signature: sha1, secret, algorithm: 'sha256' };
    expect(() => verifySignature(misspelt)).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: 'algorithm' }),
    );
  });

  test.each([[''], [[]], [['']], [[secret, '']], [[secret, 7]], [undefined], [7]])(
    'throws a ConfigurationError for the secret %j',
    (given) => {
      // `as`: callers without types can pass anything.
      const none = given as string;
      expect(() => verifySignature({ body, signature: sha1, secret: none })).toThrow(
        expect.objectContaining({ code: 'configuration', option: 'secret' }),
      );
    },
  );
});

describe('@octokit/webhooks', () => {
  const octokit = new Webhooks({ secret });

  test.each(['json', 'form'] as const)(
    'accepts a signature from signDelivery() for a %s body',
    async (contentType) => {
      const payload = { ref: 'refs/heads/main', text: '🚀 & =' };
      const signed = signDelivery({ event: 'push', payload, secret, contentType });
      const signature = signed.headers['x-hub-signature-256'] ?? '';
      await expect(octokit.verify(signed.body, signature)).resolves.toBe(true);
      await expect(octokit.verify(`${signed.body} `, signature)).resolves.toBe(false);
    },
  );

  test('creates a signature that verifySignature() accepts', async () => {
    const signature = await octokit.sign(body);
    expect(() => verifySignature({ body, signature, secret })).not.toThrow();
    expect(() => verifySignature({ body: `${body} `, signature, secret })).toThrow(
      expect.objectContaining({ reason: 'mismatch' }),
    );
  });
});

describe('signDelivery()', () => {
  test('creates the delivery and signature headers', () => {
    const { headers, body: raw } = signDelivery({ event: 'push', payload: {}, secret, id: 'guid' });
    expect(raw).toBe('{}');
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Service Hookshot',
      'x-service-event': 'push',
      'x-service-delivery': 'guid',
      'x-hub-signature': expect.stringMatching(/^sha1=[0-9a-f]{40}$/),
      'x-hub-signature-256': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
  });

  test('omits the signature if no secret is passed', () => {
    const { headers } = signDelivery({ event: 'push', payload: {} });
    expect(headers['x-hub-signature']).toBeUndefined();
    expect(headers['x-hub-signature-256']).toBeUndefined();
  });

  test('creates a new delivery ID for each delivery', () => {
    const [one, other] = [1, 2].map(() => signDelivery({ event: 'push', payload: {} }).headers);
    expect(one?.['x-service-delivery']).toMatch(/./);
    expect(one?.['x-service-delivery']).not.toBe(other?.['x-service-delivery']);
  });

  test('names the invalid input in its error', () => {
    const attempt = (delivery: object) => () =>
      signDelivery({ event: 'push', payload: {}, ...delivery });
    expect(attempt({ payload: undefined })).toThrow(expect.objectContaining({ field: 'payload' }));
    expect(attempt({ secret: '' })).toThrow(expect.objectContaining({ option: 'secret' }));
    expect(attempt({ vendor: 'a b' })).toThrow(expect.objectContaining({ option: 'vendor' }));
    expect(attempt({ secrets: 'x' })).toThrow(expect.objectContaining({ field: 'secrets' }));
  });

  test.each<[object, RegExp]>([
    [{ vendor: 'a b' }, /^vendor: .* \(got "a b"\)$/],
    [{ vendor: 5 }, /^vendor: .* \(got 5\)$/],
  ])('describes the invalid part of %j in its error', (invalid, message) => {
    const delivery = { event: 'push', payload: {}, ...invalid };
    expect(() => signDelivery(delivery)).toThrow(message);
  });
});
