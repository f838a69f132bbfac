import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Document, Problem } from './documents.js';
import { readMarkdown } from './markdown.js';

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
    const path = file === '' ? from : posix.join(posix.dirname(from), decodeURI(file));
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
