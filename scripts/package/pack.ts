import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './command.js';

/** Packs the output of `npm run build` into `folder`. @returns Path of the tarball. */
export function pack(folder: string): string {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack wrote no tarball');
  return join(folder, tarball);
}
