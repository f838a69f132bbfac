import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { healthy, repository } from './world.js';

const program = join(inject('programs'), 'src/doctor/cli.js');

/** Runs it with nothing in its environment but this. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.errors += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, ...said };
}

test('examines what the environment names, as a table, as JSON, and for a bug tracker', async () => {
  const { emulator, at } = await healthy();
  const env = {
    TRIFORGE_BASE_URL: at.hostingUrl,
    TRIFORGE_TOKEN: seeded.token,
    TRIFORGE_SUPPORT_BASE_URL: at.supportUrl,
    TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
    TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
    TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
    TRIFORGE_CONSOLE_BASE_URL: at.consoleUrl,
    TRIFORGE_CONSOLE_LICENSE_MD5: consoleSeed.licenseMd5,
  };
  const table = await run(['--repo', repository], env);
  expect(table).toMatchObject({ code: 0, errors: '' });
  expect(table.out).toContain('Management Console API\n');
  expect(table.out).toContain('Nothing is wrong.');

  emulator.fail({ path: '/hooks' }, { kind: 'answer', status: 500 }, { times: 99 });
  const json = await run(['--repo', repository, '--json'], env);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ healthy: false, families: [{}, {}, {}] });
  const report = await run(['--repo', repository, '--report'], env);
  expect(report.code).toBe(1);
  expect(report.out).toContain('| hooks.list | FAILS | the server answers 500 |');
  for (const secret of [...Object.values(env), seeded.repo]) {
    expect(report.out + json.out + table.out).not.toContain(secret);
  }
});

test('goes the way, and by the name and password, that fromEnv would', async () => {
  const { at } = await healthy();
  const { host } = new URL(at.hostingUrl);
  const asked: string[] = [];
  // What it is asked as a proxy names the server in full.
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { method, headers } = request;
    forward(request.url ?? '', { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  const address = proxy.address();
  const env = {
    TRIFORGE_BASE_URL: at.hostingUrl,
    TRIFORGE_USERNAME: seeded.login,
    TRIFORGE_PASSWORD: seeded.password,
    TRIFORGE_PROXY: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
  };
  const { code, out, errors } = await run(['--repo', repository], env);
  expect({ code, errors }, out).toEqual({ code: 0, errors: '' });
  expect(asked.length).toBeGreaterThan(40);
  expect(asked.every((url) => url.startsWith(`http://${host}/`))).toBe(true);
});

test('ends with 2 where it could not look', async () => {
  const nobody = await run([], { TRIFORGE_BASE_URL: 'http://127.0.0.1:1' });
  expect(nobody).toMatchObject({ code: 2, errors: '' });
  expect(nobody.out).toContain('ECONNREFUSED');
});

test.each<[readonly string[], Record<string, string>, string]>([
  [[], {}, 'set TRIFORGE_BASE_URL, TRIFORGE_SUPPORT_BASE_URL or TRIFORGE_CONSOLE_BASE_URL'],
  [[], { TRIFORGE_BASE_URL: 'code' }, 'TRIFORGE_BASE_URL: expected'],
  [
    [],
    { TRIFORGE_SUPPORT_BASE_URL: 'https://code.example.test' },
    'auth: expected the variables TRIFORGE_SUPPORT_USER_NAME',
  ],
  [
    [],
    { TRIFORGE_BASE_URL: 'https://code.example.test', TRIFORGE_TOKEN: 'x', TRIFORGE_USERNAME: 'y' },
    'TRIFORGE_TOKEN, TRIFORGE_USERNAME: expected the variables of one way',
  ],
  [['--token', 'x'], {}, "Unknown option '--token'"],
  [['--json', '--report'], {}, '--json: excludes --report'],
  [['--timeout', '0'], {}, '--timeout: expected milliseconds'],
])('%j with %j is refused', async (args, env, message) => {
  const { code, out, errors } = await run(args, env);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(errors).toMatch(/^triforge-doctor: /);
  expect(errors).toContain(message);
});

test('says how it is used', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  expect(out).toContain('hosting API, with TRIFORGE_TOKEN');
});
