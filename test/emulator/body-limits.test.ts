import { beforeEach, describe, expect, it } from 'vitest';
import { control } from '../../src/testing/control.js';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { origin, sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

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
    expect(await echoed('{"a":["\\ud800b",null,1,{"c":"\\udc00"}]}')).toEqual({
      a: ['\ufffdb', null, 1, { c: '\ufffd' }],
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

// A check with quadratic backtracking would exceed this test's timeout.
describe('Base64 content with 200,000 spaces', () => {
  const spaces = `A${' '.repeat(200_000)}`;
  it.each([
    ['before an invalid character', 422, `${spaces}!`],
    ['before padding', 201, ` Q\n${spaces}==\n`],
  ])(
    'PUT /contents/:path responds to Base64 with 200,000 spaces %s with a %i',
    async (_name, status, content) => {
      const body = { message: 'm', content };
      const path = 'PUT /repos/acme/rocket/contents/a';
      expect((await sendRequest(emulator, path, { body })).status).toBe(status);
    },
    20_000,
  );
});

const mebibyte = 1_048_576;

const head = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;

/** Creates a body that counts the bytes that are read from it. */
function counted(pieces: Iterable<Uint8Array>) {
  const seen = { bytes: 0 };
  const body = ReadableStream.from(
    (function* () {
      for (const piece of pieces) {
        seen.bytes += piece.byteLength;
        yield piece;
      }
    })(),
  );
  return { body, seen };
}

/** Generates a multipart form with one part of 64 MiB. */
function* bigForm() {
  yield Buffer.from(head('userName'));
  for (let index = 0; index < 1024; index++) yield Buffer.alloc(mebibyte / 16, 'x');
  yield Buffer.from('\r\n--b--\r\n');
}

function post(path: string, body: string | ReadableStream, type: string): Request {
  const headers = { 'content-type': type, 'user-agent': 'test' };
  return new Request(origin + path, { method: 'POST', headers, body, duplex: 'half' });
}

const multipart = 'multipart/form-data; boundary=b';

describe('forms without a token', () => {
  it.each([
    ['/api/v2/authenticate', 400],
    ['/api/v2/contact', 400],
    ['/login/oauth/authorize', 413],
    ['/login/oauth/access_token', 413],
  ])('the emulator reads at most 8 MiB of a multipart form at %s', async (path, status) => {
    const { body, seen } = counted(bigForm());
    const response = await createEmulator().respond(post(path, body, multipart));
    expect(response.status).toBe(status);
    expect(seen.bytes).toBeLessThan(9 * mebibyte);
  });
});

describe('asset downloads', () => {
  it("the emulator doesn't copy a 16 MiB asset for each of 50 slow readers", async () => {
    const { hosting, respond } = createEmulator();
    const release = hosting.addRelease('acme/rocket', 'big');
    const content = Buffer.alloc(16 * mebibyte, 'zip');
    const { id } = hosting.addAsset(release, 'a.zip', { content });
    const get = async () => await respond(new Request(`${origin}/assets/acme/rocket/${id}`));
    const before = process.memoryUsage().arrayBuffers;
    const responses = await Promise.all(Array.from({ length: 50 }, get));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * mebibyte);
    expect(responses[0]?.headers.get('content-length')).toBe(String(16 * mebibyte));
    const received = (await responses[0]?.arrayBuffer()) ?? new ArrayBuffer();
    expect(content.equals(Buffer.from(received))).toBe(true);
  });
});

describe("the emulator's control API", () => {
  it('the control API reads at most 8 MiB of a body', async () => {
    const { body, seen } = counted(bigForm());
    const request = post('/_emulator/faults', body, 'application/json');
    expect((await control(createEmulator(), request))?.status).toBe(413);
    expect(seen.bytes).toBeLessThan(9 * mebibyte);
  });
});
