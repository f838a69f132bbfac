import { spawn } from 'node:child_process';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { runDoctor } from '../../src/doctor/program.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { rejectionOf } from '../support/client.js';
import { listening } from '../support/server.js';
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

/** Returns the environment variables for an emulator's support and console APIs. */
const variablesOf = (at: Awaited<ReturnType<typeof start>>['at']) => ({
  TRIFORGE_SUPPORT_BASE_URL: at.supportUrl,
  TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
  TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
  TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
  TRIFORGE_CONSOLE_BASE_URL: at.consoleUrl,
  TRIFORGE_CONSOLE_LICENSE_MD5: consoleSeed.licenseMd5,
});

test('the program reports on all three APIs as a table and JSON', async () => {
  const { emulator, at } = await start();
  const env = {
    TRIFORGE_BASE_URL: at.hostingUrl,
    TRIFORGE_TOKEN: seeded.token,
    ...variablesOf(at),
  };
  const table = await run([], env);
  expect(table).toMatchObject({ code: 0, errors: '' });
  expect(table.out).toMatch(/^Hosting API\n.*^Support API\n.*^Management Console API\n/ms);
  expect(table.out).toContain('No problems found');

  emulator.fail({ path: '/me' }, { kind: 'response', status: 403 }, { times: 99 });
  const json = await run(['--json'], env);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({
    healthy: false,
    families: [{ family: 'hosting' }, { family: 'support' }, { family: 'console' }],
  });
  expect(json.out).toMatch(/^\{\n {2}"healthy": false,.*\}\n$/s);
  for (const secret of Object.values(env)) {
    expect(json.out + table.out).not.toContain(secret);
  }
});

test('the program exits with code 2 if an option is unknown', async () => {
  const { code, out, errors } = await run(['--token', 'x']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(errors).toMatch(/^triforge-doctor: Unknown option '--token'/);
});

test('the program installs no global dispatcher', async () => {
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

beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('TRIFORGE_')) vi.stubEnv(name, undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const stub = (variables: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};

/** Starts an emulator and sets the environment variables for its support and console APIs. */
async function named() {
  const { emulator, at } = await start();
  stub(variablesOf(at));
  return { emulator, at };
}

describe('runDoctor()', () => {
  test('exits with code 2 if one API is unreachable', async () => {
    await named();
    stub({ TRIFORGE_SUPPORT_BASE_URL: 'http://127.0.0.1:1/' });
    const { text, code } = await runDoctor([]);
    expect(code).toBe(2);
    expect(text).toContain('ECONNREFUSED');
  });

  test('prints its usage for --help without sending requests', async () => {
    const { emulator } = await named();
    const { text, code } = await runDoctor(['--help']);
    expect(code).toBe(0);
    for (const word of ['--json', 'TRIFORGE_BASE_URL', 'TRIFORGE_TOKEN'])
      expect(text).toContain(word);
    expect(emulator.requests).toHaveLength(0);
  });

  test.each<[readonly string[], Readonly<Record<string, string>>, string]>([
    [[], {}, 'TRIFORGE_SUPPORT_BASE_URL'],
    [[], { TRIFORGE_BASE_URL: 'http://127.0.0.1:1', TRIFORGE_VENDOR: 'a b' }, 'vendor'],
  ])(
    'rejects the arguments %j and the environment %j with an error that names %s',
    async (args, env, name) => {
      stub(env);
      expect(await rejectionOf(runDoctor(args))).toHaveProperty(
        'message',
        expect.stringContaining(name),
      );
    },
  );

  test('uses the username, password and proxy from the environment', async () => {
    const { at } = await named();
    const requests: string[] = [];
    // A proxy receives the complete URL in the request line.
    const proxy = createServer((request, response) => {
      requests.push(request.url ?? '');
      const { method, headers } = request;
      forward(request.url ?? '', { method, headers }, (result) => {
        response.writeHead(result.statusCode ?? 500, result.headers);
        result.pipe(response);
      }).end();
    });
    const { origin: url } = await listening(proxy);
    stub({ TRIFORGE_SUPPORT_BASE_URL: '', TRIFORGE_CONSOLE_BASE_URL: '', no_proxy: '127.0.0.1' });
    stub({ TRIFORGE_BASE_URL: at.hostingUrl });
    stub({
      TRIFORGE_TOKEN: '',
      TRIFORGE_USERNAME: seeded.login,
      TRIFORGE_PASSWORD: seeded.password,
    });
    stub({ TRIFORGE_PROXY: url });
    expect(await runDoctor([])).toMatchObject({ code: 0 });
    const whole = requests.splice(0);
    expect(whole).toHaveLength(1);
    expect(whole.every((each) => each.startsWith(at.url))).toBe(true);
    stub({ TRIFORGE_BASE_URL: '', TRIFORGE_CONSOLE_BASE_URL: at.consoleUrl });
    stub({ TRIFORGE_CONSOLE_PROXY: 'env', http_proxy: url, no_proxy: '' });
    expect(await runDoctor([])).toMatchObject({ code: 0 });
    expect(requests).toHaveLength(1);
  });
});
