import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SignatureError, verifySignature } from '../../../src/webhooks/index.js';

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
    ['a digest that is too short', 'sha1=abc', 'malformed'],
    ['a digest that is too long', `sha1=${sha1}00`, 'malformed'],
    ["a digest that isn't hexadecimal", `sha1=${'z'.repeat(40)}`, 'malformed'],
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
