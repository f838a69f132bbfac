// Copies the version in package.json to src/version.ts. Clients send it in their `User-Agent`.
// Run by `npm run release:version`, after changesets updates the version.
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const file = 'src/version.ts';
const text = readFileSync(file, 'utf8');
const line = /^export const version = '.*';$/m;
if (!line.test(text)) throw new Error(`${file}: expected a line \`export const version = '…';\``);
writeFileSync(
  file,
  text.replace(line, () => `export const version = '${version}';`),
);
