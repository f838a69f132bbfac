import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/testing/index.js';
import {
  callConsole,
  createConsole,
  createFields,
  createForm,
  pack,
  type Sent,
} from './console-emulator.js';
import { basic } from './send-request.js';

let emulator: Emulator;
const { enterprise, sendRequest } = callConsole(() => emulator);

beforeEach(() => {
  emulator = createConsole();
});

describe('console inputs', () => {
  const settings = { enterprise: { pages: { enabled: false } } };
  const text = JSON.stringify(settings);
  test.each<[string, string, Sent]>([
    ['a form', '', { body: createFields({ settings: text }) }],
    ['a multipart form', '', { body: createForm({ settings: text }) }],
    ['the query', `?settings=${encodeURIComponent(text)}`, {}],
    [
      'JSON whose `settings` are a string',
      '',
      { type: 'application/json', body: JSON.stringify({ settings: text }) },
    ],
    [
      'JSON whose `settings` are an object',
      '',
      { type: 'text/JSON', body: JSON.stringify({ settings }) },
    ],
    [
      'the query, if a JSON request has no body',
      `?settings=${encodeURIComponent(text)}`,
      { type: 'application/json' },
    ],
    [
      'a form, which takes precedence over the query',
      '?settings=%7B%22enterprise%22:7%7D',
      { body: createFields({ settings: text }) },
    ],
    [
      'JSON, which takes precedence over the query',
      '?settings=%7B%22enterprise%22:7%7D',
      { type: 'application/json', body: JSON.stringify({ settings }) },
    ],
    [
      'a multipart form, which takes precedence over the query',
      '?settings=%7B%22enterprise%22:7%7D',
      { body: createForm({ settings: text }) },
    ],
  ])('the console API reads settings from %s', async (_name, search, sent) => {
    expect((await sendRequest(`PUT /settings${search}`, sent)).status).toBe(204);
    expect(enterprise()).toMatchObject({ pages: { enabled: false }, dns: {} });
  });

  test('the console API limits text to 8 MiB and a license to 1 MiB', async () => {
    const body = (rest: number) => createFields({ settings: '{}', rest: 'x'.repeat(rest) });
    const large = await sendRequest('PUT /settings', { body: body(8 * 2 ** 20) });
    expect([large.status, large.data]).toEqual([413, { message: expect.stringMatching(/./) }]);
    expect((await sendRequest('PUT /settings', { body: body(7 * 2 ** 20) })).status).toBe(204);
    const license = (size: number) =>
      sendRequest('POST /upgrade', { body: createForm({ license: 'x'.repeat(size) }) });
    expect((await license(2 ** 20 + 1)).status).toBe(400);
    expect((await license(2 ** 20)).status).toBe(202);
    const { uploads, licenseMd5 } = emulator.console;
    expect(uploads).toMatchObject([{ name: 'license', size: 2 ** 20, md5: licenseMd5 }]);
  });

  test('the console API reads an empty multipart body as a form without fields', async () => {
    const type = 'multipart/form-data; boundary=b';
    expect((await sendRequest('POST /upgrade', { type })).status).toBe(202);
    expect((await sendRequest('POST /settings/authorized-keys', { type })).status).toBe(400);
  });
});

test('the console API hashes a license sent as a text field', async () => {
  const digest = (algorithm: string) => createHash(algorithm).update('mine').digest('hex');
  await sendRequest('POST /upgrade', { body: createFields({ license: 'mine' }) });
  const { uploads, licenseMd5 } = emulator.console;
  const hashes = { sha256: digest('sha256'), md5: digest('md5') };
  expect(uploads).toEqual([{ name: 'license', filename: undefined, size: 4, ...hashes }]);
  expect(licenseMd5).toBe(hashes.md5);
});

test('POST /configure starts a run even if `complete` is longer than 1 MiB', async () => {
  const complete = new File(['1'.repeat(1_048_577)], 'complete');
  expect((await sendRequest('POST /configure', { body: createForm({ complete }) })).status).toBe(
    202,
  );
});

describe('POST /start', () => {
  test.each<[string, Readonly<Record<string, string | File>>]>([
    ['no license', { package: pack() }],
    ['an empty license', { license: '', package: pack() }],
    ['no package', { license: 'x' }],
    ['an empty package', { license: 'x', package: new File([], 'a.pkg') }],
    ['settings that are not an object', { license: 'x', package: pack(), settings: '7' }],
    [
      'a setting of the wrong type',
      { license: 'x', package: pack(), settings: '{"enterprise":{"smtp":{"port":true}}}' },
    ],
  ])('POST /start responds with 400 to a request with %s', async (_name, fields) => {
    const before = emulator.export();
    const response = await sendRequest('POST /start', { auth: null, body: createForm(fields) });
    expect([response.status, response.data]).toEqual([
      400,
      { message: expect.stringMatching(/./) },
    ]);
    expect(emulator.export()).toEqual(before);
    expect(emulator.console.uploads).toEqual([]);
  });

  test.each([
    ['release-12.10.34.pkg', '12.10.34'],
    ['release-2.10.pkg', '1.0.0'],
  ])('POST /start accepts the package %s as version %s', async (name, version) => {
    const settings = '{"enterprise":{"private_mode":true}}';
    const body = createForm({ license: 'mine', package: pack(name), settings });
    const response = await sendRequest('POST /start', { auth: null, body });
    expect([response.status, response.headers.get('location')]).toEqual([
      202,
      'http://code.test/setup/api/configcheck',
    ]);
    expect(enterprise()).toMatchObject({ package_version: version, private_mode: true });
    const { uploads, licenseMd5 } = emulator.console;
    expect(uploads.map((each) => each.name)).toEqual(['license', 'package']);
    expect(licenseMd5).toBe(uploads[0]?.md5);
    expect(uploads[0], 'contents are not kept').not.toHaveProperty('content');
    const auth = basic('license', uploads[0]?.md5 ?? '');
    expect((await sendRequest('GET /configcheck', { auth })).data).toMatchObject({
      status: 'success',
      progress: [{ key: 'Updating configuration', status: 'DONE' }],
    });
  });
});
