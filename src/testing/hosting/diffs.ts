import { formatCount } from '../../schema/unknown-values.js';
import { sha1 } from '../random.js';
import type { Pull } from './records/pull.js';
import type { CommitRecord, TreeEntry } from './records/tree.js';
import { emailOf } from './render.js';

/** Change to one file. */
export interface ChangedFile {
  readonly path: string;
  /** Previous text. Undefined if the file didn't exist, null if it isn't text. */
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

/** Changes in a repository's commit, or in a pull request's fictitious head commit. */
export interface Change extends Omit<CommitRecord, 'tree'> {
  readonly changes: readonly ChangedFile[];
}

/** Returns fictitious changes for a pull request whose branches the emulator doesn't have. */
export function pullChanges(pull: Pull): ChangedFile[] {
  return Array.from({ length: 1 + (pull.number % 5) }, (_, index) => ({
    path: `src/file-${index}.ts`,
    before: 'export const part = 0;\n',
    after: `export const part = ${pull.number};\nexport const file = ${index};\nexport default part;\n`,
  }));
}

/** Returns the changes between two trees, sorted by path. */
export function treeChanges(
  before: ReadonlyMap<string, TreeEntry>,
  after: ReadonlyMap<string, TreeEntry>,
): ChangedFile[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => (a < b ? -1 : 1));
  return paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    return old?.sha === now?.sha
      ? []
      : [{ path, before: decodeFileText(old), after: decodeFileText(now) }];
  });
}

function decodeFileText(entry: TreeEntry | undefined): string | null | undefined {
  if (entry?.kind === 'symlink') return entry.target;
  if (entry?.kind === 'submodule') return `Subproject commit ${entry.sha}\n`;
  return entry?.bytes.includes(0) ? null : entry?.bytes.toString();
}

/** Renders one file of a diff as the API lists it. */
export function renderChange(change: ChangedFile): object {
  const { path: filename, before, after } = change;
  const { added, removed, text } = computeHunk(change);
  const status = before === undefined ? 'added' : after === undefined ? 'removed' : 'modified';
  return {
    sha: sha1(filename, after ?? ''),
    filename,
    status,
    additions: added,
    deletions: removed,
    changes: added + removed,
    ...(text !== undefined && { patch: text.trimEnd() }),
  };
}

/** Formats changes as `git diff` does. */
export function formatDiff(changes: readonly ChangedFile[]): string {
  return changes
    .map((change) => {
      const { path, before, after } = change;
      const { text } = computeHunk(change);
      const word = before === undefined ? 'new' : after === undefined && 'deleted';
      const mode = word ? `${word} file mode 100644\n` : '';
      const [old, now] = [before ?? '', after ?? ''].map((each) => sha1(each).slice(0, 7));
      const names = [
        before === undefined ? '/dev/null' : `a/${path}`,
        after === undefined ? '/dev/null' : `b/${path}`,
      ];
      const body =
        text === undefined
          ? `Binary files ${names.join(' and ')} differ\n`
          : text && `--- ${names[0]}\n+++ ${names[1]}\n${text}`;
      return `diff --git a/${path} b/${path}\n${mode}index ${old}..${now}${mode ? '' : ' 100644'}\n${body}`;
    })
    .join('');
}

/** Formats a commit as `git format-patch` does. */
export function formatPatch({ changes, ...head }: Change): string {
  const [subject = '', ...rest] = head.message.split('\n');
  const body = rest.join('\n').trim();
  const hunks = changes.map(computeHunk);
  const total = (of: 'added' | 'removed') => hunks.reduce((sum, hunk) => sum + hunk[of], 0);
  return `From ${head.sha} Mon Sep 17 00:00:00 2001
From: ${head.login} <${emailOf(head.login)}>
Date: ${new Date(head.date).toUTCString().replace('GMT', '+0000')}
Subject: [PATCH] ${subject}
${body === '' ? '' : `\n${body}\n`}
---
 ${formatCount(changes.length, 'file')} changed, ${formatCount(total('added'), 'insertion')}(+), ${formatCount(total('removed'), 'deletion')}(-)

${formatDiff(changes)}--
2.0.0
`;
}

interface Hunk {
  readonly added: number;
  readonly removed: number;
  /** Text of the hunk. Empty if no line differs. Undefined if either side isn't text. */
  readonly text: string | undefined;
}

const surrounding = 3;

/** Returns all differences as one hunk. */
function computeHunk({ before, after }: ChangedFile): Hunk {
  if (before === null || after === null) return { added: 0, removed: 0, text: undefined };
  const [old, now] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  if (removed.length + added.length === 0) return { added: 0, removed: 0, text: '' };
  const above = old.slice(Math.max(0, start - surrounding), start);
  const below = old.slice(old.length - end, old.length - end + surrounding);
  const around = above.length + below.length;
  const range = (count: number) => `${count === 0 ? 0 : start - above.length + 1},${count}`;
  const lines = [
    `@@ -${range(removed.length + around)} +${range(added.length + around)} @@`,
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ];
  return { added: added.length, removed: removed.length, text: `${lines.join('\n')}\n` };
}

/** Splits text into lines. Marks the last line if it has no line ending. */
function splitLines(text: string | undefined): string[] {
  if (!text) return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}
