import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { Webhooks } from '@octokit/webhooks';
import { describe, expect, test } from 'vitest';
import {
  type Delivery,
  hookEvents,
  parseDelivery,
  SignatureError,
  signDelivery,
  verifySignature,
} from '../../src/webhooks/index.js';

const secret = 'shared secret';
const body = '{"zen":"Keep it simple. 🚀","hook_id":1}';
const sha1 = createHmac('sha1', secret).update(body).digest('hex');
const sha256 = createHmac('sha256', secret).update(body).digest('hex');

describe('verifySignature', () => {
  test.each([
    [`sha1=${sha1}`],
    [sha1],
    [`sha256=${sha256}`],
    [`SHA256=${sha256.toUpperCase()}`],
    [` sha1=${sha1} `],
  ])('accepts %s', (signature) => {
    expect(() => verifySignature({ body, signature, secret })).not.toThrow();
    expect(() => verifySignature({ body: Buffer.from(body), signature, secret })).not.toThrow();
  });

  test('any of several secrets', () => {
    const signature = `sha1=${sha1}`;
    expect(() => verifySignature({ body, signature, secret: ['new', secret] })).not.toThrow();
  });

  test.each<[string, string | undefined, string]>([
    ['no header', undefined, 'missing'],
    ['an empty header', ' ', 'missing'],
    ['another algorithm', `md5=${sha1}`, 'malformed'],
    ['too short', 'sha1=abc', 'malformed'],
    ['no hex', `sha1=${'z'.repeat(40)}`, 'malformed'],
    ['another digest', `sha1=${'0'.repeat(40)}`, 'mismatch'],
    ['the digest of the other algorithm', `sha256=${sha1}`, 'malformed'],
  ])('refuses %s', (_name, signature, problem) => {
    const attempt = () => verifySignature({ body, signature, secret });
    expect(attempt).toThrow(SignatureError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'signature', problem }));
  });

  test('a changed body and a wrong secret', () => {
    const signature = `sha1=${sha1}`;
    const mismatch = expect.objectContaining({ problem: 'mismatch' });
    expect(() => verifySignature({ body: `${body} `, signature, secret })).toThrow(mismatch);
    expect(() => verifySignature({ body, signature, secret: 'other' })).toThrow(mismatch);
  });

  test('a parsed body is told from a raw one', () => {
    const parsed = JSON.parse(body);
    const attempt = () => verifySignature({ body: parsed, signature: sha1, secret });
    expect(attempt).toThrow(expect.objectContaining({ problem: 'not_raw' }));
    expect(attempt).toThrow('bytes as they came in');
  });

  test.each([[''], [[]], [['']]])('a secret that is %j is a mistake of the caller', (none) => {
    expect(() => verifySignature({ body, signature: sha1, secret: none })).toThrow(TypeError);
  });
});

describe('beside a verifier that is not ours', () => {
  const octokit = new Webhooks({ secret });

  test('it believes what we sign', async () => {
    const signed = signDelivery({ event: 'push', payload: { ref: 'refs/heads/main' }, secret });
    const signature = signed.headers['x-hub-signature-256'] ?? '';
    await expect(octokit.verify(signed.body, signature)).resolves.toBe(true);
  });

  test('we believe what it signs', async () => {
    const signature = await octokit.sign(body);
    expect(() => verifySignature({ body, signature, secret })).not.toThrow();
  });
});

describe('parseDelivery', () => {
  const ping = {
    event: 'ping',
    payload: { zen: 'z', hook_id: 3, sender: { login: 'mona' } },
    secret,
  } as const;

  test.each(['json', 'form'] as const)('%s', (contentType) => {
    const { headers, body: raw } = signDelivery({ ...ping, contentType, id: 'guid-1' });
    const delivery = parseDelivery({ headers, body: raw, secret });
    expect(delivery).toEqual({ event: 'ping', id: 'guid-1', payload: ping.payload });
    if (delivery.event === 'ping') expect(delivery.payload.hook_id.toFixed()).toBe('3');
  });

  test('the vendor word, whatever holds the header fields', () => {
    const { headers, body: raw } = signDelivery({ ...ping, vendor: 'github' });
    expect(headers['user-agent']).toBe('Github Hookshot');
    for (const given of [headers, new Headers(headers), { ...headers, 'X-Other': ['a', 'b'] }]) {
      expect(parseDelivery({ headers: given, body: raw, secret, vendor: 'github' }).event).toBe(
        'ping',
      );
    }
    expect(() => parseDelivery({ headers, body: raw })).toThrow(
      "is the vendor word 'service' right?",
    );
  });

  test('another event keeps its name', () => {
    const { headers, body: raw } = signDelivery({
      ...ping,
      event: 'star',
      payload: { starred: 1 },
    });
    const delivery: Delivery = parseDelivery({ headers, body: raw });
    expect(delivery).toMatchObject({ event: 'other', name: 'star', payload: { starred: 1 } });
  });

  test.each<[string, string, unknown, string]>([
    ['a ping without zen', 'ping', { hook_id: 1 }, 'payload.zen'],
    ['a ping with a text as its hook', 'ping', { zen: 'z', hook_id: '1' }, 'payload.hook_id'],
    ['issues without an action', 'issues', { issue: {} }, 'payload.action'],
    ['issues without an issue', 'issues', { action: 'opened' }, 'payload.issue'],
    ['a sender that is a name', 'push', { sender: 'mona' }, 'payload.sender'],
    ['a list', 'push', [], 'payload'],
  ])('%s is refused', (_name, event, payload, field) => {
    const { headers, body: raw } = signDelivery({ event, payload, secret });
    const attempt = () => parseDelivery({ headers, body: raw });
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_request', field }));
  });

  test.each([
    ['{', 'application/json', 'payload'],
    ['other=1', 'application/x-www-form-urlencoded', 'payload'],
    ['{}', 'text/plain', 'content-type'],
    ['{}', undefined, 'content-type'],
  ])('%s as %s is refused', (raw, type, field) => {
    const headers = { 'x-service-event': 'push', 'content-type': type };
    expect(() => parseDelivery({ headers, body: raw })).toThrow(expect.objectContaining({ field }));
  });

  test('a payload named like an inherited property is only data', () => {
    const headers = { 'x-service-event': 'push', 'content-type': 'application/json' };
    parseDelivery({ headers, body: '{"__proto__":{"polluted":true}}' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

test('every real example payload parses', () => {
  const examples: readonly { name: string; examples: readonly object[] }[] = createRequire(
    import.meta.url,
  )('@octokit/webhooks-examples');
  let parsed = 0;
  for (const { name, examples: payloads } of examples) {
    for (const payload of payloads) {
      const { headers, body: raw } = signDelivery({
        event: name,
        payload,
        secret,
        vendor: 'github',
      });
      const delivery = parseDelivery({ headers, body: raw, secret, vendor: 'github' });
      const known = delivery.event === 'other' ? delivery.name : delivery.event;
      expect(known).toBe(name);
      expect(delivery.payload).toEqual(payload);
      parsed += 1;
    }
  }
  expect(parsed).toBeGreaterThan(200);
});

test('a hook is subscribed to the events of the contract, and not to ping', () => {
  expect(hookEvents).toHaveLength(20);
  expect(hookEvents).not.toContain('ping');
});
