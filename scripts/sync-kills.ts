// Kills examples/sync-contacts.ts at random moments and starts it again, and compares the database with
// that of an undisturbed run. Run: npm run sync:kills [-- --runs 20 --seed 1]; seeds are printed, and
// --runs 1 --seed N repeats one of them. --program
// names the example in compiled form.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'libsql';
import { createEmulator, type Emulator, supportSeed } from '../src/testing/index.js';
import { randomFrom } from './soak/random.js';

const contacts = 3000;
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    program: { type: 'string' },
  },
});
const example = values.program
  ? [values.program]
  : ['--import', 'tsx', fileURLToPath(new URL('../examples/sync-contacts.ts', import.meta.url))];

/** Contacts changed a second apart, but for 350 of one second: more than a page. */
function fill(emulator: Emulator): void {
  const start = Date.UTC(2014, 0, 1);
  emulator.support.addContacts(contacts, (index) => {
    const second = index < 1000 ? index : Math.max(1000, index - 350);
    return { crm_id: `crm-${index}`, created: new Date(start + second * 1000) };
  });
  // Answers take a little, so that a kill meets all stages.
  const always = { times: Number.POSITIVE_INFINITY };
  emulator.fail({ method: 'GET', path: '/contact' }, { kind: 'delay', ms: 4 }, always);
}

/** Runs the example to its end, or kills it once it has sent `killAfter` searches, and a moment later. */
async function sync(
  emulator: Emulator,
  url: string,
  database: string,
  kill?: { readonly searches: number; readonly delay: number },
): Promise<'ended' | 'killed'> {
  const env = {
    ...process.env,
    TRIFORGE_SUPPORT_BASE_URL: url,
    TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
    TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
    TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
  };
  const before = emulator.requests.length;
  const child = spawn(process.execPath, [...example, database], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (kill) {
    while (child.exitCode === null && emulator.requests.length - before < kill.searches) {
      await wait(1);
    }
    await wait(kill.delay);
    child.kill('SIGKILL');
  }
  const code = await ended;
  if (child.signalCode === 'SIGKILL') return 'killed';
  if (code !== 0) throw new Error(`sync-contacts ended with ${code}: ${said}`);
  return 'ended';
}

/** What a database holds: how many contacts, and everything as text. */
function read(path: string): { readonly stored: number; readonly all: string } {
  const database = new Database(path);
  try {
    const rows = (sql: string) => database.prepare(sql).raw().all();
    const tables = rows("SELECT name FROM sqlite_master WHERE type = 'table'").flat();
    if (!tables.includes('progress')) return { stored: 0, all: '' }; // killed before it was made
    const contacts = rows('SELECT id, name, update_date, data FROM contacts ORDER BY id');
    const progress = rows('SELECT since FROM progress');
    return { stored: contacts.length, all: JSON.stringify([contacts, progress]) };
  } finally {
    database.close();
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'triforge-kills-'));
  await using emulator = createEmulator({ seed: false });
  emulator.support.addUser(supportSeed);
  fill(emulator);
  const { supportUrl } = await emulator.listen();
  try {
    const undisturbed = join(folder, 'undisturbed.db');
    await sync(emulator, supportUrl, undisturbed);
    const expected = read(undisturbed);
    if (expected.stored !== contacts) throw new Error(`${expected.stored} contacts stored`);
    const first = Number(values.seed);
    for (let seed = first; seed < first + Number(values.runs); seed++) {
      const random = randomFrom(seed);
      const database = join(folder, `${seed}.db`);
      const kills: string[] = [];
      for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
        const kill = { searches: 1 + Math.floor(random() * 28), delay: random() * 8 };
        const end = await sync(emulator, supportUrl, database, kill);
        kills.push(`${end} with ${read(database).stored} stored`);
        if (end === 'ended') break;
      }
      await sync(emulator, supportUrl, database);
      const same = read(database).all === expected.all;
      console.log(
        `seed ${seed}: ${kills.join(', ')}; then ${same ? 'the same' : 'ANOTHER'} database`,
      );
      if (!same) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
