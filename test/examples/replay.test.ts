import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  consoleSeed,
  createEmulator,
  createRecorder,
  type Emulator,
  replay,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { runExample } from './run-example.js';

/** Returns the environment variables that configure an example for a server's URL. */
type Environment = (url: string) => Record<string, string>;

const hosting: Environment = (url) => ({
  TRIFORGE_BASE_URL: `${url}/api/v3/`,
  TRIFORGE_TOKEN: seeded.token,
});
const support: Environment = (url) => ({
  TRIFORGE_SUPPORT_BASE_URL: `${url}/api/v2/`,
  TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
  TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
  TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
});
const appliance: Environment = (url) => ({
  TRIFORGE_CONSOLE_BASE_URL: url,
  TRIFORGE_CONSOLE_LICENSE_MD5: consoleSeed.licenseMd5,
  INTERVAL: '10',
});

/** Examples that cover lists, writes, uploads, sessions and forms. */
const examples: Record<string, Environment> = {
  'audit-organization': hosting,
  'edit-file': hosting,
  'install-appliance': appliance,
  'maintenance-window': appliance,
  'open-case': support,
  quickstart: hosting,
  'sync-contacts': support,
  'upgrade-appliance': appliance,
};

/** Replaces URLs, times, durations and IDs in an example's output. */
function comparable(stdout: string, url: string): string {
  return stdout
    .replaceAll(url, '<server>')
    .replaceAll(url.replace('http://', ''), '<server>')
    .replace(/\b\d\d:\d\d:\d\d\b/g, '<time>')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z\b/g, '<time>')
    .replace(/\b[\d.]+ ?ms\b/g, '<duration>')
    .replace(/\b[0-9a-f]{16,32}\b/g, '<id>');
}

test.each(Object.entries(examples))(
  '%s prints the same output for a replay as for the recorded server',
  async (name, of) => {
    const folder = await mkdtemp(join(tmpdir(), 'triforge-replay-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [license, pack] = [join(folder, 'license.ghl'), join(folder, 'release-2.0.0.pkg')];
    await writeFile(license, consoleSeed.license);
    await writeFile(pack, Buffer.alloc(100_000));
    const run = (url: string) => {
      const args = { 'install-appliance': [url, license, pack], 'upgrade-appliance': [pack] }[name];
      return runExample(name, of(url), args);
    };
    const emulator: Emulator = createEmulator({ seed: name !== 'install-appliance' });
    onTestFinished(() => emulator.close());
    emulator.console.setConnections('git operations', 2);
    const { url } = await emulator.listen();
    const to = join(folder, 'recording');
    const recorder = createRecorder({ to });
    const recording = await recorder.listen(url);
    const first = await run(recording.url);
    await recording.close();
    await recorder.close();
    expect(first.code, first.stderr).toBe(0);

    const recorded = replay(to);
    const listening = await recorded.listen();
    onTestFinished(() => listening.close());
    expect(listening.url, 'the replay has another port').not.toBe(recording.url);
    const again = await run(listening.url);
    expect(recorded.missed).toEqual([]);
    expect(again.code, again.stderr).toBe(0);
    expect(comparable(again.stdout, listening.url)).toBe(comparable(first.stdout, recording.url));
    expect(first.stdout).not.toBe('');
    expect(recorded.unused).toEqual([]);
  },
);
