import { describe, expect, onTestFinished, test } from 'vitest';
import { place } from './support-emulator.js';

const start = Date.UTC(2014, 0, 1);

/** Creates a contact for each item of `seconds`, changed that number of seconds after `start`. */
function contactsAt(seconds: readonly number[]) {
  const { emulator, client } = place({ seed: false });
  onTestFinished(() => client.close());
  emulator.support.addContacts(seconds.length, (index) => ({
    crm_id: `crm-${index}`,
    created: new Date(start + (seconds[index] ?? 0) * 1000).toISOString(),
  }));
  return { client };
}

const apart = Array.from({ length: 250 }, (_, index) => index);
const atOnce = apart.map(() => 0);

describe.each([
  ['a second apart', apart],
  ['all in one second', atOnce],
])('changedSince() for 250 contacts changed %s', (_name, seconds) => {
  test.each([1, 2])(
    'changedSince() returns contacts again if they change after page %i',
    async (when) => {
      const { client } = contactsAt(seconds);
      const seen = new Map<number, string | null | undefined>();
      const touched = new Set<number>();
      let pages = 0;
      for await (const page of client.contacts.changedSince().pages()) {
        pages += 1;
        for (const { id, name } of page.items) seen.set(id, name);
        if (pages < when || page.items.length === 0 || touched.size > 0) continue;
        for (const { id } of page.items.slice(0, 5)) {
          await client.contacts.update({ contact_id: id, name: 'touched' });
          touched.add(id);
        }
      }
      expect(touched.size).toBe(5);
      expect(seen.size).toBe(250);
      for (const id of touched) expect(seen.get(id)).toBe('touched');
    },
  );

  test('changedSince() resumes from the cursor of any page', async () => {
    const { client } = contactsAt(seconds);
    const seen = new Set<number>();
    let cursor: string | undefined;
    do {
      const from = cursor;
      cursor = undefined;
      for await (const page of client.contacts.changedSince(undefined, { from }).pages()) {
        for (const { id } of page.items) seen.add(id);
        cursor = page.cursor;
        break;
      }
    } while (cursor !== undefined);
    expect(seen.size).toBe(250);
  });
});

test('changedSince() includes contacts changed up to ten minutes before the date', async () => {
  const { client } = contactsAt([0, 600, 1200, 1800]);
  const passed = await client.contacts.changedSince(new Date(start + 1_200_000)).toArray();
  expect(passed.map(({ crm_id }) => crm_id)).toEqual(['crm-1', 'crm-2', 'crm-3']);
});

test('changedSince() rejects invalid dates and cursors', async () => {
  const { client } = contactsAt([]);
  await expect(client.cases.changedSince().toArray()).resolves.toEqual([]);
  await expect(client.cases.changedSince('2014-02-30').first()).rejects.toMatchObject({
    code: 'invalid_request',
  });
  for (const from of ['', '7', 'x|0|', '|0||', '|a|', '||']) {
    await expect(
      client.cases.changedSince(undefined, { from }).first(),
      from,
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
  }
});
