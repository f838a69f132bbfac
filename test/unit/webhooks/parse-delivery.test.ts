import { createRequire } from 'node:module';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { ref } from '../../../src/schema/model.js';
import { payloadModel } from '../../../src/webhooks/delivery.js';
import {
  createFetchHandler,
  type Delivery,
  type HookEvent,
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
    'application/json ; charset=utf-8',
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

  test.each([
    '',
    'other=1',
    'payload=%7B%7D&payload=%7B%7D',
    'payload=%7B%7D&a=1',
    'payload=%7B%7D&',
    'payload',
  ])(
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

  test("doesn't suggest a vendor if the headers contain no other vendor's event", () => {
    const { headers, body } = signDelivery(ping);
    const near = { 'y-x-acme-event': 'push', 'x-acme-events': 'push', 'x-service-event': '' };
    for (const given of [{ ...headers, 'x-service-event': '' }, near, {}]) {
      const attempt = () => parseDelivery({ headers: given, body, vendor: 'service' });
      expect(attempt).toThrow(expect.objectContaining({ field: 'x-service-event' }));
      expect(attempt).not.toThrow('Set vendor');
    }
  });

  test('joins the values of a repeated event header with commas', () => {
    const { headers, body } = signDelivery(ping);
    const twice = { ...headers, 'x-service-event': ['push', 'ping'] };
    expect(parseDelivery({ headers: twice, body })).toMatchObject({ name: 'push, ping' });
  });

  test.each([undefined, null, 'x-service-event: push'])('rejects the headers %j', (headers) => {
    // `as`: callers without types can pass anything.
    const input = { headers, body: '{}' } as unknown as Parameters<typeof parseDelivery>[0];
    expect(() => parseDelivery(input)).toThrow(
      expect.objectContaining({ code: 'invalid_request', field: 'headers' }),
    );
  });

  test('rejects the unknown option `secrets`', () => {
    const misspelt = { ...signDelivery(ping), secrets: secret };
    expect(() => parseDelivery(misspelt)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        field: 'secrets',
        message: expect.stringContaining("Did you mean 'secret'?"),
      }),
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

  test('returns undefined for an empty delivery ID', () => {
    const { headers, body } = signDelivery({ ...ping, id: '' });
    expect(parseDelivery({ headers, body }).id).toBeUndefined();
  });

  test.each<[string, string, unknown, string]>([
    ['a ping without zen', 'ping', { hook_id: 1 }, 'payload.zen'],
    ['a ping whose hook ID is a string', 'ping', { zen: 'z', hook_id: '1' }, 'payload.hook_id'],
    ['an issues event without an action', 'issues', { issue: {} }, 'payload.action'],
    ['an issues event without an issue', 'issues', { action: 'opened' }, 'payload.issue'],
    ['a sender that is a name', 'push', { sender: 'mona' }, 'payload.sender'],
    ['a sender without a name', 'watch', { sender: { id: 1 } }, 'payload.sender.login'],
    ['an unknown event whose sender is a name', 'star', { sender: 'mona' }, 'payload.sender'],
    ['a payload that is a list', 'push', [], 'payload'],
    ['a payload that is null', 'push', null, 'payload'],
  ])('rejects %s', (_name, event, payload, field) => {
    const { headers, body } = signDelivery({ event, payload, secret });
    const attempt = () => parseDelivery({ headers, body });
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_request', field }));
    expect(attempt).toThrow(`${event}: ${field}: `);
    expect(attempt).toThrow(/expected (string|number|object|record|array)/);
  });

  test.each([
    ['{', 'application/json', 'payload'],
    ['', 'application/json', 'payload'],
    ['other=1', 'application/x-www-form-urlencoded', 'payload'],
    ['payload=%7B', 'application/x-www-form-urlencoded', 'payload'],
    ['{}', 'text/plain', 'content-type'],
    ['{}', 'application/jsonp', 'content-type'],
    ['{}', 'text/service+json', 'content-type'],
    ['{}', '', 'content-type'],
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

  test('parses a push from 2013 without a sender', () => {
    const payload = {
      ref: 'refs/heads/main',
      head_commit: null,
      repository: {
        id: 1,
        name: 'hello',
        owner: { name: 'mona', email: null },
        created_at: 1_332_977_768,
        organization: 'cats',
      },
    };
    const delivery = parseDelivery(signDelivery({ event: 'push', payload }));
    expect(delivery.payload).toEqual(payload);
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

/** Fields of each event in addition to the envelope. */
const fields: Readonly<Record<string, readonly string[]>> = {
  commit_comment: ['comment', 'issue', 'pull_request'],
  create: ['ref', 'ref_type'],
  delete: ['ref', 'ref_type'],
  deployment: ['deployment', 'deployment_status'],
  deployment_status: ['deployment', 'deployment_status'],
  fork: ['forkee'],
  gollum: ['pages'],
  issue_comment: ['comment', 'issue', 'pull_request'],
  issues: ['issue'],
  member: ['member'],
  page_build: ['build'],
  ping: ['zen', 'hook_id'],
  public: [],
  pull_request: ['number', 'pull_request'],
  pull_request_review_comment: ['comment', 'issue', 'pull_request'],
  push: [
    ...['ref', 'before', 'after', 'created', 'deleted', 'forced', 'compare'],
    ...['commits', 'head_commit'],
  ],
  release: ['release'],
  status: ['sha', 'state', 'description', 'target_url'],
  team_add: ['team'],
  watch: [],
};

/** Fields that the interface specifies only for some events. */
const specified: Readonly<Record<string, readonly string[]>> = {
  issues: ['action', 'issue'],
  ping: ['zen', 'hook_id'],
};

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

describe.each(Object.entries(fields))('the event %s', (event, own) => {
  test.each([...(specified[event] ?? []), ...common])(
    `parseDelivery() rejects a wrong type in %s of the event ${event}`,
    (path) => {
      const payload = { ...base[event], ...wrongAt(path) };
      expect(() => parseDelivery(signDelivery({ event, payload }))).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          field: expect.stringMatching(`^payload\\.${path}(\\.0)?$`),
        }),
      );
    },
  );

  test(`parseDelivery() accepts any type in an unspecified field of the event ${event}`, () => {
    const names = new Set([...own, 'action', 'anything']);
    for (const name of specified[event] ?? []) names.delete(name);
    for (const wrong of [5, true, 'text', null, [1], { a: 1 }]) {
      const payload = {
        ...base[event],
        ...Object.fromEntries([...names].map((name) => [name, wrong])),
      };
      expect(parseDelivery(signDelivery({ event, payload })).payload).toEqual(payload);
    }
  });
});

test('createFetchHandler() accepts a push whose ref is a number', async () => {
  const refs: unknown[] = [];
  const receive = createFetchHandler({
    secret: 'secret',
    onDelivery: ({ event, payload }) => void (event === 'push' && refs.push(payload.ref)),
  });
  const { headers, body } = signDelivery({ event: 'push', payload: { ref: 5 }, secret: 'secret' });
  const request = new Request('http://hook.test/', { method: 'POST', headers, body });
  expect((await receive(request)).status).toBe(202);
  expect(refs).toEqual([5]);
});

test('hookEvents lists 21 events, including * and ping', () => {
  expect(hookEvents).toHaveLength(21);
  expect(hookEvents).toContain('*');
  expect(hookEvents).toContain('ping');
  expectTypeOf<'an unknown event'>().not.toExtend<HookEvent>();
});

test('a switch over the event narrows the payload', () => {
  const delivery: Delivery = parseDelivery(
    signDelivery({ event: 'issues', payload: { action: 'opened', issue: { number: 7 } } }),
  );
  switch (delivery.event) {
    case 'issues':
      expect(delivery.payload.issue.number).toBe(7);
      expectTypeOf(delivery.payload.action).toBeString();
      break;
    case 'push':
      expectTypeOf(delivery.payload.ref).toBeString();
      break;
    default:
      expectTypeOf(delivery.event).not.toEqualTypeOf<'issues'>();
  }
  expect.assertions(1);
});

describe('payload models', () => {
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

  test('the watch payload accepts null within sender, repository and owner', () => {
    const payload = {
      sender: { login: 'mona', id: null, type: null, url: null, html_url: null },
      repository: {
        id: null,
        name: null,
        private: null,
        default_branch: null,
        owner: { id: null },
      },
    };
    expect(parseDelivery(signDelivery({ event: 'watch', payload })).payload).toEqual(payload);
  });
});
