import { beforeEach, describe, expect, it } from 'vitest';
import { control } from '../../src/testing/control.js';
import { createEmulator, type Emulator, seeded, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { origin, sendRequest } from './send-request.js';

let emulator: Emulator;
const releases = '/api/v3/repos/acme/rocket/releases';

async function sendJson(emulator: Emulator, path: string, body: string, method = 'POST') {
  const headers = {
    'content-type': 'application/json',
    authorization: `token ${seeded.token}`,
    'user-agent': 'test',
  };
  const request = new Request(`http://code.test${path}`, { method, headers, body });
  const response = (await control(emulator, request)) ?? (await emulator.respond(request));
  return { status: response.status, text: await response.text() };
}

const bodyWith = (values: number) => `{"a":[${'{},'.repeat(values - 3)}{}]}`;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('JSON request bodies', () => {
  const status = async (body: string) =>
    (await sendRequest(emulator, 'POST /repos/acme/rocket/releases', { body })).status;
  const nested = (depth: number, inner = '') =>
    `{"tag_name":"v9","body":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;

  it('the emulator rejects JSON nested deeper than 100 levels', async () => {
    const echoed = async (body: string) => {
      emulator.hosting.route('POST /echo', async ({ json }) => ({ body: await json() }));
      const { status: code, data } = await sendRequest(emulator, 'POST /echo', { body });
      return code === 200 ? data : code;
    };
    expect(await echoed(nested(99))).toMatchObject({ tag_name: 'v9' });
    expect(await echoed(nested(100))).toBe(400);
    const marks = `{"a":"${'[{'.repeat(200)}","b":"\\"${'['.repeat(200)}","c":"\\\\","d":[{}]}`;
    expect(await echoed(marks)).toEqual(JSON.parse(marks));
    const wide = `{"a":[${'[],{},'.repeat(200)}1]}`;
    expect(await echoed(wide)).toEqual(JSON.parse(wide));
    expect(await echoed('{"a\\ud800":["\\ud800b",null,1,{"c":"\\udc00"}]}')).toEqual({
      'a\ufffd': ['\ufffdb', null, 1, { c: '\ufffd' }],
    });
    expect(await echoed('')).toEqual({});
    const malformed = ['[]', '1', 'null', '{', '"x"', '['.repeat(1_000_000)];
    for (const none of malformed) expect(await echoed(none)).toBe(400);
  });

  it('the emulator accepts JSON bodies of up to 8 MiB', async () => {
    const most = 8 * 2 ** 20;
    expect(await status(`{}${' '.repeat(most - 1)}`)).toBe(413);
    expect(await status(`{}${' '.repeat(most - 2)}`)).toBe(422);
  });
});

it('POST /api/v2/authenticate accepts URL-encoded and multipart forms', async () => {
  const { userName, apiKey, password } = supportSeed;
  const fields = { userName, apiKey, password };
  const text = new URLSearchParams(fields).toString();
  const multipart = new globalThis.FormData();
  for (const [name, value] of Object.entries(fields)) multipart.append(name, new Blob([value]));
  const send = async (body: RequestInit['body'], type?: string) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const init = { method: 'POST', headers, ...(body !== undefined && { body }) };
    const response = await emulator.respond(new Request(`${origin}/api/v2/authenticate`, init));
    return [response.status, JSON.parse(await response.text()).success];
  };
  const form = 'application/x-www-form-urlencoded';
  expect(await send(text, form)).toEqual([200, true]);
  expect(await send(text, ` ${form.toUpperCase()} ; charset=utf-8`)).toEqual([200, true]);
  expect(await send(multipart)).toEqual([200, true]);
  expect(await send('', 'text/plain')).toEqual([200, false]);
  expect(await send(undefined)).toEqual([200, false]);
  expect(await send(text, 'text/plain')).toEqual([400, false]);
  expect(await send('--b', 'multipart/form-data; boundary=b')).toEqual([400, false]);
});

describe('JSON bodies', () => {
  it.each(['/login/oauth/access_token', releases, '/setup/api/start', '/_emulator/faults'])(
    'the emulator accepts at most 100,000 JSON values in a body for %s',
    async (path) => {
      const many = await sendJson(createEmulator(), path, bodyWith(100_001));
      expect(many).toEqual({ status: 413, text: expect.stringContaining('100000 values') });
      const some = await sendJson(createEmulator(), path, bodyWith(100_000));
      expect(some.status).not.toBe(413);
    },
  );

  it("the limit for JSON values doesn't count commas and brackets in strings", async () => {
    const body = JSON.stringify({ tag_name: 'v', body: '[{,"'.repeat(200_000) });
    expect((await sendJson(createEmulator(), releases, body)).status).toBe(201);
  });
});

describe('PUT /_emulator/world.json', () => {
  it('rejects a world with more than 10,000,000 values', async () => {
    const body = `[${'1,'.repeat(10_000_000)}1]`;
    const { status, text } = await sendJson(createEmulator(), '/_emulator/world.json', body, 'PUT');
    expect([status, text]).toEqual([413, expect.stringContaining('10000000 values')]);
  });
});

// A check with quadratic backtracking would exceed this test's timeout.
describe('Base64 content with 200,000 spaces', () => {
  const spaces = `A${' '.repeat(200_000)}`;
  it.each([
    ['before an invalid character', 422, `${spaces}!`],
    ['after padding', 422, `QUE=${spaces}`],
    ['before padding', 201, ` Q\n${spaces}==\n`],
  ])(
    'PUT /contents/:path responds to Base64 with 200,000 spaces %s with a %i',
    async (_name, status, content) => {
      const path = '/api/v3/repos/acme/rocket/contents/a';
      const body = JSON.stringify({ message: 'm', content });
      const response = await sendJson(createEmulator(), path, body, 'PUT');
      expect(response.status).toBe(status);
    },
    20_000,
  );
});
