import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ConsoleEmulator, consoleSeed, createEmulator } from '../../src/testing/index.js';
import { runExample } from './run-example.js';

/** Runs an example against an appliance that behaves as `set` says. */
async function run(name: string, set: (appliance: ConsoleEmulator) => void, seed = true) {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-appliance-'));
  const emulator = createEmulator({ seed });
  onTestFinished(async () => {
    await emulator.close();
    await rm(folder, { recursive: true });
  });
  await writeFile(join(folder, 'license.ghl'), consoleSeed.license);
  await writeFile(join(folder, 'release-2.0.0.pkg'), Buffer.alloc(3_000_000));
  const { consoleUrl } = await emulator.listen();
  set(emulator.console);
  const ran = await runExample(name, {
    TRIFORGE_CONSOLE_URL: consoleUrl,
    TRIFORGE_LICENSE: join(folder, 'license.ghl'),
    TRIFORGE_PACKAGE: join(folder, 'release-2.0.0.pkg'),
    TRIFORGE_INTERVAL: '10',
  });
  const lines = ran.stdout.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
  return { ...ran, lines, appliance: emulator.console };
}

const ofSteps = (lines: readonly string[]) =>
  lines.filter((line) => /^(?:DONE|CONFIGURING|configuration)/.test(line));

test('an upgrade over a stale success, two restarts and a slow step ends well, its steps in order', async () => {
  const { code, stderr, lines, appliance } = await run('upgrade-appliance', (each) => {
    each.staleStatus(2);
    each.slowStep('Updating configuration', 20);
    each.restartAt('Reloading system services', { refuse: 150, unavailable: 2 });
    each.restartAt('Reloading application services', { refuse: 50 });
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
  ]);
  expect(lines).toContain('Upgrading from 1.0.0');
  expect(lines).toContain('Upgraded to 2.0.0');
  expect(appliance.uploads).toMatchObject([{ name: 'package', size: 3_000_000 }]);
});

test('an upgrade whose step FAILED exits with 1 and names the step', async () => {
  const { code, lines } = await run('upgrade-appliance', (each) =>
    each.failStep('Reloading system services'),
  );
  expect(code).toBe(1);
  expect(lines).toContain('Failed at: Reloading system services');
  expect(lines.join('\n')).not.toContain('Upgraded');
});

test('install-appliance brings a bare appliance up', async () => {
  const { code, stderr, lines, appliance } = await run(
    'install-appliance',
    (each) => each.lateStatus(3),
    false,
  );
  expect(code, stderr).toBe(0);
  expect(lines).toContain('Installed');
  expect(appliance.licenseMd5).toBe(consoleSeed.licenseMd5);
  expect(appliance.settings).toMatchObject({ enterprise: { private_mode: true } });
});

test('maintenance-window waits until nobody is at work', async () => {
  const { code, stderr, lines, appliance } = await run('maintenance-window', (each) =>
    each.setConnections('git operations', 3),
  );
  expect(code, stderr).toBe(0);
  expect(lines).toContain('Nobody is at work: 1.0.0 may be backed up');
  expect(appliance.maintenance).toBe('off');
});
