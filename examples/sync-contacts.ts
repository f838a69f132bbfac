// Brings the contacts of a support domain into SQLite: the first run fetches all, later ones what was
// changed since. Kill it whenever you like: the next run goes on, and nothing is lost or doubled. Runs by
// itself against the bundled emulator: `npx tsx examples/sync-contacts.ts`. With TRIFORGE_SUPPORT_URL,
// TRIFORGE_USER_NAME, TRIFORGE_API_KEY and TRIFORGE_PASSWORD set it reads a real server, into TRIFORGE_DB.
import { Presets, SingleBar } from 'cli-progress';
import { isTriforgeError, type SupportClient } from 'triforge';
import { type Contact, formatSupportDate, type Page, parseSupportDate } from 'triforge/support';
import { ContactStore } from './contact-store.js';
import { connect } from './support-place.js';

/** Changes may become visible a little out of order: each run begins this much before the last one's end. */
const overlap = 10 * 60 * 1000;
/** Dates are whole seconds: others of the same second may stand on the next page. */
const second = 1000;

/**
 * Pages of contacts, the least recently changed first. An offset would skip records when others before
 * it change and move to the end: so each page is asked for by the date where the last one ended.
 */
async function* changedSince(support: SupportClient, date: Date | undefined) {
  let since = date;
  for (let more = true; more; ) {
    const order = { order_by: 'update_date', order_dir: 'ASC', count: 100 } as const;
    const search = support.contacts.search({ ...order, updated_since: since }, { prefetch: false });
    for await (const page of search.pages()) {
      const last = lastChange(page);
      yield page;
      more = page.cursor !== undefined;
      const next = last && new Date(last.getTime() - second);
      if (!more || !next || (since && next <= since)) continue;
      since = next;
      break;
    }
  }
}

/** @throws where the server does not keep the order: the date of a page's end would mean nothing. */
function lastChange({ items }: Page<Contact>): Date | undefined {
  const dates = items.flatMap(({ update_date: date }) => (date ? [parseSupportDate(date)] : []));
  if (dates.some((each, index) => each < (dates[index - 1] ?? each))) {
    throw new Error('the server does not order by update_date: this sync would lose contacts');
  }
  return dates.at(-1);
}

await using place = connect();
using store = new ContactStore(process.env.TRIFORGE_DB ?? ':memory:');
const bar = new SingleBar(
  { format: '{bar} {value} of {total} contacts', noTTYOutput: true, notTTYSchedule: 5000 },
  Presets.shades_classic,
);

try {
  const { since } = store;
  console.log(since ? `Changes since ${formatSupportDate(since)}` : 'All contacts');
  let seen = 0;
  for await (const page of changedSince(place.support, since && new Date(+since - overlap))) {
    if (seen === 0) bar.start(page.total ?? page.items.length, 0);
    // The contacts and how far the sync is: both or neither.
    store.save(page.items, lastChange(page));
    seen = store.savedByThisRun;
    bar.update(seen);
  }
  bar.stop();
  console.log(`${seen} contacts read, ${store.size} stored`);
} catch (error) {
  bar.stop();
  if (!isTriforgeError(error)) throw error;
  console.error(`The sync ended early, and can be started again: ${error.message}`);
  process.exitCode = 1;
}
