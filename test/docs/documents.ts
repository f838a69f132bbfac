import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A Markdown document in the repository. */
export interface Document {
  /** Path relative to the root, with `/` on all systems. */
  path: string;
  text: string;
}

/** A problem in a line of a document. */
export interface Problem {
  path: string;
  line: number;
  message: string;
}

/**
 * Reads all Markdown documents in the root, in `docs/` and in `skills/`. Their code and links must be
 * valid.
 */
export function readDocuments(root: string): Document[] {
  const paths = readdirSync(root).filter((name) => name.endsWith('.md'));
  for (const folder of ['docs', 'skills']) {
    if (!existsSync(join(root, folder))) continue;
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = entry.replaceAll('\\', '/');
      if (path.endsWith('.md')) paths.push(`${folder}/${path}`);
    }
  }
  return paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/**
 * Formats a problem as a line that editors can turn into a link, such as
 * `docs/auth.md:12 x.md: no such file`.
 */
export function describeProblem({ path, line, message }: Problem): string {
  return `${path}:${line} ${message}`;
}
