// Writes files that are generated from the sources: `npm run docs:errors`, `docs:endpoints`, `docs:options`
// and `docs:api`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiReports } from './api-report.js';
import { endpointList } from './endpoint-list.js';
import { errorList } from './error-list.js';
import { optionList } from './option-list.js';

const pages = { errors: errorList, endpoints: endpointList, options: optionList };

const root = fileURLToPath(new URL('../..', import.meta.url));
const name = process.argv[2] ?? '';
if (name === 'api') {
  const folder = `${root}test/package/api-report`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [entry, text] of apiReports(root)) writeFileSync(`${folder}/${entry}.txt`, text);
} else if (name === 'errors' || name === 'endpoints' || name === 'options') {
  writeFileSync(`${root}docs/${name}.md`, await pages[name](root));
} else {
  throw new Error(`page: must be api, errors, endpoints or options (got ${name})`);
}
