import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished, test, vi } from 'vitest';
import { start, triforge } from './program-process.js';

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
  expect(await start('--', process.execPath, '-e', code).ended).toEqual({
    code: 0,
    output: 'mine debug\n',
  });
});

test('triforge-doctor finds no problems in triforge-emulator', async () => {
  const doctor = join(inject('programs'), 'src/doctor/cli.js');
  const { code, output } = await start('--', process.execPath, doctor).ended;
  expect(output).toContain('No problems found.');
  expect(code).toBe(0);
});

describe('triforge-emulator with a command', () => {
  /** Counts SIGINT signals. On SIGTERM, exits with that count. Without a SIGTERM, exits after one minute. */
  const counting = `
    let count = 0;
    setTimeout(() => process.exit(99), 60_000);
    process.on('SIGINT', () => console.log('interrupted', ++count));
    process.once('SIGTERM', () => process.exit(count));
    console.log('up');`;

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

  it('triforge-emulator forwards each SIGINT until its command exits', async () => {
    const { child, ended, readOutput: output } = start('--', process.execPath, '-e', counting);
    await expect.poll(output).toContain('up');
    for (const count of [1, 2]) {
      child.kill('SIGINT');
      await expect.poll(output).toContain(`interrupted ${count}`);
    }
    child.kill('SIGTERM');
    expect((await ended).code).toBe(2);
  });
});

test('triforge-emulator exits with 137 if SIGKILL ends its command', async () => {
  const code = `process.kill(process.pid, 'SIGKILL')`;
  expect((await start('--', process.execPath, '-e', code).ended).code).toBe(128 + 9);
});
