import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A document of the repository; `path` is relative to its root, with `/`. */
export interface Document {
  path: string;
  text: string;
}

/** Something wrong in a document, at a line of it. */
export interface Problem {
  path: string;
  line: number;
  message: string;
}

/** Every document whose code and links must hold: those in the root, and all under `docs/`. */
export function readDocuments(root: string): Document[] {
  const paths = readdirSync(root).filter((name) => name.endsWith('.md'));
  if (existsSync(join(root, 'docs'))) {
    for (const entry of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })) {
      const path = entry.replaceAll('\\', '/');
      if (path.endsWith('.md')) paths.push(`docs/${path}`);
    }
  }
  return paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** One line a reader can click: `docs/auth.md:12 what is wrong`. */
export function describeProblem({ path, line, message }: Problem): string {
  return `${path}:${line} ${message}`;
}
