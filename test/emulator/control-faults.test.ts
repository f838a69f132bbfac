import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { callControl } from './control-api.js';
import { sendRequest as askApi } from './send-request.js';

let emulator: Emulator;
const send = callControl(() => emulator);

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('POST /_emulator/faults', () => {
  const response = { kind: 'response', status: 200 };
  test.each<[string, object, object]>([
    ['a `response` fault', { fault: response }, { kind: 'response', left: 1 }],
    [
      'a `response` fault with every option',
      {
        fault: { ...response, status: 599, headers: { a: 'b' }, body: [1] },
        times: 2,
        after: 0,
        match: { method: 'GET', path: '/x', query: { a: 'b' } },
      },
      { left: 2, match: 'GET /x {"a":"b"}' },
    ],
    [
      'a `reset` fault',
      { fault: { kind: 'reset', executed: true } },
      { match: 'any method any path' },
    ],
    [
      'a `truncate` fault',
      { fault: { kind: 'truncate', bytes: 1 }, match: {} },
      { kind: 'truncate' },
    ],
    ['a `slow` fault', { fault: { kind: 'slow', ms: 1, bytes: 1 } }, { kind: 'slow' }],
    ['a `malformed` fault', { fault: { kind: 'malformed', raw: 'x' } }, { kind: 'malformed' }],
    ['a `delay` fault', { fault: { kind: 'delay', ms: 1 } }, { kind: 'delay' }],
    ['a `hang` fault', { fault: { kind: 'hang' } }, { kind: 'hang' }],
    ['a `refuse` fault', { fault: { kind: 'refuse', ms: 1 } }, { kind: 'refuse' }],
  ])('POST /_emulator/faults adds %s', async (_name, body, shown) => {
    const created = await send('POST /faults', body);
    expect([created.status, created.data]).toEqual([204, '']);
    expect(emulator.status().faults).toMatchObject([shown]);
    expect((await send('DELETE /faults')).status).toBe(204);
    expect(emulator.status().faults).toEqual([]);
  });

  test('a fault from POST /_emulator/faults skips the first matching requests if `after` is set', async () => {
    await send('POST /faults', {
      fault: { kind: 'response', status: 503 },
      match: { path: '/user' },
      after: 1,
    });
    const statuses = [];
    for (const path of ['/user', '/emojis', '/user', '/user']) {
      statuses.push((await askApi(emulator, `GET ${path}`)).status);
    }
    expect(statuses).toEqual([200, 404, 503, 200]);
  });

  test.each<[object, string]>([
    [{}, 'fault'],
    [{ fault: { kind: 'rest' } }, 'fault.kind'],
    [{ fault: { kind: 'response', status: 199 } }, 'fault.status'],
    [{ fault: { kind: 'response', status: 600 } }, 'fault.status'],
    [{ fault: { kind: 'truncate', bytes: -1 } }, 'fault.bytes'],
    [{ fault: { kind: 'slow' } }, 'fault.ms'],
    [{ fault: { kind: 'hang' }, times: 0 }, 'times'],
    [{ fault: { kind: 'hang' }, after: -1 }, 'after'],
    [{ fault: { kind: 'hang' }, match: { paths: '/' } }, 'match'],
    [{ fault: { kind: 'hang', ms: 1 } }, 'fault'],
  ])('POST /_emulator/faults rejects the body %j because of the field %s', async (body, field) => {
    const { status, data } = await send('POST /faults', body);
    expect([status, data]).toMatchObject([
      400,
      { message: expect.any(String), errors: [{ field, message: expect.any(String) }] },
    ]);
    expect(emulator.status().faults).toEqual([]);
  });

  test('POST /_emulator/faults rejects an invalid header name in a fault', async () => {
    const fault = { kind: 'response', status: 200, headers: { 'a b': '' } };
    const { status, data } = await send('POST /faults', { fault });
    expect([status, data]).toEqual([400, { message: expect.stringContaining('headers') }]);
  });
});
