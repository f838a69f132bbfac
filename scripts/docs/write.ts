// Writes files that are generated from the sources: `npm run docs:errors`, `docs:endpoints`, `docs:options` and
// `docs:openapi`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocuments } from '../openapi/document.js';
import { endpointPages } from './endpoint-pages.js';
import { errorList } from './error-list.js';
import { optionList } from './option-list.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const name = process.argv[2] ?? '';
if (name === 'openapi') {
  const documents = Object.entries(await openApiDocuments(root));
  writeFolder(
    'openapi',
    documents.map(([api, text]) => [`${api}.json`, text]),
  );
} else if (name === 'endpoints') {
  const { list, resources } = await endpointPages(root);
  writeFileSync(`${root}docs/endpoints.md`, list);
  writeFolder('docs/resources', resources);
} else if (name === 'errors' || name === 'options') {
  const text = name === 'errors' ? errorList(root) : optionList(root);
  writeFileSync(`${root}docs/${name}.md`, text);
} else {
  throw new Error(`page: must be endpoints, errors, openapi or options (got ${name})`);
}

/** Writes files into a folder and deletes all other files in the folder. */
function writeFolder(path: string, files: Iterable<readonly [name: string, text: string]>): void {
  rmSync(`${root}${path}`, { recursive: true, force: true });
  mkdirSync(`${root}${path}`);
  for (const [file, text] of files) writeFileSync(`${root}${path}/${file}`, text);
}
