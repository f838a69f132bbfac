// Writes docs/endpoints.md from the endpoint declarations: `npm run docs:endpoints`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpointList } from './endpoint-list.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
writeFileSync(`${root}docs/endpoints.md`, await endpointList(root));
