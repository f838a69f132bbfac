// Writes docs/errors.md from the sources: `npm run docs:errors`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorList } from './error-list.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
writeFileSync(`${root}docs/errors.md`, errorList(root));
