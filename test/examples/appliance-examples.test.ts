import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type ConsoleEmulator,
  consoleSeed,
  createEmulator,
  type Emulator,
} from '../../src/testing/index.js';
import { runExample } from './run-example.js';

/** Runs an example against an emulated appliance that `set` prepares. */
async function run(
  name: string,
  set: (appliance: ConsoleEmulator, emulator: Emulator) => void,
  seed = true,
) {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-appliance-'));
  const emulator = createEmulator({ seed });
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true });
  });
  const [license, pack] = [join(folder, 'license.ghl'), join(folder, 'release-2.0.0.pkg')];
  await writeFile(license, consoleSeed.license);
  await writeFile(pack, Buffer.alloc(3_000_000));
  const { consoleUrl } = await emulator.listen();
  set(emulator.console, emulator);
  const env = {
    TRIFORGE_CONSOLE_BASE_URL: consoleUrl,
    TRIFORGE_CONSOLE_LICENSE_MD5: consoleSeed.licenseMd5,
    INTERVAL: '10',
  };
  const args = name === 'install-appliance' ? [consoleUrl, license, pack] : [pack];
  const ran = await runExample(name, env, args);
  return { ...ran, lines: ran.stdout.split('\n'), appliance: emulator.console };
}

const ofSteps = (lines: readonly string[]) =>
  lines.filter((line) => /^(?:DONE|CONFIGURING|configuration)/.test(line));

/** Expected output for a run after the settings change. This run skips storage. */
const reconfigured = [
  'CONFIGURING: Updating configuration',
  'configuration: running',
  'DONE: Updating configuration',
  'CONFIGURING: Reloading system services',
  'DONE: Reloading system services',
  'CONFIGURING: Reloading application services',
  'DONE: Reloading application services',
  'configuration: success',
];

test('upgrade-appliance completes an upgrade despite two restarts', async () => {
  const { code, stderr, lines, appliance } = await run('upgrade-appliance', (each, emulator) => {
    each.staleStatus(2);
    each.slowStep('Updating configuration', 20);
    const polls = { path: '/configcheck' };
    const body = '<html><body>The appliance is starting</body></html>';
    emulator.fail(polls, { kind: 'refuse', ms: 150 }, { after: 5 });
    emulator.fail(polls, { kind: 'response', status: 503, body }, { after: 5, times: 2 });
    emulator.fail(polls, { kind: 'refuse', ms: 50 }, { after: 10 });
  });
  expect(code, stderr).toBe(0);
  expect(ofSteps(lines)).toEqual([
    'CONFIGURING: Preparing storage device',
    'configuration: running',
    'DONE: Preparing storage device',
    'CONFIGURING: Updating configuration',
    'DONE: Updating configuration',
    'CONFIGURING: Reloading system services',
    'DONE: Reloading system services',
    'CONFIGURING: Reloading application services',
    'DONE: Reloading application services',
    'configuration: success',
    ...reconfigured,
  ]);
  expect(lines).toContain('Upgraded from 1.0.0 to 2.0.0');
  expect(lines).toContain('Reconfigured');
  expect(appliance.settings).toMatchObject({ enterprise: { private_mode: true } });
  expect(appliance.uploads).toMatchObject([{ name: 'package', size: 3_000_000 }]);
});

test('upgrade-appliance exits with 1 and names the failed step', async () => {
  const { code, lines, stderr } = await run('upgrade-appliance', (each) =>
    each.failStep('Reloading system services'),
  );
  expect(code).toBe(1);
  expect(stderr).toContain('Failed at: Reloading system services');
  expect(lines.join('\n')).not.toContain('Upgraded');
});

test('install-appliance installs a bare appliance and applies the settings', async () => {
  const { code, stderr, lines, appliance } = await run(
    'install-appliance',
    (_each, emulator) =>
      emulator.fail({ path: '/configcheck' }, { kind: 'response', status: 404 }, { times: 3 }),
    false,
  );
  expect(code, stderr).toBe(0);
  expect(lines).toContain('Installed');
  expect(appliance.licenseMd5).toBe(consoleSeed.licenseMd5);
  expect(appliance.settings).toMatchObject({ enterprise: { private_mode: true } });
});

test('maintenance-window turns maintenance off after the last connection closes', async () => {
  const { code, stderr, lines, appliance } = await run('maintenance-window', (each) =>
    each.setConnections('git operations', 3),
  );
  expect(code, stderr).toBe(0);
  expect(lines).toContain('No activity: version 1.0.0 can be backed up');
  expect(appliance.maintenance).toBe('off');
});
