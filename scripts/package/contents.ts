import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { describeProblem, readDocuments } from '../../test/docs/documents.js';
import { linkProblems } from '../../test/docs/links.js';
import { builtIn } from '../built-in.js';

const allowed =
  /^(dist\/.+\.(js|cjs|d\.ts|d\.cts)|dist\/[a-z-]+-license\.txt|docs\/[a-z-]+\.(md|svg)|examples\/[a-z-]+\.ts|openapi\/[a-z]+\.json|package\.json|[A-Z]+(\.md)?)$/;

/**
 * Returns the installed package's problems:
 * - missing or unneeded files;
 * - paths on the build machine;
 * - dead links in documents;
 * - types that mention the validator;
 * - entry points that load too many files.
 */
export function contentProblems(installed: string, repository: string): string[] {
  const problems = linkProblems(installed, readDocuments(installed)).map(describeProblem);
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installed, join(entry.parentPath, entry.name)));
  for (const needed of [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'package.json',
    ...builtIn.map((name) => `dist/${name}-license.txt`),
  ]) {
    if (!files.includes(needed)) problems.push(`${needed}: is missing from the package`);
  }
  for (const file of files) {
    const text = readFileSync(join(installed, file), 'utf8');
    if (!allowed.test(file)) problems.push(`${file}: must not be in the package`);
    for (const place of [repository, homedir(), tmpdir()]) {
      if (place.length > 1 && text.includes(`${place}/`)) {
        problems.push(`${file}: contains ${place}, a path of the build machine`);
      }
    }
    // V8 stores a file with two bytes per character if the file contains a character beyond Latin-1.
    if (/\.c?js$/.test(file) && /[^\0-\xff]/.test(text)) {
      problems.push(`${file}: contains a character beyond Latin-1`);
    }
    const zodIsSaid = file.startsWith('dist/schemas/');
    if (!zodIsSaid && /\.d\.c?ts$/.test(file) && /zod/i.test(withoutComments(text))) {
      problems.push(`${file}: the published types mention zod`);
    }
  }
  for (const [entry, most] of Object.entries(mostFiles)) {
    const loaded = loadedWith(join(installed, 'dist', entry, 'index.js'));
    if (loaded.size > most) {
      problems.push(
        `triforge/${entry}: loads ${loaded.size} files of dist, expected at most ${most}\n    ${[...loaded].map((file) => basename(file)).join(', ')}`,
      );
    }
  }
  return problems;
}

/** Maximum number of files that each entry point may load. Each file takes about 0.5 ms. */
const mostFiles = { hosting: 16, support: 14, console: 16, webhooks: 9, redis: 5 };

/** Returns a built module and all modules that it imports from the package. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/(?:import|from) ?"(\.[^"]+)"/g);
  for (const [, path = ''] of imports) loadedWith(join(dirname(file), path), loaded);
  return loaded;
}

/** Limits for an installation: number of packages, total size in bytes, and triforge's size in bytes. */
const limits = { packages: 31, all: 14e6, ours: 4.3e6 };

/** Returns the limits that a project with only this package exceeds. */
export function sizeProblems(project: string, name: string): string[] {
  const entries = readdirSync(join(project, 'node_modules'), {
    recursive: true,
    withFileTypes: true,
  }).map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  const manifests = entries.filter(({ path }) =>
    /node_modules\/(?:@[^/]+\/)?[^/@.]+\/package\.json$/.test(path.replaceAll('\\', '/')),
  );
  const bytes = (within: string) =>
    entries
      .filter(({ entry, path }) => entry.isFile() && path.startsWith(within))
      .reduce((sum, { path }) => sum + statSync(path).size, 0);
  const found = {
    packages: manifests.length,
    all: bytes(project),
    ours: bytes(join(project, 'node_modules', name) + sep),
  };
  return (['packages', 'all', 'ours'] as const).flatMap((what) =>
    found[what] > limits[what] ? [`${what}: ${found[what]}, expected at most ${limits[what]}`] : [],
  );
}

function withoutComments(types: string): string {
  return types.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
