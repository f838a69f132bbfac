// Writes the files that are generated from the sources: `npm run docs:generate`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { generateFiles } from './generate.js';

for (const folder of ['docs/resources', 'openapi']) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}
for (const [path, text] of await generateFiles()) writeFileSync(path, text);
