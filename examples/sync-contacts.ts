// Sync contacts to SQLite and resume after a crash
//
// The first run fetches all of a support domain's contacts. Later runs fetch only the changes. You can kill the
// program at any time, because it stores each page and the sync's progress in one transaction. The next run
// resumes, and nothing is lost or duplicated. [The support API](../docs/support.md#sync-without-losing-changes)
// explains how.
//
//     npm install libsql
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/sync-contacts.ts contacts.db
import Database from 'libsql';
import { formatSupportDate, parseSupportDate, SupportClient } from 'triforge/support';

const [path = ':memory:'] = process.argv.slice(2);

await using support = SupportClient.fromEnv();
const db = new Database(path);
db.exec(`
  CREATE TABLE IF NOT EXISTS contacts (
    id INTEGER PRIMARY KEY, name TEXT, update_date TEXT, data TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY, since INTEGER NOT NULL);
`);
const put = db.prepare('INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?)');
const move = db.prepare(`
  INSERT INTO progress VALUES (1, ?)
  ON CONFLICT (one) DO UPDATE SET since = max(since, excluded.since)
`);
const number = (query: string) => db.prepare(query).raw().all().flat().map(Number)[0];

const known = number('SELECT since FROM progress');
const since = known === undefined ? undefined : new Date(known);
console.log(since ? `Changes since ${formatSupportDate(since)}` : 'All contacts');
for await (const { items } of support.contacts.changedSince(since).pages()) {
  const last = items.filter(({ update_date }) => update_date).at(-1)?.update_date;
  db.transaction(() => {
    for (const contact of items) {
      const { id, name = null, update_date = null } = contact;
      put.run(id, name, update_date, JSON.stringify(contact));
    }
    if (last) move.run(parseSupportDate(last).getTime());
  })();
}
console.log(`${number('SELECT count(*) FROM contacts')} contacts stored`);
db.close();
