import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import {
  consoleSeed,
  createEmulator,
  createRecorder,
  type Emulator,
  replay,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { serve } from '../browser/program.js';
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

/** Starts oauth-express, the example that signs in users. */
async function webApp(url: string, application: { clientId: string; clientSecret: string }) {
  const app = await serve([join(inject('programs'), 'examples', 'oauth-express.js')], {
    TRIFORGE_OAUTH_AUTH_URL: url,
    TRIFORGE_BASE_URL: `${url}/api/v3/`,
    TRIFORGE_OAUTH_CLIENT_ID: application.clientId,
    TRIFORGE_OAUTH_CLIENT_SECRET: application.clientSecret,
    PORT: '0',
  });
  onTestFinished(() => app.stop());
  return app;
}

/**
 * Starts a login as a browser does. @returns The parameters of the redirect and a function that
 * calls the application's callback URL.
 */
async function login(appUrl: string) {
  const response = await fetch(`${appUrl}/login`, { redirect: 'manual' });
  const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const { searchParams } = new URL(response.headers.get('location') ?? '');
  const back = async (code: string) => {
    const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' });
    return await (await fetch(`${appUrl}/callback?${query}`, { headers: { cookie } })).text();
  };
  return { searchParams, back };
}

test('oauth-express shows the same page for a replay as for the recorded server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-replay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { url } = await emulator.listen();
  const to = join(folder, 'recording');
  const recorder = createRecorder({ to });
  const recording = await recorder.listen(url);
  const application = { clientId: 'i'.repeat(20), clientSecret: 's'.repeat(40) };
  const first = await webApp(recording.url, application);
  const callbackUrl = `${first.url}/callback`;
  emulator.hosting.addApplication('Star Map', { ...application, callbackUrl });
  const user = await login(first.url);
  // A browser sends this request directly to the service.
  const approved = await fetch(`${url}/login/oauth/authorize`, {
    method: 'POST',
    body: new URLSearchParams([...user.searchParams, ['decision', 'approve']]),
    redirect: 'manual',
  });
  const code = new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const shown = await user.back(code);
  expect(shown).toContain('Granted: user, public_repo');
  await recording.close();
  await recorder.close();

  const recorded = replay(to);
  const listening = await recorded.listen();
  onTestFinished(() => listening.close());
  const again = await webApp(listening.url, application);
  expect(await (await login(again.url)).back(code)).toBe(shown);
  expect(recorded.missed).toEqual([]);
  expect(recorded.unused).toEqual([]);
});
