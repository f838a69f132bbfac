import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { certificate, privateKey } from '../socket/console-certificate.js';
import { runExample } from './run-example.js';

const { owner, repo } = seeded;
const rocket = `${owner}/${repo}`;

async function listening() {
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { hostingUrl } = await emulator.listen();
  const env = { TRIFORGE_BASE_URL: hostingUrl, TRIFORGE_TOKEN: seeded.token };
  /** Runs an example that must succeed. @returns Its standard output. */
  const succeeds = async (name: string, args: readonly string[] = [], more = {}) => {
    const { code, stdout, stderr } = await runExample(name, { ...env, ...more }, args);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const sent = (method: string) =>
    emulator.requests.filter((each) => each.method === method).map(({ path }) => path);
  return { emulator, env, succeeds, sent };
}

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-example-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test('quickstart lists pull requests, publishes a release and catches a NotFoundError', async () => {
  const { succeeds } = await listening();
  const stdout = await succeeds('quickstart');
  expect(stdout).toContain('… 250 in total');
  expect(stdout).toContain('NotFoundError: pulls.get: 404');
  expect(stdout).toContain('v1.0.0 was published at');
});

test('release-with-assets resumes after a failed upload', async () => {
  const { emulator, env, succeeds, sent } = await listening();
  const folder = await folderWith({ 'app.zip': 'app', 'notes.txt': 'notes' });
  const args = ['v1.0.0', join(folder, 'app.zip'), join(folder, 'notes.txt')];
  emulator.fail({ query: { name: 'notes.txt' } }, { kind: 'response', status: 400 });
  const first = await runExample('release-with-assets', env, args);
  expect(first.code).toBe(1);
  const release = () =>
    emulator.hosting.state.repo(owner, repo)?.releases.find(({ tagName }) => tagName === 'v1.0.0');
  expect(release()?.draft, 'the incomplete release is a draft').toBe(true);

  expect(await succeeds('release-with-assets', args)).toMatch(/notes\.txt: 5 bytes\nv1\.0\.0 was/);
  expect(release()?.draft).toBe(false);
  const uploads = sent('POST').filter((path) => path.includes('/assets'));
  expect(
    uploads.filter((path) => path.includes('app.zip')),
    'uploads of app.zip',
  ).toHaveLength(1);
});

test('audit-organization prints a CSV line for each member and repository of each team', async () => {
  const { emulator, succeeds } = await listening();
  emulator.hosting.addTeam(owner, '=cmd, "quoted"', { members: [seeded.login] });
  const lines = (await succeeds('audit-organization', [owner])).trimEnd().split('\n');
  const teams = [...emulator.hosting.state.teams.values()].filter(({ org }) => org === owner);
  const pairs = teams.reduce((sum, { members, repos }) => sum + members.size + repos.size, 0);
  expect(lines[0]).toBe('team,permission,kind,name');
  expect(lines.length - 1, 'a line for each member and repository').toBe(pairs);
  expect(lines, 'no formula for a spreadsheet').toContain(
    `"'=cmd, ""quoted""",pull,member,${seeded.login}`,
  );
});

test('audit-organization prints only the error if a request fails', async () => {
  const { emulator, env } = await listening();
  const matcher = { method: 'GET', path: '/repos' };
  emulator.fail(matcher, { kind: 'response', status: 403, body: { message: 'Not yours' } });
  const { code, stdout, stderr } = await runExample('audit-organization', env);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/PermissionError: teams\.listRepos.*Not yours/);
});

test('edit-file reads the file again after a 409', async () => {
  const { emulator, succeeds, sent } = await listening();
  emulator.fail({ method: 'PUT', path: '/contents/' }, { kind: 'response', status: 409 });
  expect(await succeeds('edit-file', ['README.md', 'Fly.'])).toMatch(
    /^The file has changed. Trying again.\nCommit: [0-9a-f]{40}\n$/,
  );
  expect(sent('GET'), 'number of reads').toHaveLength(2);
  expect(await succeeds('edit-file', ['README.md', 'Fly.'])).toContain('Commit: none');
  expect(sent('PUT')).toHaveLength(2);
});

test('move-stars moves every star from the old account to the new account', async () => {
  const { emulator, succeeds } = await listening();
  const old = emulator.hosting.addToken('grace-5', ['public_repo']);
  const starred = [...emulator.hosting.state.repos.values()].filter(({ stargazers }) =>
    stargazers.has('grace-5'),
  );
  const before = starred.length;
  expect(before).toBeGreaterThan(3);
  const stdout = await succeeds('move-stars', ['grace-5'], { OLD_TOKEN: old.token });
  expect(stdout).toMatch(new RegExp(`\\b${before} stars moved\n$`));
  for (const { stargazers } of starred) {
    expect([stargazers.has('grace-5'), stargazers.has(seeded.login)]).toEqual([false, true]);
  }
});

test("rotate-hook-secrets changes only the secret in a hook's config", async () => {
  const { emulator, succeeds, env } = await listening();
  const config = { url: 'https://hooks.example.com/', content_type: 'json', insecure_ssl: '0' };
  const hook = emulator.hosting.addHook(rocket, { ...config, secret: 'old' });
  const secret = 'a new secret of thirty characters';
  const stdout = await succeeds('rotate-hook-secrets', [rocket], { HOOK_SECRET: secret });
  expect(stdout).toContain(`hook ${hook.id}, to https://hooks.example.com/`);
  expect(stdout).not.toContain(secret);
  expect(emulator.hosting.state.repo(owner, repo)?.hooks.find(({ id }) => id === hook.id)).toEqual(
    expect.objectContaining({ config: { ...config, secret } }),
  );
  expect((await runExample('rotate-hook-secrets', { ...env, HOOK_SECRET: 'short' })).code).toBe(1);
});

test('check-pull-request exits with 1 if the changelog is unchanged', async () => {
  const { emulator, env } = await listening();
  const event = { number: 7, repository: { full_name: rocket } };
  const folder = await folderWith({ 'event.json': JSON.stringify(event), output: '' });
  const output = join(folder, 'output');
  const { code, stdout, stderr } = await runExample('check-pull-request', {
    ...env,
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_OUTPUT: output,
  });
  expect(code, stderr).toBe(1);
  expect(stdout).toBe('#7 does not change the changelog\n');
  expect(await readFile(output, 'utf8')).toBe('changelog=false\n');
  const comments = emulator.hosting.state.repo(owner, repo)?.comments ?? [];
  expect(comments.at(-1)?.body).toContain('CHANGELOG.md');
});

test('trace-with-opentelemetry creates a child span for each attempt and sends traceparent', async () => {
  const { emulator, env, succeeds } = await listening();
  emulator.fail({ query: { page: '2' } }, { kind: 'response', status: 502 });
  emulator.fail({ query: { page: '2' } }, { kind: 'reset' });
  const stdout = await succeeds('trace-with-opentelemetry');
  expect(stdout.match(/name: 'GET starring\.listStarred'/g)).toHaveLength(4);
  expect(stdout).toContain("'error.type': '502'");
  expect(stdout).toContain("'error.type': 'connection'");
  expect(stdout).toContain("'http.request.resend_count': 1");
  expect(stdout).toContain(`'server.port': ${new URL(env.TRIFORGE_BASE_URL).port}`);
  const [root] = /traceId: '\w+'/.exec(stdout) ?? [''];
  for (const { headers } of emulator.requests) {
    const [, traceId, id] = /^00-(\w+)-(\w+)-01$/.exec(headers.traceparent ?? '') ?? [];
    expect(root).toBe(`traceId: '${traceId}'`);
    expect(stdout).toContain(`id: '${id}'`);
  }
  expect(emulator.requests).toHaveLength(4);
  expect(stdout.split(root).length, 'one trace').toBe(stdout.split('traceId: ').length);
});

test('log-with-pino logs each attempt as JSON without the token', async () => {
  const { emulator, succeeds } = await listening();
  emulator.fail({ query: { page: '2' } }, { kind: 'response', status: 502 });
  const stdout = await succeeds('log-with-pino');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const levels = lines.filter(({ client }) => client === 'hosting').map(({ level }) => level);
  expect(levels, 'two pages, the second of which is retried').toEqual([30, 40, 40, 30]);
  expect(lines.at(-1)).toMatchObject({ msg: 'done', starred: 40 });
  expect(stdout).not.toContain(seeded.token);
});

test('parallel-crawl counts all open and closed pull requests with 13 requests', async () => {
  const { emulator, succeeds, sent } = await listening();
  const pulls = emulator.hosting.state.repo(owner, repo)?.pulls ?? [];
  const count = (state: string) => pulls.filter((pull) => pull.state === state).length;
  const lines = (await succeeds('parallel-crawl', ['4'])).trimEnd().split('\n');
  expect(new Set(lines)).toEqual(new Set([`open: ${count('open')}`, `closed: ${count('closed')}`]));
  expect(sent('GET')).toHaveLength(13);
});

test('stay-within-limits stars every repository despite a secondary rate limit', async () => {
  const { emulator, succeeds, sent } = await listening();
  const limit = {
    kind: 'secondaryLimit',
    requests: 3,
    per: 200,
    pause: 1000,
    writes: true,
  } as const;
  for (let at = 0; at < 5; at++) emulator.hosting.addRepo('acme', `extra-${at}`);
  emulator.fail({}, limit);
  const stdout = await succeeds('stay-within-limits', ['acme']);
  const [, count] = /^(\d+) repositories starred/m.exec(stdout) ?? [];
  expect(new Set(sent('PUT')).size).toBe(Number(count));
  expect(Number(count)).toBeGreaterThan(5);
});

/** Forwards bytes in both directions until either side closes. */
function tie(near: Duplex, far: Duplex): void {
  near.pipe(far).pipe(near);
  for (const each of [near, far]) each.on('error', () => undefined);
  near.on('close', () => far.destroy());
  far.on('close', () => near.destroy());
}

async function getPort(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

test('proxy-and-private-ca connects through the proxy only with the private CA', async () => {
  const { env } = await listening();
  const behind = Number(new URL(env.TRIFORGE_BASE_URL).port);
  const tls = await getPort(
    createTlsServer({ cert: certificate, key: privateKey }, (near) => {
      tie(near, connect(behind, '127.0.0.1'));
    }),
  );
  const requests: string[] = [];
  const proxy = createHttpServer().on('connect', ({ url = '' }, near: Socket) => {
    requests.push(url);
    const far = connect(tls, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n');
      tie(near, far);
    });
    far.on('error', () => near.destroy());
  });
  const folder = await folderWith({ 'ca.pem': certificate });
  const throughProxy = {
    ...env,
    TRIFORGE_BASE_URL: `https://localhost:${tls}/api/v3/`,
    HTTPS_PROXY: `http://127.0.0.1:${await getPort(proxy)}`,
    NO_PROXY: '',
  };
  const ca = { COMPANY_CA: join(folder, 'ca.pem') };
  const trusting = await runExample('proxy-and-private-ca', { ...throughProxy, ...ca });
  expect(trusting.stdout, trusting.stderr).toMatch(/^Connected: \d+ requests left\n$/);
  const wary = await runExample('proxy-and-private-ca', { ...throughProxy, COMPANY_CA: '' });
  expect(wary.code).toBe(1);
  expect(wary.stderr).toMatch(/certificate/);
  expect(new Set(requests)).toEqual(new Set([`localhost:${tls}`]));
});
