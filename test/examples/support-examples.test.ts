import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, supportSeed } from '../../src/testing/index.js';
import { runExample } from './run-example.js';

async function listening() {
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { supportUrl } = await emulator.listen();
  const env = {
    TRIFORGE_SUPPORT_BASE_URL: supportUrl,
    TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
    TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
    TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
  };
  return { emulator, env };
}

test('sync-contacts reads only changed contacts in the second run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-sync-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { emulator, env } = await listening();
  const database = join(folder, 'contacts.db');
  const first = await runExample('sync-contacts', env, [database]);
  expect(first.code, first.stderr).toBe(0);
  expect(first.stdout).toBe('All contacts\n250 contacts stored\n');

  emulator.clock.advance(3_600_000);
  emulator.support.touchContact(7, { name: 'Renamed' });
  emulator.support.addContact({ name: 'New' });
  const second = await runExample('sync-contacts', env, [database]);
  expect(second.code, second.stderr).toBe(0);
  expect(second.stdout).toMatch(/^Changes since 20\S+\n/);
  expect(second.stdout).toMatch(/\b251 contacts stored\n$/);
  expect(emulator.support.authentications, 'one session per run').toBe(2);
});

test('sync-contacts exits with 1 and prints the error if a request fails', async () => {
  const { emulator, env } = await listening();
  emulator.fail({ path: '/contact' }, { kind: 'response', status: 400, body: { message: 'No' } });
  const { code, stderr } = await runExample('sync-contacts', env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/BadRequestError: contacts\.search: 400 No/);
});

test('open-case opens a case for an existing or a new contact', async () => {
  const { emulator, env } = await listening();
  const found = await runExample('open-case', env);
  expect(found.code, found.stderr).toBe(0);
  expect(found.stdout).toContain('Contact 7 found for crm-7');
  const created = await runExample('open-case', env, ['new']);
  expect(created.code, created.stderr).toBe(0);
  expect(created.stdout).toContain('Contact 251 created for new');
  expect(emulator.support.cases.slice(-2)).toMatchObject([
    { contact: { id: 7 }, tags: ['urgent', 'engineering'], product: 'rocket 2', state: 'Open' },
    { contact: { id: 251 }, tags: ['urgent', 'engineering'] },
  ]);
});
