// Writes openapi/*.json from the sources: `npm run docs:openapi`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocuments } from './document.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
for (const [api, text] of Object.entries(await openApiDocuments(root))) {
  writeFileSync(`${root}openapi/${api}.json`, text);
}
