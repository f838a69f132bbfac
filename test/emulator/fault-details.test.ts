import { getResponse } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { HostingClient } from '../../src/index.js';
import {
  createEmulator,
  type Emulator,
  type Fault,
  type FaultMatcher,
  seeded,
} from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';
import { origin, sendRequest } from './send-request.js';

let emulator: Emulator;
const star = '/user/starred/acme/rocket';
const baseUrl = 'http://code.example.test/api/v3/';
const { owner, repo, token } = seeded;
const auth = { type: 'token', token } as const;
const ended: (() => unknown)[] = [];

beforeEach(() => {
  emulator = createEmulator();
});

it('emulator.status() lists the remaining faults with their remaining counts', async () => {
  emulator.fail({ path: '/user' }, { kind: 'response', status: 500 });
  emulator.fail({ method: 'PUT' }, { kind: 'reset' }, { times: 2 });
  const query = { page: '2' };
  emulator.fail({ query }, { kind: 'hang' }, { times: Number.POSITIVE_INFINITY });
  await sendRequest(emulator, 'GET /user');
  await expect(sendRequest(emulator, `PUT ${star}`)).rejects.toThrow();
  expect(emulator.status().faults).toEqual([
    { kind: 'reset', match: 'PUT any path', left: 1 },
    { kind: 'hang', match: 'any method any path {"page":"2"}', left: null },
  ]);
});

it.each<[string, FaultMatcher['path'], number]>([
  ["`.` in a fault's path string matches only a dot", '/api/v3/use.', 200],
  ["`(` in a fault's path string is not a syntax error", '(', 200],
  ["a fault's path pattern can match the start of the path", /^\/api/, 500],
  ["a fault's path pattern anchored at the start must include /api/v3", /^\/user/, 200],
])('%s', async (_name, path, status) => {
  emulator.fail({ path }, { kind: 'response', status: 500 });
  expect((await sendRequest(emulator, 'GET /user')).status).toBe(status);
});

it('emulator.fail() throws an error with a cause for an invalid header name', () => {
  const fault: Fault = { kind: 'response', status: 200, headers: { 'a b': '' } };
  expect(() => emulator.fail({}, fault)).toThrow(
    expect.objectContaining({ name: 'TypeError', cause: expect.any(TypeError) }),
  );
});

it.each(['refuse', 'malformed'] as const)(
  'a `%s` fault prevents the emulator from executing the request',
  async (kind) => {
    emulator.fail({}, kind === 'refuse' ? { kind, ms: 0 } : { kind });
    await expect(sendRequest(emulator, `PUT ${star}`)).rejects.toMatchObject(
      kind === 'refuse' ? { code: 'ECONNRESET' } : { name: 'HTTPParserError' },
    );
    expect((await sendRequest(emulator, `GET ${star}`)).status).toBe(404);
  },
);

it.each([
  { kind: 'delay', ms: 60_000 },
  { kind: 'slow', ms: 60_000 },
] as const)('a `$kind` fault follows fake timers', async (fault) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  emulator.hosting.route('GET /six', () => ({ body: 'abcdef' }));
  emulator.fail({}, fault);
  let isDone = false;
  const call = sendRequest(emulator, 'GET /six').finally(() => {
    isDone = true;
  });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(isDone).toBe(true);
  expect((await call).status).toBe(200);
});

it('a `response` fault with status 205 sends no body', async () => {
  emulator.fail({}, { kind: 'response', status: 205, body: { a: 1 } });
  const { status, headers, text } = await sendRequest(emulator, 'GET /user');
  expect([status, headers['content-length'], text]).toEqual([205, '0', '']);
});

it('a `refuse` fault causes a network error in MSW handlers', async () => {
  emulator.fail({}, { kind: 'refuse', ms: 0 });
  const response = await getResponse(mswHandlers(emulator), new Request(`${origin}/api/v3/user`));
  expect(response?.type).toBe('error');
});

describe('emulator.dispatcher()', () => {
  it('responds under fake timers that replace queueMicrotask', async () => {
    const emulator = createEmulator();
    const hosting = new HostingClient({ baseUrl, auth, dispatcher: emulator.dispatcher() });
    ended.push(() => vi.useRealTimers());
    vi.useFakeTimers({
      toFake: ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date'],
    });
    await expect(hosting.pulls.get({ owner, repo, number: 7 })).resolves.toMatchObject({
      number: 7,
    });
    const input = { owner, repo, tag_name: 'v8' };
    await expect(hosting.releases.create(input)).resolves.toMatchObject({ tag_name: 'v8' });
  });
});
