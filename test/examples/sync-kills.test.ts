import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';
import { Random } from '../../src/testing/random.js';
import { byExtent, seeds } from '../support/extent.js';
import { startExample } from './run-example.js';

const contacts = 3000;

/**
 * Starts an emulator whose contacts changed one second apart. Of these contacts, 350 changed in the
 * same second, which is more than fit on one page.
 */
async function filledEmulator() {
  const emulator = createEmulator({ seed: false });
  onTestFinished(() => emulator.close());
  emulator.support.addUser(supportSeed);
  const start = Date.UTC(2014, 0, 1);
  emulator.support.addContacts(contacts, (index) => {
    const second = index < 1000 ? index : Math.max(1000, index - 350);
    return { crm_id: `crm-${index}`, created: new Date(start + second * 1000).toISOString() };
  });
  // Slow responses give the test time to kill the example at every stage.
  const always = { times: Number.POSITIVE_INFINITY };
  emulator.fail({ method: 'GET', path: '/contact' }, { kind: 'delay', ms: 4 }, always);
  const { supportUrl } = await emulator.listen();
  return { emulator, supportUrl };
}

interface Kill {
  /** Number of searches to wait for. */
  readonly searches: number;
  /** Additional wait in ms. */
  readonly delay: number;
}

/** Runs the example until it ends or is killed. */
async function sync(
  emulator: Emulator,
  url: string,
  database: string,
  kill?: Kill,
): Promise<'ended' | 'killed'> {
  const env = {
    TRIFORGE_SUPPORT_BASE_URL: url,
    TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
    TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
    TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
  };
  const before = emulator.requests.length;
  const example = startExample('sync-contacts', env, [database]);
  let running = true;
  const ended = example.ended.finally(() => {
    running = false;
  });
  if (kill) {
    while (running && emulator.requests.length - before < kill.searches) await sleep(1);
    await sleep(kill.delay);
    example.kill();
  }
  const { code, signal, stderr } = await ended;
  if (signal === 'SIGKILL') return 'killed';
  expect(code, stderr).toBe(0);
  return 'ended';
}

/** Returns the number of contacts in a database and the database's content as text. */
function read(path: string): { readonly stored: number; readonly content: string } {
  const database = new Database(path);
  try {
    const rows = (sql: string) => database.prepare(sql).raw().all();
    const tables = rows("SELECT name FROM sqlite_master WHERE type = 'table'").flat();
    if (!tables.includes('progress')) return { stored: 0, content: '' }; // The process was killed before it created the table.
    const stored = rows('SELECT id, name, update_date, data FROM contacts ORDER BY id');
    const progress = rows('SELECT since FROM progress');
    return { stored: stored.length, content: JSON.stringify([stored, progress]) };
  } finally {
    database.close();
  }
}

describe('sync-contacts', () => {
  it('sync-contacts fills the same database despite random kills', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'triforge-kills-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { emulator, supportUrl } = await filledEmulator();
    const undisturbed = join(folder, 'undisturbed.db');
    await sync(emulator, supportUrl, undisturbed);
    const expected = read(undisturbed);
    expect(expected.stored).toBe(contacts);
    let killedInTheMiddle = 0;
    for (const seed of seeds(byExtent(2, 2, 20))) {
      const random = new Random(seed);
      const database = join(folder, `${seed}.db`);
      for (let left = 1 + random.below(3); left > 0; left--) {
        const kill = { searches: 1 + random.below(28), delay: random.next() * 8 };
        const end = await sync(emulator, supportUrl, database, kill);
        if (end === 'ended') break;
        if (read(database).stored > 0) killedInTheMiddle++;
      }
      await sync(emulator, supportUrl, database);
      const same = read(database).content === expected.content;
      expect(same, `TEST_SEED=${seed} repeats this run`).toBe(true);
    }
    expect(killedInTheMiddle, 'kills with stored contacts').toBeGreaterThan(0);
  });
});
