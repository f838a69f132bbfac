// Follows one very long list and tells how much memory the process had after every page.
import { setImmediate as turn } from 'node:timers/promises';
import { load, type PeerName } from '../peers/index.js';

const [name, base, width] = process.argv.slice(2);
if (name === undefined || base === undefined)
  throw new Error('usage: crawl <peer> <address> [pages at once]');
// The parent gives no name that is not in the list.
const peer = (await load[name as PeerName]())(base);
const sizes: number[] = [];
/** What is still in use, by page: after a collection, which the parent's flag makes possible. */
const live: number[] = [];
const lookedAt = new Set([10, 5000, 9990]);
const start = performance.now();
const look = async () => {
  sizes.push(process.memoryUsage.rss());
  if (!lookedAt.has(sizes.length)) return;
  if (globalThis.gc === undefined) return;
  // Buffers without an owner are counted until a second collection, a turn later.
  globalThis.gc();
  await turn();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  live.push(heapUsed + external);
};
const items = await peer.pages('users', look, Number(width ?? 1));
process.send?.({ items, sizes, live, ms: performance.now() - start }, () => process.exit());
