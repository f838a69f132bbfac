// Looks for dead links in the built site: `npm run docs:links`, after `npm run docs`.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSite } from './site-links.js';

const folder = fileURLToPath(new URL('../../site', import.meta.url));
if (!existsSync(folder)) {
  console.error('there is no site: npm run docs builds it');
  process.exit(1);
}
const { pages, links, dead } = checkSite(folder);
for (const each of dead) console.error(each);
console.log(`${pages} pages, ${links} links, ${dead.length} dead`);
if (dead.length > 0 || pages === 0) process.exitCode = 1;
