/** Writes the rules of the linter and the table of docs/architecture.md from scripts/layers/table.ts. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withOverrides, withTable } from './generated.js';
import { root } from './imports.js';

const biome = join(root, 'biome.json');
writeFileSync(biome, withOverrides(readFileSync(biome, 'utf8')));
execFileSync('npx', ['biome', 'format', '--write', biome], { stdio: 'inherit', cwd: root });
const page = join(root, 'docs/architecture.md');
writeFileSync(page, withTable(readFileSync(page, 'utf8')));
