import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { OAuthWebFlow } from '../../src/hosting/index.js';
import { HostingClient } from '../../src/index.js';
import { consoleSeed, seeded } from '../../src/testing/index.js';
import { version } from '../../src/version.js';

const program = join(inject('programs'), 'src/testing/cli.js');
const triforge = pathToFileURL(join(inject('programs'), 'src/index.js'));

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, said }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const url = /(http:\S+)\/_emulator/.exec(said)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
    child.once('close', () => reject(new Error(`it ended, and said: ${said}`)));
  });
  ready.catch(() => undefined); // only some tests wait for it
  return { child, ended, ready };
}

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body) });

test('serves clients, shows its state, and is steered over HTTP', async () => {
  const { child, ended, ready } = start('--port', '0');
  const url = await ready;
  await using hosting = new HostingClient({
    baseUrl: `${url}/api/v3/`,
    auth: { type: 'token', token: seeded.token },
    retry: false,
  });
  const fault = { kind: 'answer', status: 503, body: { message: 'resting' } };
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
  const page = await (await fetch(`${url}/_emulator`)).text();
  expect(page).toContain('2014-06-01T12:01:30.000Z');
  expect(page).toMatch(/hang.*any method any path.*3/);
  expect(page, 'no credential').not.toContain(seeded.token);

  expect((await fetch(`${url}/_emulator/faults`, { method: 'DELETE' })).status).toBe(204);
  expect((await post(`${url}/_emulator/reset`, undefined)).status).toBe(204);
  expect(await (await fetch(`${url}/_emulator/state.json`)).json()).toMatchObject({
    now: '2014-06-01T12:00:00.000Z',
    received: 0,
    faults: [],
  });
  child.kill('SIGTERM');
  const { code, said } = await ended;
  expect(code).toBe(0);
  expect(said, 'a log of requests').toMatch(
    /^503 GET {4}\/api\/v3\/repos\/acme\/rocket\/pulls\/7$/m,
  );
});

test('begins with nothing in it where it is told so', async () => {
  const url = await start('--port', '0', '--empty').ready;
  const state = await (await fetch(`${url}/_emulator/state.json`)).json();
  expect(state).toMatchObject({ families: { hosting: { accounts: 0 } } });
});

test.each([
  [['--port', 'x'], 1, '--port: expected a number from 0 to 65535, got x'],
  [['--vendor', 'a b'], 1, '--vendor: expected letters and digits'],
  [['--prot', '1'], 1, "Unknown option '--prot'"],
  [['--version'], 0, version],
  [['--help'], 0, '--empty'],
  [['-h'], 0, '--quiet'],
])('%j ends with %i', async (args, code, words) => {
  const result = await start(...args).ended;
  expect(result.code).toBe(code);
  expect(result.said).toContain(words);
});

test('a command finds the emulator in its environment, and its exit code is that of the program', async () => {
  // Of a real server, which no program meets that is run against the emulator.
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
  expect(ran).toEqual({ code: 7, said: 'false Dennis Huberman off acme\n' });
  expect((await start('--quiet', '--').ended).said).toContain('--: expected a command after it');
  const missing = await start('--', 'no-such-program').ended;
  expect([missing.code, missing.said]).toEqual([
    1,
    expect.stringMatching(/^triforge-emulator: .*ENOENT/),
  ]);
});

test('a port in use is told in one line', async () => {
  const url = new URL(await start('--port', '0').ready);
  const { code, said } = await start('--port', url.port).ended;
  expect(code).toBe(1);
  expect(said.trimEnd()).toMatch(/^triforge-emulator: .*EADDRINUSE.*$/);
});

test('what a page or another program asks: the requests as they come, one as curl, the license file', async () => {
  const { child, ended, ready } = start('--port', '0', '--quiet');
  const url = await ready;
  const stop = new AbortController();
  const events = await fetch(`${url}/_emulator/events`, { signal: stop.signal });
  expect(events.headers.get('content-type')).toBe('text/event-stream');
  const statuses: { received: number }[] = [];
  const seen = (async () => {
    let text = '';
    for await (const piece of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      statuses.push(...whole.map((each) => JSON.parse(each.replace(/^data: /, ''))));
      if (statuses.at(-1)?.received === 1) return;
    }
  })();
  await fetch(`${url}/api/v2/contact/1/tag?access_token=secret-session`, {
    method: 'POST',
    headers: { authorization: 'token 0123', 'content-type': 'application/json' },
    body: JSON.stringify({ name: "it's", password: 'hidden word' }),
  });
  await seen;
  stop.abort();
  expect(statuses.map(({ received }) => received)).toEqual([0, 1]);
  // `as`: what it holds is looked at below.
  const request = (await (await fetch(`${url}/_emulator/requests/1`)).json()) as {
    readonly headers: Record<string, string>;
    readonly curl: string;
  };
  expect(request).toMatchObject({ id: 1, method: 'POST', status: 400, body: { name: "it's" } });
  expect(request.curl).toBe(
    `curl -X POST '${url}/api/v2/contact/1/tag?access_token='"$SECRET"'' ` +
      Object.entries(request.headers)
        .filter(([name]) => !/^(?:accept-encoding|connection|content-length|host)$/.test(name))
        .map(([name, value]) => `-H '${name}: ${value.replace('***', `'"$SECRET"'`)}'`)
        .join(' ') +
      ` --data-raw '{"name":"it'\\''s","password":"'"$SECRET"'"}'`,
  );
  expect(request.curl).toContain(`-H 'authorization: token '"$SECRET"''`);
  expect((await fetch(`${url}/_emulator/requests/2`)).status).toBe(404);
  const license = await fetch(`${url}/_emulator/license`);
  expect(license.headers.get('content-disposition')).toContain('license.ghl');
  expect(Buffer.from(await license.arrayBuffer())).toEqual(consoleSeed.license);
  child.kill('SIGTERM');
  expect((await ended).said, 'quiet').not.toContain('401 POST');
});

test('an application is made over HTTP, and any port of this machine is a callback of it', async () => {
  const { ready } = start('--port', '0', '--quiet');
  const url = await ready;
  const made = await post(`${url}/_emulator/applications`, { name: 'Star Map' });
  // `as`: what it holds is looked at below.
  const application = (await made.json()) as { readonly clientId: string };
  expect([made.status, application]).toMatchObject([201, { name: 'Star Map', anyPort: true }]);
  expect(application.clientId).toHaveLength(20);
  for (const clientId of [seeded.clientId, application.clientId]) {
    const flow = new OAuthWebFlow({ authUrl: url, clientId, clientSecret: 'x'.repeat(40) });
    const asked = flow.authorizeUrl({ redirectUri: 'http://localhost:3000/callback/done' });
    expect((await fetch(asked.url)).status).toBe(200);
    await flow.close();
  }
});

test('begins with a world of one’s own, keeps its state in a file, and goes on from it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-program-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [seed, state] = [join(folder, 'world.yaml'), join(folder, 'state.json')];
  await writeFile(
    seed,
    'hosting: { accounts: [{ login: ada, password: pw }], repositories: [{ owner: ada, name: notes }] }',
  );
  const run = async (work: (url: string) => Promise<void>) => {
    const { child, ended, ready } = start('--port', '0', '--seed', seed, '--state', state);
    await work(await ready);
    child.kill('SIGTERM');
    const { code, said } = await ended;
    expect(code, said).toBe(0);
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
  });
  await run(async (url) => {
    expect((await starred(url, 'GET')).status, 'after a restart').toBe(204);
    const world = await (await fetch(`${url}/_emulator/world.json`)).text();
    expect(await (await fetch(`${url}/_emulator/world.yaml`)).text()).toContain('login: ada');
    await starred(url, 'DELETE');
    const put = (body: string) => fetch(`${url}/_emulator/world.json`, { method: 'PUT', body });
    expect((await put(world)).status).toBe(204);
    expect((await starred(url, 'GET')).status, 'put back').toBe(204);
    const refused = await put('{"hosting":{"accounts":[{}]}}');
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('world: hosting.accounts[0].login: '),
    ]);
    expect((await starred(url, 'GET')).status, 'and nothing is lost by it').toBe(204);
  });
});

test('a world that is none ends it with the path of the field', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-program-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const seed = join(folder, 'world.json');
  await writeFile(seed, '{"hosting":{"accounts":[{"login":3}]}}');
  const { code, said } = await start('--seed', seed).ended;
  expect([code, said]).toEqual([
    1,
    expect.stringContaining(`${seed}: hosting.accounts[0].login: `),
  ]);
});
