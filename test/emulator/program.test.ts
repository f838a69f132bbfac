import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { version } from '../../src/version.js';
import { certificate, privateKey } from '../socket/console-certificate.js';
import { start, triforge } from './program-process.js';

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body) });

test('triforge-emulator serves clients and the control API', async () => {
  const { child, ended, ready } = start('--port', '0', '--clock', '2014-06-01T12:00:00Z');
  const url = await ready;
  await using hosting = new HostingClient({
    baseUrl: `${url}/api/v3/`,
    auth: { type: 'token', token: seeded.token },
    retry: false,
  });
  const fault = { kind: 'response', status: 503, body: { message: 'resting' } };
  const match = { method: 'GET', path: '/pulls/' };
  expect((await post(`${url}/_emulator/faults`, { match, fault })).status).toBe(204);
  const inRocket = { owner: seeded.owner, repo: seeded.repo };
  await expect(hosting.pulls.get({ ...inRocket, number: 7 })).rejects.toThrow('resting');
  expect((await hosting.pulls.get({ ...inRocket, number: 7 })).number).toBe(7);

  const state = await (await fetch(`${url}/_emulator/state.json`)).json();
  expect(state).toMatchObject({
    now: '2014-06-01T12:00:00.000Z',
    families: { hosting: { 'pull requests': 250 } },
    received: 2,
    requests: [{ status: 200 }, { status: 503, method: 'GET' }],
    faults: [],
  });
  await post(`${url}/_emulator/clock`, { advance: 90 });
  await post(`${url}/_emulator/faults`, { fault: { kind: 'hang' }, times: 3 });
  const get = async (path: string) => (await fetch(`${url}/_emulator${path}`)).text();
  expect(JSON.parse(await get('/state.json'))).toMatchObject({
    now: '2014-06-01T12:01:30.000Z',
    faults: [{ kind: 'hang', match: 'any method any path', left: 3 }],
  });
  expect(await get('/connections.json')).toContain(seeded.token);
  expect(await get('')).toContain('src="/_emulator/status.js"');
  expect(await get('/status.js')).toContain('/connections.json');
  expect(JSON.stringify(state), 'the list of requests').not.toContain(seeded.token);

  expect((await fetch(`${url}/_emulator/faults`, { method: 'DELETE' })).status).toBe(204);
  expect((await post(`${url}/_emulator/reset`, undefined)).status).toBe(204);
  expect(await (await fetch(`${url}/_emulator/state.json`)).json()).toMatchObject({
    now: '2014-06-01T12:00:00.000Z',
    received: 0,
    faults: [],
  });
  child.kill('SIGTERM');
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(output, 'the log contains the request').toMatch(
    /^503 GET {4}\/api\/v3\/repos\/acme\/rocket\/pulls\/7$/m,
  );
});

test('triforge-emulator --empty starts without records', async () => {
  const { ready, readOutput } = start('--port', '0', '--empty');
  const url = await ready;
  const state = await (await fetch(`${url}/_emulator/state.json`)).json();
  expect(state).toMatchObject({ families: { hosting: { accounts: 0 } } });
  expect(readOutput()).toMatch(/^world +empty$/m);
  expect(readOutput()).not.toContain(seeded.token);
});

test('triforge-emulator prints each seed credential as a separate word', async () => {
  const { child, ended, ready, readOutput } = start('--port', '0');
  await ready;
  const words = ` ${readOutput().replaceAll(/[\s,]+/g, ' ')}`;
  const { userName, apiKey, password } = supportSeed;
  const { token, clientId, clientSecret } = seeded;
  for (const word of [
    ...[token, clientId, clientSecret, userName, apiKey, password],
    consoleSeed.licenseMd5,
  ]) {
    expect(words).toContain(` ${word} `);
  }
  expect(readOutput()).not.toMatch(/^world/m);
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

test('triforge-emulator listens on port 4010 by default', async () => {
  const { ready, readOutput } = start();
  await ready.catch(() => undefined); // If the port is in use, the program's error contains the address.
  expect(readOutput()).toContain('127.0.0.1:4010');
  const code = 'console.log(process.env.TRIFORGE_BASE_URL)';
  const { output: base } = await start('--', process.execPath, '-e', code).ended;
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
  expect(base).not.toContain(':4010/');
});

describe('triforge-emulator with --tls-cert and --tls-key', () => {
  it('triforge-emulator with --tls-cert and --tls-key serves HTTPS to its command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'triforge-program-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(cert, certificate);
    await writeFile(key, privateKey);
    const tls = ['--tls-cert', cert, '--tls-key', key];
    const code = `
      import { HostingClient } from '${triforge}';
      const { number, url } = await HostingClient.fromEnv().pulls.get({ owner: 'acme', repo: 'rocket', number: 7 });
      console.log(number, new URL(url).protocol);`;
    vi.stubEnv('NODE_EXTRA_CA_CERTS', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const node = [process.execPath, '--input-type=module', '-e', code];
    expect(await start(...tls, '--', ...node).ended).toEqual({
      code: 0,
      output: '7 https:\n',
    });

    const origin = ['--origin', 'https://code.test'];
    const { child, ended, ready, readOutput } = start('--port', '0', '--quiet', ...tls, ...origin);
    expect(await ready).toBe('https://code.test');
    expect(readOutput()).toMatch(/^hosting API +https:\/\/code\.test\/api\/v3\/$/m);
    await expect.poll(readOutput).toMatch(/^port +\d+, behind https:\/\/code\.test$/m);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

test('triforge-emulator logs a request that gets no response because of a fault', async () => {
  const { ready, readOutput: output } = start('--port', '0');
  const url = await ready;
  await post(`${url}/_emulator/faults`, { fault: { kind: 'reset' } });
  await expect(fetch(`${url}/api/v3/emojis`)).rejects.toThrow();
  await expect.poll(output).toMatch(/^--- GET +\/api\/v3\/emojis$/m);
});

test.each([
  [['--port', 'x'], 2, '--port: must be a whole number from 0 to 65535 (got x)'],
  [['--port', '65535', '--version'], 0, version],
  [['--prot', '1'], 2, "Unknown option '--prot'"],
  [['--version'], 0, version],
  [['--help'], 0, '--empty'],
  [['-h'], 0, '--quiet'],
])('triforge-emulator with %j exits with code %i', async (args, code, words) => {
  const result = await start(...args).ended;
  expect(result.code).toBe(code);
  expect(result.output).toContain(words);
});

test('triforge-emulator prints a one-line error if the port is in use', async () => {
  const url = new URL(await start('--port', '0').ready);
  const { code, output } = await start('--port', url.port).ended;
  expect(code).toBe(1);
  expect(output.trimEnd()).toMatch(
    /^triforge-emulator: port: must be free \(got \d+, which another process uses.*$/,
  );
});
