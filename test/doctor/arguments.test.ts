import { createServer, request as forward } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runDoctor } from '../../src/doctor/program.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { rejectionOf } from '../support/client.js';
import { listening } from '../support/server.js';
import { start } from './world.js';

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
  stub({
    TRIFORGE_SUPPORT_BASE_URL: at.supportUrl,
    TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
    TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
    TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
    TRIFORGE_CONSOLE_BASE_URL: at.consoleUrl,
    TRIFORGE_CONSOLE_LICENSE_MD5: consoleSeed.licenseMd5,
  });
  return { emulator, at };
}

describe('triforge-doctor', () => {
  it('examines the APIs configured in the environment', async () => {
    const { at } = await named();
    stub({ TRIFORGE_BASE_URL: at.hostingUrl, TRIFORGE_TOKEN: seeded.token });
    const { text, code } = await runDoctor([]);
    expect(code).toBe(0);
    expect(text).toMatch(/^Hosting API\n.*^Support API\n.*^Management Console API\n/ms);
    expect(text).toContain('No problems found');
  });

  it('prints JSON for --json and Markdown for --report', async () => {
    const { emulator } = await named();
    emulator.fail({ path: '/me' }, { kind: 'response', status: 403 }, { times: 99 });
    const json = await runDoctor(['--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.text)).toMatchObject({
      healthy: false,
      families: [{ family: 'support' }, { family: 'console' }],
    });
    expect(json.text).toMatch(/^\{\n {2}"healthy": false,.*\}\n$/s);
    const report = await runDoctor(['--report']);
    expect(report.code).toBe(1);
    expect(report.text).toContain('| credentials | rejected |');
  });

  it('exits with 2 if one API is unreachable', async () => {
    await named();
    stub({ TRIFORGE_SUPPORT_BASE_URL: 'http://127.0.0.1:1/' });
    const { text, code } = await runDoctor([]);
    expect(code).toBe(2);
    expect(text).toContain('ECONNREFUSED');
  });

  it('prints its usage for --help without sending requests', async () => {
    const { emulator } = await named();
    const { text, code } = await runDoctor(['--help']);
    expect(code).toBe(0);
    for (const word of ['--json', '--report', 'TRIFORGE_BASE_URL']) expect(text).toContain(word);
    expect(emulator.requests).toHaveLength(0);
  });

  it.each<[readonly string[], Readonly<Record<string, string>>, string]>([
    [[], {}, 'TRIFORGE_SUPPORT_BASE_URL'],
    [[], { TRIFORGE_BASE_URL: 'code' }, 'baseUrl'],
    [[], { TRIFORGE_BASE_URL: 'http://127.0.0.1:1', TRIFORGE_VENDOR: 'a b' }, 'vendor'],
    [['--token', 'x'], {}, '--token'],
    [['--json', '--report'], { TRIFORGE_BASE_URL: 'http://127.0.0.1:1' }, '--report'],
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

  it('uses the username, password and proxy from the environment', async () => {
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
