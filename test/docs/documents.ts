import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readMarkdown } from './markdown.js';

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

const elsewhere = /^([a-z][a-z\d+.-]*:|\/\/)/i;

/** Returns the links to files or headings that don't exist in the repository. */
export function linkProblems(root: string, documents: readonly Document[]): Problem[] {
  const anchors = new Map(
    documents.map(({ path, text }) => [path, readMarkdown(text).anchors] as const),
  );
  const listAnchors = (path: string) =>
    anchors.get(path) ?? readMarkdown(readFileSync(join(root, path), 'utf8')).anchors;

  function findProblem(from: string, target: string): string | undefined {
    const [file = '', fragment] = target.split('#', 2);
    // Links that start with a slash are relative to the repository's root.
    const folder = file.startsWith('/') ? '' : posix.dirname(from);
    const path = file === '' ? from : posix.join('.', folder, decodeURI(file));
    if (path.startsWith('../')) return `${target} leads out of the repository`;
    if (!anchors.has(path) && !existsSync(join(root, path))) return `${target}: no such file`;
    if (fragment === undefined) return undefined;
    if (!path.endsWith('.md') || (!anchors.has(path) && statSync(join(root, path)).isDirectory())) {
      return `${target}: only a document has headings to point to`;
    }
    return listAnchors(path).has(decodeURIComponent(fragment))
      ? undefined
      : `${target}: ${path} has no such heading`;
  }

  return documents.flatMap(({ path, text }) =>
    readMarkdown(text).links.flatMap(({ target, line }) => {
      const message = elsewhere.test(target) ? undefined : findProblem(path, target);
      return message === undefined ? [] : [{ path, line, message }];
    }),
  );
}
