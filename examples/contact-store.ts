// Where sync-contacts.ts keeps contacts, and how far it is.
import Database from 'libsql';
import type { Contact } from 'triforge/support';

export class ContactStore implements Disposable {
  readonly #db: Database.Database;
  readonly #saved = new Set<number>();

  /** @param path of the SQLite file; `:memory:` for none. */
  constructor(path: string) {
    this.#db = new Database(path);
    this.#db.exec(`
      CREATE TABLE IF NOT EXISTS contacts (
        id INTEGER PRIMARY KEY, name TEXT, update_date TEXT, data TEXT NOT NULL
      );
      CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY, since INTEGER NOT NULL);
    `);
  }

  /** The date of the last change that is stored; undefined before the first. */
  get since(): Date | undefined {
    const [since] = this.#db.prepare('SELECT since FROM progress').raw().all().flat();
    return typeof since === 'number' ? new Date(since) : undefined;
  }

  /** How many contacts are stored. */
  get size(): number {
    return Number(this.#db.prepare('SELECT count(*) FROM contacts').raw().all().flat()[0]);
  }

  /** How many different contacts were saved since this store was opened. */
  get savedByThisRun(): number {
    return this.#saved.size;
  }

  /** Stores contacts and the date up to which they go in one transaction. A contact seen again replaces itself. */
  save(contacts: readonly Contact[], since: Date | undefined): void {
    const put = this.#db.prepare('INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?)');
    const move = this.#db.prepare(`
      INSERT INTO progress VALUES (1, ?)
      ON CONFLICT (one) DO UPDATE SET since = max(since, excluded.since)
    `);
    this.#db.transaction(() => {
      for (const contact of contacts) {
        const { id, name = null, update_date = null } = contact;
        put.run(id, name, update_date, JSON.stringify(contact));
      }
      if (since) move.run(since.getTime());
    })();
    for (const { id } of contacts) this.#saved.add(id);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
