import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** The address of a server, and a folder for files, as an example's environment. */
type Environment = (url: string, folder: string) => Record<string, string>;

const hosting: Environment = (url) => ({
  TRIFORGE_BASE_URL: `${url}/api/v3/`,
  TRIFORGE_TOKEN: seeded.token,
  TRIFORGE_REPO: `${seeded.owner}/${seeded.repo}`,
});
const support: Environment = (url) => ({
  TRIFORGE_SUPPORT_URL: `${url}/api/v2/`,
  TRIFORGE_USER_NAME: supportSeed.userName,
  TRIFORGE_API_KEY: supportSeed.apiKey,
  TRIFORGE_PASSWORD: supportSeed.password,
});
const appliance: Environment = (url, folder) => ({
  TRIFORGE_CONSOLE_URL: url,
  TRIFORGE_LICENSE: join(folder, 'license.ghl'),
  TRIFORGE_PACKAGE: join(folder, 'release-2.0.0.pkg'),
  TRIFORGE_INTERVAL: '10',
});

const examples: Record<string, Environment> = {
  'audit-org-teams': hosting,
  'install-appliance': appliance,
  'maintenance-window': appliance,
  'open-case': support,
  opentelemetry: hosting,
  quickstart: hosting,
  'request-log': hosting,
  'sync-contacts': support,
  'upgrade-appliance': appliance,
};

/** Those that ask no server which the environment names. */
const others = [
  'appliance-display', // parts of the others
  'appliance-place',
  'contact-store',
  'support-place',
  'oauth-web-app', // below: a browser asks it
  'webhook-receiver', // is asked, and asks nothing
];

test('every example is replayed, or is known to ask no server', async () => {
  const files = await readdir(fileURLToPath(new URL('../../examples', import.meta.url)));
  const names = files.filter((name) => name.endsWith('.ts')).map((name) => name.slice(0, -3));
  expect(new Set([...Object.keys(examples), ...others])).toEqual(new Set(names));
});

/** What a run printed, without addresses, times and durations. */
function comparable(stdout: string, url: string): string {
  return stdout
    .replaceAll(url, '<server>')
    .replaceAll(url.replace('http://', ''), '<server>')
    .replace(/\b\d\d:\d\d:\d\d\b/g, '<time>')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z\b/g, '<time>')
    .replace(/\b[\d.]+ ?ms\b/g, '<duration>')
    .replace(/\b[0-9a-f]{16,32}\b/g, '<id>');
}

test.each(Object.entries(examples))('%s prints the same from its recording', async (name, of) => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-replay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'license.ghl'), consoleSeed.license);
  await writeFile(join(folder, 'release-2.0.0.pkg'), Buffer.alloc(100_000));
  const emulator: Emulator = createEmulator({ seed: name !== 'install-appliance' });
  onTestFinished(() => emulator.close());
  emulator.console.setConnections('git operations', 2);
  const { url } = await emulator.listen();
  const to = join(folder, 'recording');
  const recorder = createRecorder({ to });
  const recording = await recorder.listen(url);
  const first = await runExample(name, of(recording.url, folder));
  await recording.close();
  await recorder.close();
  expect(first.code, first.stderr).toBe(0);

  const recorded = replay(to);
  const answering = await recorded.listen();
  onTestFinished(() => answering.close());
  expect(answering.url, 'another port').not.toBe(recording.url);
  const again = await runExample(name, of(answering.url, folder));
  expect(recorded.missed).toEqual([]);
  expect(again.code, again.stderr).toBe(0);
  expect(comparable(again.stdout, answering.url)).toBe(comparable(first.stdout, recording.url));
  expect(first.stdout).not.toBe('');
  expect(recorded.unused).toEqual([]);
});

/** The example that signs users in, as a server. */
async function webApp(url: string, application: { clientId: string; clientSecret: string }) {
  const app = await serve([join(inject('programs'), 'examples', 'oauth-web-app.js')], {
    TRIFORGE_AUTH_URL: url,
    TRIFORGE_BASE_URL: `${url}/api/v3/`,
    TRIFORGE_CLIENT_ID: application.clientId,
    TRIFORGE_CLIENT_SECRET: application.clientSecret,
    PORT: '0',
  });
  onTestFinished(() => app.stop());
  return app;
}

/** Begins to log in as a browser does. @returns where the user is sent, and how the browser comes back. */
async function login(appUrl: string) {
  const answer = await fetch(`${appUrl}/login`, { redirect: 'manual' });
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  const back = async (code: string) => {
    const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' });
    return await (await fetch(`${appUrl}/callback?${query}`, { headers: { cookie } })).text();
  };
  return { searchParams, back };
}

test('oauth-web-app shows the same from its recording', async () => {
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
  // The user's own browser asks the service itself.
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
  const answering = await recorded.listen();
  onTestFinished(() => answering.close());
  const again = await webApp(answering.url, application);
  expect(await (await login(again.url)).back(code)).toBe(shown);
  expect(recorded.missed).toEqual([]);
  expect(recorded.unused).toEqual([]);
});
