import { createRequire } from 'node:module';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { ref } from '../../../src/schema/model.js';
import { payloadModel } from '../../../src/webhooks/delivery.js';
import {
  type Delivery,
  hookEvents,
  type ParseInput,
  type PingPayload,
  parseDelivery,
} from '../../../src/webhooks/index.js';
import { objectsOf } from '../../contract/schema-reader.js';
import { signDelivery } from '../../support/sign-delivery.js';
import { about } from '../about.js';

const secret = 'shared secret';
const ping = {
  event: 'ping',
  payload: { zen: 'z', hook_id: 3, sender: { login: 'mona' } },
  secret,
} as const;

describe('parseDelivery()', () => {
  test.each(['json', 'form'] as const)(
    'parses a signed delivery in the format %s',
    (contentType) => {
      const { headers, body } = signDelivery({ ...ping, contentType, id: 'guid-1' });
      const delivery = parseDelivery({ headers, body, secret });
      expect(delivery).toEqual({ event: 'ping', id: 'guid-1', payload: ping.payload });
      if (delivery.event !== 'ping') throw new Error(`expected a ping, got ${delivery.event}`);
      expectTypeOf(delivery.payload).toEqualTypeOf<PingPayload>();
      expect(delivery.payload.hook_id.toFixed()).toBe('3');
    },
  );

  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/vnd.service.v3+json',
  ])('parses a delivery with the content type %s', (type) => {
    const signed = signDelivery(ping);
    const headers = { ...signed.headers, 'content-type': type };
    expect(parseDelivery({ headers, body: Buffer.from(signed.body) }).event).toBe('ping');
  });

  test('rejects signed JSON that is sent as a form', () => {
    const evil = encodeURIComponent(JSON.stringify({ ...ping.payload, hook_id: 666 }));
    const payload = { ...ping.payload, body: `&payload=${evil}&` };
    const { headers, body } = signDelivery({ ...ping, payload });
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    expect(() => parseDelivery({ headers: form, body, secret })).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: 'payload' }),
    );
  });

  test.each(['', 'payload=%7B%7D&payload=%7B%7D', 'payload=%7B%7D&a=1'])(
    'rejects the form %j, because a form must contain one `payload` field and nothing else',
    (body) => {
      const headers = {
        'x-service-event': 'watch',
        'content-type': 'application/x-www-form-urlencoded',
      };
      expect(() => parseDelivery({ headers, body })).toThrow(
        expect.objectContaining({ code: 'invalid_request', field: 'payload' }),
      );
    },
  );

  test("reads the vendor's headers in any letter case", () => {
    const { headers, body } = signDelivery({ ...ping, vendor: 'GitHub', id: 'guid' });
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const given of [headers, new Headers(headers), { ...headers, absent: undefined }, upper]) {
      for (const vendor of ['github', 'GitHub']) {
        const delivery = parseDelivery({ headers: given, body, secret, vendor });
        expect(delivery).toMatchObject({ event: 'ping', id: 'guid' });
      }
    }
  });

  test("names the delivery's vendor in the error if the `vendor` option differs", () => {
    const { headers, body } = signDelivery({ ...ping, vendor: 'github' });
    for (const given of [headers, new Headers(headers)]) {
      expect(() => parseDelivery({ headers: given, body, secret })).toThrow(
        expect.objectContaining({
          field: 'x-service-event',
          message: about('x-service-event', /x-github-event is present\. Set vendor: 'github'\.$/),
        }),
      );
    }
    expect(() => parseDelivery({ headers: {}, body })).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: 'x-service-event' }),
    );
    for (const vendor of ['', 'two words']) {
      expect(() => parseDelivery({ headers, body, vendor })).toThrow(
        expect.objectContaining({ code: 'configuration', option: 'vendor' }),
      );
    }
  });

  test.each([undefined, null, 'x-service-event: push'])('rejects the headers %j', (headers) => {
    // `as`: callers without types can pass anything.
    const input = { headers, body: '{}' } as unknown as Parameters<typeof parseDelivery>[0];
    expect(() => parseDelivery(input)).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: 'headers' }),
    );
  });

  test('keeps the name of an unknown event', () => {
    const { headers, body } = signDelivery({ ...ping, event: 'star', payload: { starred: 1 } });
    const delivery: Delivery = parseDelivery({ headers, body });
    expect(delivery).toMatchObject({ event: 'other', name: 'star', payload: { starred: 1 } });
    if (delivery.event === 'other') expectTypeOf(delivery.name).toBeString();
    for (const event of ['other', '*', 'constructor', '__proto__', 'Push']) {
      const odd = signDelivery({ event, payload: {} });
      expect(parseDelivery(odd)).toMatchObject({ event: 'other', name: event });
    }
  });

  test.each<[string, string, unknown, string]>([
    ['a ping without zen', 'ping', { hook_id: 1 }, 'payload.zen'],
    ['an issues event without an action', 'issues', { issue: {} }, 'payload.action'],
    ['an issues event without an issue', 'issues', { action: 'opened' }, 'payload.issue'],
    ['a sender without a name', 'watch', { sender: { id: 1 } }, 'payload.sender.login'],
    ['an unknown event whose sender is a name', 'star', { sender: 'mona' }, 'payload.sender'],
    ['a payload that is a list', 'push', [], 'payload'],
  ])('rejects %s', (_name, event, payload, field) => {
    const { headers, body } = signDelivery({ event, payload, secret });
    const attempt = () => parseDelivery({ headers, body });
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_request', field }));
    expect(attempt).toThrow(`${event}: ${field}: `);
    expect(attempt).toThrow(/expected (string|number|object|record|array)/);
  });

  test.each([
    ['{', 'application/json', 'payload'],
    ['payload=%7B', 'application/x-www-form-urlencoded', 'payload'],
    ['{}', 'text/plain', 'content-type'],
    ['{}', 'text/service+json', 'content-type'],
    ['{}', undefined, 'content-type'],
  ])('rejects the body %j with the content type %j', (body, type, field) => {
    const headers = { 'x-service-event': 'push', 'content-type': type };
    expect(() => parseDelivery({ headers, body })).toThrow(expect.objectContaining({ field }));
  });

  test('rejects a delivery with invalid UTF-8', () => {
    const headers = { 'x-service-event': 'push', 'content-type': 'application/json' };
    const odd = Buffer.from([0x7b, 0xff, 0x7d]);
    expect(() => parseDelivery({ headers, body: odd })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        field: 'payload',
        message: about('payload', /UTF-8/),
      }),
    );
    expect(parseDelivery({ headers, body: '\uFEFF{}' }).event).toBe('push');
  });

  test('rejects a parsed body with the reason not_raw', () => {
    const { headers } = signDelivery(ping);
    // `as`: simulates a body parser, which replaces the body with an object.
    const body = ping.payload as unknown as string;
    for (const options of [{ secret }, {}]) {
      expect(() => parseDelivery({ headers, body, ...options })).toThrow(
        expect.objectContaining({ code: 'signature', reason: 'not_raw' }),
      );
    }
  });

  test('throws a ConfigurationError for an unset webhook secret', () => {
    const signed = signDelivery(ping);
    // `as`: simulates a caller whose `process.env.SECRET` is unset.
    const unset = { ...signed, secret: undefined } as unknown as ParseInput;
    for (const input of [unset, { ...signed, secret: '' }]) {
      expect(() => parseDelivery(input)).toThrow(
        expect.objectContaining({ code: 'configuration', option: 'secret' }),
      );
    }
    expect(parseDelivery({ ...signed, secret: false }).event).toBe('ping');
  });

  test('rejects a missing or wrong signature', () => {
    const { headers, body } = signDelivery({ ...ping, secret: undefined });
    expect(() => parseDelivery({ headers, body, secret })).toThrow(
      expect.objectContaining({ reason: 'missing' }),
    );
    const forged = signDelivery({ ...ping, secret: 'guessed' });
    expect(() => parseDelivery({ ...forged, secret })).toThrow(
      expect.objectContaining({ reason: 'mismatch' }),
    );
    const older = Object.fromEntries(
      Object.entries(signDelivery(ping).headers).filter(([name]) => !name.endsWith('-256')),
    );
    expect(parseDelivery({ headers: older, body, secret }).event).toBe('ping');
  });

  test('keeps a payload field named __proto__ as data', () => {
    const headers = { 'x-service-event': 'push', 'content-type': 'application/json' };
    const { payload } = parseDelivery({ headers, body: '{"__proto__":{"polluted":true}}' });
    expect(Object.hasOwn(payload, '__proto__')).toBe(true);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

test('parseDelivery() parses every example payload in @octokit/webhooks-examples', () => {
  const examples: readonly { name: string; examples: readonly object[] }[] = createRequire(
    import.meta.url,
  )('@octokit/webhooks-examples');
  let parsed = 0;
  const known = new Set<string>();
  for (const { name, examples: payloads } of examples) {
    for (const payload of payloads) {
      const contentType = parsed % 2 === 0 ? 'json' : 'form';
      const signed = signDelivery({ event: name, payload, secret, vendor: 'github', contentType });
      const delivery = parseDelivery({ ...signed, secret, vendor: 'github' });
      expect(delivery.event === 'other' ? delivery.name : delivery.event).toBe(name);
      expect(delivery.payload).toEqual(payload);
      if (delivery.event !== 'other') known.add(name);
      parsed += 1;
    }
  }
  expect(parsed).toBeGreaterThan(200);
  // The examples contain all events of the contract.
  expect(known).toEqual(new Set(hookEvents.slice(1)));
});

/** Fields of every event. */
const common = [
  ...['sender', 'repository', 'organization'],
  ...['id', 'type', 'url', 'html_url', 'avatar_url'].map((name) => `sender.${name}`),
  ...['id', 'name', 'full_name', 'owner', 'private', 'fork', 'url', 'html_url'].map(
    (name) => `repository.${name}`,
  ),
  'repository.default_branch',
  ...['login', 'name', 'id', 'email'].map((name) => `repository.owner.${name}`),
];

/** Valid values of the required fields, keyed by event. */
const base: Readonly<Record<string, object>> = {
  ping: { zen: 'z', hook_id: 3 },
  issues: { action: 'opened', issue: {} },
};

/** Creates a payload with `[1]`, which is invalid for every field, at a path. */
function wrongAt(path: string): object {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { [first]: [1] };
  return { [first]: { ...(first === 'sender' && { login: 'mona' }), ...wrongAt(rest.join('.')) } };
}

describe('payload models', () => {
  test.each(common)('parseDelivery() rejects a wrong type in %s', (path) => {
    expect(() => parseDelivery(signDelivery({ event: 'push', payload: wrongAt(path) }))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        field: expect.stringMatching(`^payload\\.${path}(\\.0)?$`),
      }),
    );
  });

  test.each([
    ['push', ['ref', 'commits', 'head_commit', 'action']],
    ['pull_request', ['number', 'pull_request', 'action']],
  ])('the %s payload accepts any type in an unspecified field', (event, names) => {
    for (const wrong of [5, 'text', null, [1], { a: 1 }]) {
      const payload = Object.fromEntries(names.map((name) => [name, wrong]));
      expect(parseDelivery(signDelivery({ event, payload })).payload).toEqual(payload);
    }
  });

  test.each(hookEvents.filter((event) => event !== '*'))(
    'the %s payload accepts null in every optional attribute',
    (event) => {
      const fields = objectsOf(ref(payloadModel(event))).flatMap(({ _zod }) =>
        Object.keys(_zod.def.shape),
      );
      expect(fields.length).toBeGreaterThanOrEqual(3);
      const blank = Object.fromEntries(fields.map((name) => [name, null]));
      const payload = { ...blank, ...base[event] };
      expect(parseDelivery(signDelivery({ event, payload })).payload).toEqual(payload);
    },
  );
});
