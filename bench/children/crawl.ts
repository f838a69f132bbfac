// Follows one very long list and tells how much memory the process had after every page.
import { load, type PeerName } from '../peers/index.js';

const [name, base] = process.argv.slice(2);
if (name === undefined || base === undefined) throw new Error('usage: crawl <peer> <address>');
// The parent gives no name that is not in the list.
const peer = (await load[name as PeerName]())(base);
const sizes: number[] = [];
const start = performance.now();
const items = await peer.pages('users', async () => {
  sizes.push(process.memoryUsage.rss());
});
process.send?.({ items, sizes, ms: performance.now() - start }, () => process.exit());
