// Reads a very long list, and reports the process's memory use after each page.
import { setImmediate as turn } from 'node:timers/promises';
import { load, type PeerName } from '../peers/index.js';

const [name, base, width] = process.argv.slice(2);
if (name === undefined || base === undefined)
  throw new Error('usage: crawl <peer> <address> [pages at once]');
// `as`: the parent passes only names of peers.
const peer = (await load[name as PeerName]())(base);
const sizes: number[] = [];
/**
 * Memory in use after some of the pages, following a garbage collection. Empty without
 * `--expose-gc`.
 */
const live: number[] = [];
const lookedAt = new Set([10, 5000, 9990]);
const start = performance.now();
const look = async () => {
  sizes.push(process.memoryUsage.rss());
  if (!lookedAt.has(sizes.length)) return;
  if (globalThis.gc === undefined) return;
  // Node.js counts unreachable buffers until a second collection in the next turn of the event
  // loop.
  globalThis.gc();
  await turn();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  live.push(heapUsed + external);
};
const items = await peer.pages('users', look, Number(width ?? 1));
process.send?.({ items, sizes, live, ms: performance.now() - start }, () => process.exit());
