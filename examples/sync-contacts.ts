// Brings the contacts of a support domain into SQLite: the first run fetches all, later ones what was
// changed since. Kill it whenever you like: the next run goes on, and nothing is lost or doubled. Runs by
// itself against the bundled emulator: `npx tsx examples/sync-contacts.ts`. With TRIFORGE_SUPPORT_URL,
// TRIFORGE_USER_NAME, TRIFORGE_API_KEY and TRIFORGE_PASSWORD set it reads a real server, into TRIFORGE_DB.
import { Presets, SingleBar } from 'cli-progress';
import { isTriforgeError } from 'triforge';
import { type Contact, formatSupportDate, type Page, parseSupportDate } from 'triforge/support';
import { ContactStore } from './contact-store.js';
import { connect } from './support-place.js';

/** The date of the last change on a page. */
function lastChange({ items }: Page<Contact>): Date | undefined {
  const date = items.findLast(({ update_date }) => update_date)?.update_date;
  return date === undefined ? undefined : parseSupportDate(date);
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
  for await (const page of place.support.contacts.changedSince(since).pages()) {
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
