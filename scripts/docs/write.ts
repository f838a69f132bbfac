// Writes a page of docs/ from the sources: `npm run docs:errors`, `docs:endpoints` or `docs:options`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpointList } from './endpoint-list.js';
import { errorList } from './error-list.js';
import { optionList } from './option-list.js';

const pages = { errors: errorList, endpoints: endpointList, options: optionList };

const root = fileURLToPath(new URL('../..', import.meta.url));
const name = process.argv[2] ?? '';
if (name !== 'errors' && name !== 'endpoints' && name !== 'options') {
  throw new Error(`page: must be one of ${Object.keys(pages).join(', ')} (got ${name})`);
}
writeFileSync(`${root}docs/${name}.md`, await pages[name](root));
