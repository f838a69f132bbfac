import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/index.js';
import { consoleSeed, createEmulator } from '../../src/testing/index.js';

// These tests use `fetch`, because it can send malformed forms.

async function appliance() {
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { url } = await emulator.listen();
  const basic = Buffer.from(`license:${consoleSeed.licenseMd5}`).toString('base64');
  const send = (path: string, init: RequestInit & { readonly type?: string } = {}) => {
    const { type, ...rest } = init;
    const headers = {
      authorization: `Basic ${basic}`,
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    return fetch(`${url}/setup/api${path}`, { headers, ...rest });
  };
  return { emulator, console: emulator.console, url, send };
}

const digest = (algorithm: string, bytes: Buffer) =>
  createHash(algorithm).update(bytes).digest('hex');
const form = 'multipart/form-data; boundary=b';
const part = (name: string, rest = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n`;

test('the console API records the size and hashes of an uploaded package', async () => {
  const bytes = Buffer.alloc(3_000_001, 'package');
  const { console: each, send } = await appliance();
  for (const rest of ['; filename="release-2.1.0.pkg"', '']) {
    const pieces = [Buffer.from(part('package', rest)), bytes, Buffer.from('\r\n--b--\r\n')];
    const body = Buffer.concat(pieces);
    expect((await send('/upgrade', { method: 'POST', type: form, body })).status).toBe(202);
  }
  const facts = {
    name: 'package',
    size: bytes.length,
    sha256: digest('sha256', bytes),
    md5: digest('md5', bytes),
  };
  expect(each.uploads).toEqual([
    { ...facts, filename: 'release-2.1.0.pkg' },
    { ...facts, filename: undefined },
  ]);
});

test("the console API doesn't record an aborted upload", async () => {
  const { console: each, emulator, url } = await appliance();
  const client = new ConsoleClient({ baseUrl: url, auth: { license: consoleSeed.license } });
  onTestFinished(() => client.close());
  for (const where of [client, inProcess()]) {
    const stop = new AbortController();
    const reason = new Error('given up');
    const endless = async function* () {
      for (;;) {
        yield Buffer.alloc(64 * 1024);
        await wait(1);
      }
    };
    const upload = where.upgrade(
      { package: Readable.from(endless()) },
      {
        signal: stop.signal,
        onProgress: ({ sent }) => {
          if (sent > 300_000) stop.abort(reason);
        },
      },
    );
    await expect(upload).rejects.toBe(reason);
    // The pause lets the console notice the abort, because an unhandled rejection would fail this
    // test.
    await wait(20);
    expect((await where.configCheck()).status).toBe('success');
  }
  expect(each.uploads).toEqual([]);

  function inProcess() {
    const dispatcher = emulator.dispatcher();
    return new ConsoleClient({ baseUrl: url, auth: { license: consoleSeed.license }, dispatcher });
  }
});

describe('the console', () => {
  const key = part('authorized_key', '; filename="k.pub"');
  const cases: readonly (readonly [string, string, string, RequestInit & { type?: string }])[] = [
    ['a form that ends early', 'POST', '/upgrade', { type: form, body: `${part('package')}half` }],
    [
      'a form without a boundary',
      'POST',
      '/upgrade',
      { type: 'multipart/form-data', body: 'nothing' },
    ],
    ['an empty key', 'POST', '/settings/authorized-keys', { type: form, body: `${key}\r\n--b--` }],
    [
      'an invalid key',
      'POST',
      '/settings/authorized-keys',
      { type: form, body: `${key}word\r\n--b--` },
    ],
    ['missing settings', 'PUT', '/settings', {}],
    ['settings that are not JSON', 'PUT', '/settings', { body: new URLSearchParams('settings={') }],
    ['a body that is not an object', 'PUT', '/settings', { type: 'application/json', body: '[1]' }],
  ];

  test.each(cases)('the console API responds with 400 to %s', async (_name, method, path, init) => {
    const { console: each, send } = await appliance();
    const before = each.settings;
    const { type, ...rest } = init;
    const authorization = `Basic ${Buffer.from(`license:${each.licenseMd5}`).toString('base64')}`;
    const headers = { authorization, ...(type === undefined ? {} : { 'content-type': type }) };
    const response = await send(path, { ...rest, method, headers });
    expect(response.status, await response.text()).toBe(400);
    expect(each.settings).toEqual(before);
    expect([each.keys, each.uploads, each.maintenance]).toEqual([[], [], 'off']);
  });
});

test('an empty appliance responds with 401 regardless of credentials', async () => {
  const emulator = createEmulator({ seed: false });
  const url = 'http://appliance.test/setup/api/configcheck';
  const basic = Buffer.from('license:undefined').toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  expect((await emulator.respond(new Request(url, { headers }))).status).toBe(401);
  expect((await emulator.respond(new Request(url))).status).toBe(401);
});

test('failStep, slowStep and restartAt throw for an unknown step', () => {
  const { console: each } = createEmulator();
  const unknown = /unknown step 'Boil water'\. Known steps: Preparing storage device, /;
  expect(() => each.failStep('Boil water')).toThrow(unknown);
  expect(() => each.slowStep('Boil water', 2)).toThrow(unknown);
  expect(() => each.restartAt('Boil water')).toThrow(unknown);
});
