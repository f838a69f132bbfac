import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { origin, sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('JSON request bodies', () => {
  const status = async (body: string) =>
    (await sendRequest(emulator, 'POST /repos/acme/rocket/releases', { body })).status;
  const nested = (depth: number, inner = '') =>
    `{"tag_name":"v9","body":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;

  test('the emulator rejects JSON nested deeper than 100 levels', async () => {
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
    for (const none of ['[]', '1', 'null', '{', '"x"']) expect(await echoed(none)).toBe(400);
  });

  test('the emulator accepts JSON bodies of up to 8 MiB', async () => {
    const most = 8 * 2 ** 20;
    expect(await status(`{}${' '.repeat(most - 1)}`)).toBe(413);
    expect(await status(`{}${' '.repeat(most - 2)}`)).toBe(422);
  });
});

test('POST /api/v2/authenticate accepts URL-encoded and multipart forms', async () => {
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
