import { describe, expect, expectTypeOf, test } from 'vitest';
import { ref } from '../../../src/schema/model.js';
import {
  createFetchHandler,
  type Delivery,
  type HookEvent,
  hookEvents,
  parseDelivery,
  signDelivery,
} from '../../../src/webhooks/index.js';
import { payloadModel } from '../../../src/webhooks/payloads.js';
import { objectsOf } from '../../contract/schema-reader.js';

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
    handlers: { push: ({ payload }) => void refs.push(payload.ref) },
  });
  const { headers, body } = signDelivery({ event: 'push', payload: { ref: 5 }, secret: 'secret' });
  const request = new Request('http://hook.test/', { method: 'POST', headers, body });
  expect((await receive(request)).status).toBe(202);
  expect(refs).toEqual([5]);
});

test('hookEvents lists every event that a hook can subscribe to', () => {
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
