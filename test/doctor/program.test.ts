import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, test } from 'vitest';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { start } from './world.js';

const program = join(inject('programs'), 'src/doctor/cli.js');

/** Runs the program with only the variables in `env`. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.errors += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, ...output };
}

test('triforge-doctor reports on all three APIs as a table, JSON and Markdown', async () => {
  const { emulator, at } = await start();
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
  const table = await run([], env);
  expect(table).toMatchObject({ code: 0, errors: '' });
  expect(table.out).toContain('Management Console API\n');
  expect(table.out).toContain('No problems found');

  emulator.fail({ path: '/me' }, { kind: 'response', status: 403 }, { times: 99 });
  const json = await run(['--json'], env);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ healthy: false, families: [{}, {}, {}] });
  const report = await run(['--report'], env);
  expect(report.code).toBe(1);
  expect(report.out).toContain('| credentials | rejected | the server rejects the credentials');
  for (const secret of Object.values(env)) {
    expect(report.out + json.out + table.out).not.toContain(secret);
  }
});

test('triforge-doctor exits with 2 if a server is unreachable', async () => {
  const nobody = await run([], { TRIFORGE_BASE_URL: 'http://127.0.0.1:1' });
  expect(nobody).toMatchObject({ code: 2, errors: '' });
  expect(nobody.out).toContain('ECONNREFUSED');
});

test('triforge-doctor exits with 2 if an option is unknown', async () => {
  const { code, out, errors } = await run(['--token', 'x']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(errors).toMatch(/^triforge-doctor: Unknown option '--token'/);
});

test('triforge-doctor prints its usage for --help', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  expect(out).toContain('TRIFORGE_TOKEN');
});

test('triforge-doctor installs no global dispatcher', async () => {
  const code = `import(${JSON.stringify(pathToFileURL(program).href)}).then(() =>
    console.log(Symbol.for('undici.globalDispatcher.1') in globalThis))`;
  const child = spawn(process.execPath, ['-e', code], { env: {} });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(out).toBe('false\n');
});
