import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type FaultMatcher,
  seeded,
} from '../../src/testing/index.js';
import { keepState } from '../../src/testing/state-file.js';
import { certificate, privateKey } from '../socket/console-certificate.js';
import { form, json, readRecording } from './recording-folder.js';
import { basic, callHosting, sendRequest } from './send-request.js';

const secret = 'Zx91kQ-77-newSecret';

let emulator: Emulator = createEmulator();
const { getStatus } = callHosting(() => emulator);

afterEach(async () => {
  await emulator.close();
  emulator = createEmulator();
});

describe('a secret in a request', () => {
  const nested = `${'['.repeat(101)}{"password":"${secret}"}${']'.repeat(101)}`;
  const capitalized = { 'content-type': 'Application/X-WWW-Form-URLencoded' };
  const url = `http://u:${secret}@h.test/?token=${secret}`;
  it.each<[string, string, Record<string, string>, string]>([
    ['JSON that is labeled as a form', '', form, JSON.stringify({ password: secret })],
    ['malformed JSON that is labeled as a form', '', form, `{"password":"${secret}",}`],
    ['a form whose media type is capitalized', '', capitalized, `password=${secret}`],
    ['JSON with a trailing comma', '', json, `{"password":"${secret}",}`],
    ['JSON after a byte-order mark', '', json, `\ufeff{"password":"${secret}"}`],
    ['lines of JSON', '', json, `{"a":1}\n{"password":"${secret}"}`],
    ['deeply nested JSON', '', json, nested],
    ['a URL in JSON', '', json, JSON.stringify({ config: { url } })],
    ['JSON in JSON', '', json, JSON.stringify({ payload: JSON.stringify({ password: secret }) })],
    ['malformed JSON in a form', '', form, `settings={"password":"${secret}",}`],
    ['a URL in a form', '', form, `url=${encodeURIComponent(url)}`],
    ['a URL in a query', `?redirect_uri=http://x.test/?access_token=${secret}`, json, '{}'],
    ['a password in a query', `?u=http://u:${secret}@x.test/`, json, '{}'],
    ['JSON in a query', `?settings=${encodeURIComponent(`{"password":"${secret}"}`)}`, json, '{}'],
    ['a parameter after a semicolon', `?a=1;access_token=${secret}`, json, '{}'],
    ['a parameter after an encoded question mark', `/x%3Faccess_token=${secret}`, json, '{}'],
    ['a Referer header', '', { ...json, referer: `http://x.test/?access_token=${secret}` }, '{}'],
  ])('%s is masked in the request log and in recordings', async (_place, path, headers, body) => {
    await sendRequest(emulator, `POST /hub${path}`, { headers, body });
    const shown = JSON.stringify(emulator.requests) + emulator.printRequests();
    expect(shown).not.toContain(secret);
    expect(shown).toContain('***');
    const sent = { method: 'POST', path: `/hub${path}`, headers, body };
    expect(await readRecording({}, `echo ${secret}`, sent)).not.toContain(secret);
  });
});

describe('memory', () => {
  const mebibyte = 1_048_576;
  const longest = 64 * mebibyte;
  const countBytes = (bodies: readonly (string | undefined)[]) => bodies.join('').length;

  it('the request log drops the oldest bodies over 64 MiB', async () => {
    const body = JSON.stringify('x'.repeat(mebibyte - 2));
    for (let count = 0; count < 66; count++) {
      const init = { method: 'POST', headers: json, body };
      await emulator.respond(new Request('http://code.test/api/v3/hub', init));
    }
    const bodies = emulator.requests.map(({ sent }) => sent.body);
    expect([bodies.length, bodies[1], bodies[65]?.length]).toEqual([66, undefined, mebibyte]);
    expect(countBytes(bodies)).toBe(longest);
  });

  it('an emulator drops the oldest deliveries over 64 MiB', () => {
    emulator.hosting.allowDeliveries(() => false);
    emulator.hosting.addHook('acme/rocket', { url: 'http://far.test/', content_type: 'json' });
    const text = 'x'.repeat(8 * mebibyte);
    for (let count = 0; count < 9; count++) emulator.hosting.emit('acme/rocket', 'push', { text });
    const bodies = emulator.hosting.deliveries.map(({ body }) => body);
    expect(countBytes(bodies)).toBeGreaterThan(7 * 8 * mebibyte);
    expect(countBytes(bodies)).toBeLessThanOrEqual(longest);
  });

  it('the console API rejects a multipart form over 64 MiB', async () => {
    const body = ReadableStream.from(Array.from({ length: 65 }, () => Buffer.alloc(mebibyte)));
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as const;
    const url = 'http://code.test/setup/api/start';
    const response = await emulator.respond(new Request(url, init));
    expect(response.status).toBe(413);
    expect(await response.text()).toContain(`the body exceeds ${longest} bytes`);
  });

  it('a recorder stores a body of many private keys', { timeout: 30_000 }, async () => {
    const body = '-----BEGIN PRIVATE KEY-----'.repeat(300_000);
    expect(await readRecording({ 'content-type': 'text/plain' }, body)).toContain('"status":200');
  });
});

describe('connections', () => {
  it('close() ends a connection without a TLS handshake', { timeout: 30_000 }, async () => {
    emulator = createEmulator({ tls: { cert: certificate, key: privateKey } });
    const { port } = await emulator.listen();
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    await emulator.close();
  });

  it.each(['itself', 'another emulator'])(
    'a hook that calls a hook of %s causes one delivery',
    { timeout: 30_000 },
    async (which) => {
      emulator = createEmulator({ origin: 'https://code.test' });
      const other = which === 'itself' ? emulator : createEmulator();
      onTestFinished(() => other.close());
      const emulators = [...new Set([emulator, other])];
      const hooks = emulators.map(({ hosting }) => hosting.addHook('acme/rocket', {}));
      const ports = [];
      for (const each of emulators) ports.push((await each.listen()).port);
      const paths = hooks.map(({ id }) => `/api/v3/repos/acme/rocket/hooks/${id}/tests`);
      for (const [index, hook] of hooks.entries()) {
        const next = (index + 1) % hooks.length;
        const address = `${seeded.login}:${seeded.password}@127.0.0.1:${ports[next]}`;
        hook.config = { url: `http://${address}${paths[next]}`, content_type: 'json' };
      }
      expect(await getStatus(`POST ${paths[0]}`)).toBe(204);
      await emulator.hosting.deliveriesSettled();
      await other.hosting.deliveriesSettled();
      const all = emulators.flatMap(({ hosting }) => hosting.deliveries);
      expect(all.map(({ status, error }) => status ?? error)).toEqual([
        204,
        'deliveries that another delivery causes are not sent',
      ]);
    },
  );
});

describe('access', () => {
  const lists = ['/orgs/acme/repos', '/users/acme/repos', '/users/mona/starred', '/user/starred'];
  it.each([...lists, '/teams/:id/repos'])(
    'GET %s lists private repositories only for the scope repo',
    async (path) => {
      const repo = emulator.hosting.addRepo('acme', 'hidden', { isPrivate: true });
      emulator.hosting.addStar(repo, 'mona');
      const team = { members: ['mona'], repos: ['acme/hidden'] };
      const { id } = emulator.hosting.addTeam('acme', 'secret', team);
      const url = `${path.replace(':id', String(id))}?per_page=100`;
      const listsSecret = async (scopes: readonly string[]) => {
        const { token } = emulator.hosting.addToken('mona', scopes);
        const auth = `token ${token}`;
        const { text } = await sendRequest(emulator, `GET ${url}`, { auth });
        return text.includes('acme/hidden');
      };
      expect([await listsSecret(['read:org']), await listsSecret(['read:org', 'repo'])]).toEqual([
        false,
        true,
      ]);
    },
  );

  const otp = (code: string) => ({ 'x-service-otp': code });
  it.each<[string, string, string, Record<string, string>, number]>([
    ['wrong passwords in another letter case lock an account', 'ADA', 'wrong', {}, 403],
    ['wrong one-time passwords lock an account', 'ada', 'right', otp('000000'), 403],
    ["missing one-time passwords don't lock an account", 'ada', 'right', {}, 200],
    ['unknown logins are not locked', 'nobody', 'wrong', {}, 200],
  ])('%s', async (_name, login, password, headers, expected) => {
    emulator.hosting.addUser('ada', { password: 'right', otp: '123456' });
    for (let count = 0; count < 11; count++) {
      const name = count < 5 ? login.toLowerCase() : login;
      const how = { auth: basic(name, password), headers };
      expect(await getStatus('GET /user', how)).toBe(count < 10 || expected === 200 ? 401 : 403);
    }
    const how = { auth: basic('ada', 'right'), headers: otp('123456') };
    expect(await getStatus('GET /user', how)).toBe(expected);
  });

  it('a clock that moves back starts a new rate-limit window', async () => {
    emulator = createEmulator({ clock: '2015-06-01T12:00:00Z' });
    await sendRequest(emulator, 'GET /user');
    emulator.clock.set(new Date('2014-06-01T12:00:00Z'));
    const { headers } = await sendRequest(emulator, 'GET /user');
    const reset = Date.parse('2014-06-01T13:00:00Z') / 1000;
    expect(headers['x-ratelimit-reset']).toBe(String(reset));
  });
});

it.each<[FaultMatcher]>([[{ method: 'get' }], [{ query: { page: 2 } }], [{ query: { a: true } }]])(
  'emulator.fail() applies a fault to requests that match %j',
  async (matcher) => {
    emulator.fail(matcher, { kind: 'response', status: 503 });
    expect(await getStatus('GET /user?page=2&a=true')).toBe(503);
  },
);

it('a state file is private, and one write covers all waiting changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'state-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'state.json');
  const exported = vi.spyOn(emulator, 'export');
  const keeper = keepState(path, emulator, (error) => expect(error).toBeUndefined());
  await Promise.all(Array.from({ length: 10 }, () => keeper.now()));
  expect(exported.mock.calls.length).toBeLessThanOrEqual(2);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
