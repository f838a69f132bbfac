import { expect, test } from 'vitest';
import { world } from './support-world.js';

test('16 workers read 10,000 contacts from one search, despite an expired token', async () => {
  const total = 10_000;
  const read: number[] = [];
  let inFlight = 0;
  let expired = false;
  const held: (() => void)[] = [];
  const { client, sessions, expire } = await world({
    respond: (request, response) => {
      const url = new URL(request.url, 'http://host');
      const id = /\/contact\/(\d+)$/.exec(url.pathname)?.[1];
      if (id !== undefined) {
        read.push(Number(id));
        response.end(JSON.stringify({ id: Number(id) }));
        return;
      }
      const index = Number(url.searchParams.get('index') ?? 0);
      // The server limits the page size.
      const items = Array.from({ length: Math.min(400, total - index) }, (_, offset) => ({
        id: index + offset,
      }));
      response.end(JSON.stringify({ success: true, total, items }));
    },
  });
  const found = client.contacts.search({ count: 1000 })[Symbol.asyncIterator]();
  async function worker(): Promise<void> {
    for (;;) {
      const next = await found.next();
      if (next.done) return;
      inFlight += 1;
      if (!expired && next.value.id >= 5000) {
        // All 16 workers wait here and then send a token that has just expired.
        const all = new Promise<void>((resolve) => held.push(resolve));
        if (held.length === 16) {
          expired = true;
          expire();
          for (const go of held) go();
        }
        await all;
      }
      await client.contacts.get({ contact_id: next.value.id });
      inFlight -= 1;
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker));
  await client.close();
  expect(expired).toBe(true);
  expect(inFlight).toBe(0);
  expect(sessions()).toBe(2);
  expect(read).toHaveLength(total);
  expect(new Set(read).size).toBe(total);
});
