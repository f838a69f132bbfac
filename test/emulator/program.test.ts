import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { version } from '../../src/version.js';
import { certificate, privateKey } from '../socket/console-certificate.js';
import { createTemporaryFolder } from '../support/temporary-folder.js';
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
  expect(state).toMatchObject({ now: '2014-06-01T12:00:00.000Z', received: 2, faults: [] });
  expect(await (await fetch(`${url}/_emulator/status.js`)).text()).toContain('/connections.json');
  const connections = await (await fetch(`${url}/_emulator/connections.json`)).text();
  expect(connections).toContain(seeded.token);
  expect(JSON.stringify(state), 'the list of requests').not.toContain(seeded.token);
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
    const folder = await createTemporaryFolder();
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

test('triforge-emulator --quiet logs no requests', async () => {
  const { child, ended, ready } = start('--port', '0', '--quiet');
  await fetch(`${await ready}/api/v3/emojis`);
  child.kill('SIGTERM');
  expect((await ended).output).not.toMatch(/^\d{3} GET/m);
});

test.each([
  [['--port', 'x'], 2, '--port: must be a whole number from 0 to 65535 (got x)'],
  [['--prot', '1'], 2, "Unknown option '--prot'"],
  [['--version'], 0, version],
  [['--help'], 0, '--empty'],
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

test('triforge-emulator sets TRIFORGE variables for its command', async () => {
  // Settings for a real server. A command that runs against the emulator must not inherit them.
  vi.stubEnv('TRIFORGE_USERNAME', 'mona');
  vi.stubEnv('TRIFORGE_PROXY', 'http://127.0.0.1:9');
  vi.stubEnv('TRIFORGE_CONSOLE_LICENSE', 'license.ghl');
  onTestFinished(() => void vi.unstubAllEnvs());
  const code = `
    import { ConsoleClient, HostingClient, SupportClient } from '${triforge}';
    const starred = await HostingClient.fromEnv().starring.isStarred({ owner: 'acme', repo: 'rocket' });
    const { name } = await SupportClient.fromEnv().contacts.get({ contact_id: 7 });
    const { status } = await ConsoleClient.fromEnv().maintenance.get();
    console.log(starred, name, status, process.env.TRIFORGE_VENDOR);
    process.exit(7);`;
  const node = [process.execPath, '--input-type=module', '-e', code];
  const ran = await start('--vendor', 'acme', '--', ...node).ended;
  expect(ran).toEqual({ code: 7, output: 'false Dennis Huberman off acme\n' });
  expect(await start('--quiet', '--').ended).toMatchObject({
    code: 2,
    output: expect.stringContaining('--: must be followed by a command'),
  });
  const missing = await start('--', 'no-such-program').ended;
  expect([missing.code, missing.output]).toEqual([
    1,
    expect.stringMatching(/^triforge-emulator: .*ENOENT/),
  ]);
});

test('triforge-emulator passes TRIFORGE_LOG and unrelated variables to its command', async () => {
  vi.stubEnv('OF_MY_OWN', 'mine');
  vi.stubEnv('TRIFORGE_LOG', 'debug');
  onTestFinished(() => void vi.unstubAllEnvs());
  const code = 'console.log(process.env.OF_MY_OWN, process.env.TRIFORGE_LOG)';
  const { output } = await start('--', process.execPath, '-e', code).ended;
  expect(output).toBe('mine debug\n');
});

describe('triforge-emulator with a command', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'triforge-emulator forwards %s to its command',
    async (signal) => {
      const code = `
        setTimeout(() => process.exit(99), 60_000);
        process.once('${signal}', () => process.exit(5));
        console.log('up');`;
      const { child, ended, readOutput: output } = start('--', process.execPath, '-e', code);
      await expect.poll(output).toContain('up');
      child.kill(signal);
      expect((await ended).code).toBe(5);
    },
  );
});

test('triforge-emulator exits with 137 if SIGKILL ends its command', async () => {
  const code = `process.kill(process.pid, 'SIGKILL')`;
  expect((await start('--', process.execPath, '-e', code).ended).code).toBe(128 + 9);
});

test('triforge-emulator restarts with the world in the --state file', async () => {
  const folder = await createTemporaryFolder();
  const [seed, state] = [join(folder, 'world.yaml'), join(folder, 'state.json')];
  await writeFile(
    seed,
    'hosting: { accounts: [{ login: ada, password: pw }], repositories: [{ owner: ada, name: notes }] }',
  );
  const run = async (work: (url: string) => Promise<void>, world: string) => {
    const { child, ended, ready } = start('--port', '0', '--seed', seed, '--state', state);
    await work(await ready);
    child.kill('SIGTERM');
    const { code, output } = await ended;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^world/m);
    expect(output).toContain(world);
  };
  const starred = (url: string, method: string) =>
    fetch(`${url}/api/v3/user/starred/ada/notes`, {
      method,
      headers: { authorization: `Basic ${btoa('ada:pw')}` },
    });
  await run(async (url) => {
    expect((await starred(url, 'GET')).status).toBe(404);
    expect((await starred(url, 'PUT')).status).toBe(204);
    await expect.poll(async () => (await readFile(state, 'utf8')).includes('"ada":')).toBe(true);
  }, seed);
  await run(async (url) => {
    expect((await starred(url, 'GET')).status, 'after a restart').toBe(204);
  }, state);
});

test("triforge-emulator doesn't create the state file until the first write", async () => {
  const folder = await createTemporaryFolder();
  const { ready, readOutput } = start('--port', '0', '--state', join(folder, 'state.json'));
  const url = await ready;
  expect(readOutput(), 'no world is printed before the state file exists').not.toMatch(/^world/m);
  const headers = { authorization: `token ${seeded.token}` };
  const starred = `${url}/api/v3/user/starred/acme/rocket`;
  await fetch(starred, { headers });
  await fetch(starred, { method: 'HEAD', headers });
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await readdir(folder)).toEqual([]);
  await fetch(starred, { method: 'PUT', headers });
  await expect.poll(() => readdir(folder), { timeout: 5000 }).toEqual(['state.json']);
});

test("triforge-emulator exits with 1 and an error if it can't save its state", async () => {
  const folder = await createTemporaryFolder();
  const { child, ended, ready } = start('--port', '0', '--state', join(folder, 'state.json'));
  await ready;
  await rm(folder, { recursive: true });
  child.kill('SIGTERM');
  expect(await ended).toEqual({
    code: 1,
    output: expect.stringMatching(/^triforge-emulator: .*ENOENT/m),
  });
});
