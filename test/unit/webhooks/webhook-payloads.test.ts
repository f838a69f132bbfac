import { describe, expect, expectTypeOf, test } from 'vitest';
import { ref } from '../../../src/schema/model.js';
import {
  type Delivery,
  type HookEvent,
  hookEvents,
  parseDelivery,
  signDelivery,
} from '../../../src/webhooks/index.js';
import { payloadModel } from '../../../src/webhooks/payloads.js';
import { objectsOf } from '../../contract/schema-reader.js';

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
  const required: Readonly<Record<string, object>> = {
    ping: { zen: 'z', hook_id: 3 },
    issues: { action: 'opened', issue: {} },
  };
  test.each(hookEvents.filter((event) => event !== '*'))(
    'the %s payload accepts null in every optional attribute',
    (event) => {
      const fields = objectsOf(ref(payloadModel(event))).flatMap(({ _zod }) =>
        Object.keys(_zod.def.shape),
      );
      expect(fields.length).toBeGreaterThanOrEqual(3);
      const blank = Object.fromEntries(fields.map((name) => [name, null]));
      const payload = { ...blank, ...required[event] };
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
