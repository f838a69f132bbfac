// Copies the version in package.json to src/version.ts, whose version clients send as their
// `User-Agent`. Run by `npm run release:version`, after changesets updates package.json.
import { readFileSync, writeFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };

const file = 'src/version.ts';
writeFileSync(file, readFileSync(file, 'utf8').replace(/'.*'/, `'${manifest.version}'`));
