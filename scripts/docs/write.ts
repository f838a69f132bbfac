// Writes a page of docs/ from the sources: `npm run docs:errors`, `npm run docs:endpoints`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpointList } from './endpoint-list.js';
import { errorList } from './error-list.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [name] = process.argv.slice(2);
const text = name === 'errors' ? errorList(root) : await endpointList(root);
writeFileSync(`${root}docs/${name === 'errors' ? name : 'endpoints'}.md`, text);
