import * as z from 'zod/mini';
import * as check from '../checks.js';
import { createEntry, pointTo } from '../hosting/git.js';
import type { RefData, Repo } from '../hosting/records/repository.js';
import {
  type BytesData,
  bytesData,
  type CommitRecord,
  decodeBytes,
  type FileContent,
  type TreeEntry,
} from '../hosting/records/tree.js';

/** Content stored at a path: bytes, a symbolic link or a submodule. */
export type FileData =
  | BytesData
  | { readonly symlink: string }
  | { readonly submodule: string; readonly hosted?: boolean | undefined };

/** Git history of a repository. */
export interface GitData {
  /** Files by SHA, and symlinks and submodules by another unique name. */
  readonly objects: Readonly<Record<string, FileData>>;
  /** Commits with their trees. */
  readonly commits: readonly (Omit<CommitRecord, 'tree'> & {
    /** Names in `objects`, by path. */
    readonly tree: Readonly<Record<string, string>>;
  })[];
  /** References by full name, such as `heads/main`. */
  readonly refs: Readonly<Record<string, Readonly<RefData>>>;
}

export const filesCheck = check.dictionary(check.file());

export const gitCheck = z.strictObject({
  objects: filesCheck,
  commits: z.array(
    z.strictObject({
      sha: check.text(),
      message: check.text(),
      login: check.text(),
      parents: check.texts(),
      date: check.time(),
      tree: check.dictionary(check.text()),
    }),
  ),
  refs: check.dictionary(z.strictObject({ sha: check.text(), type: z.enum(['commit', 'tag']) })),
});

export function decodeFiles(files: Readonly<Record<string, FileData>>) {
  return Object.fromEntries(
    Object.entries(files).map(([path, data]) => [path, decodeFile(data)] as const),
  );
}

function decodeFile(data: FileData): FileContent {
  return typeof data === 'string' || 'base64' in data ? decodeBytes(data) : data;
}

function encodeFile(entry: TreeEntry): FileData {
  if (entry.kind === 'file') return bytesData(entry.bytes);
  if (entry.kind === 'symlink') return { symlink: entry.target };
  return { submodule: entry.url, hosted: entry.hosted };
}

export function exportGit({ commits, refs }: Repo): GitData {
  // Converts trees to objects before listing entries. JavaScript objects move names such as `7` to
  // the front, so an import would change any other order.
  const trees = Array.from(commits.values(), ({ tree }) => Object.fromEntries(tree));
  const entries = trees.flatMap((tree) => Object.values(tree));
  return {
    objects: Object.fromEntries(entries.map((entry) => [entryKey(entry), encodeFile(entry)])),
    commits: Array.from(commits.values(), ({ tree, ...commit }) => ({
      ...commit,
      tree: Object.fromEntries(Array.from(tree, ([path, entry]) => [path, entryKey(entry)])),
    })),
    refs: Object.fromEntries(refs),
  };
}

/**
 * Returns an entry's key. Keys of symlinks and submodules start with the git mode, because a file can
 * have the same SHA.
 */
function entryKey({ kind, sha }: TreeEntry): string {
  if (kind === 'file') return sha;
  return `${kind === 'symlink' ? '120000' : '160000'} ${sha}`;
}

/**
 * Replaces a repository's history with the imported history.
 * @throws {Error} if an object is missing or two commits have the same SHA.
 */
export function importGit(repo: Repo, git: GitData, where: string): void {
  const objects = new Map(
    Object.entries(git.objects).map(([sha, data]) => [sha, createEntry(decodeFile(data))]),
  );
  for (const all of [repo.commits, repo.refs, repo.branches]) all.clear();
  for (const [index, { tree, ...commit }] of git.commits.entries()) {
    const place = `${where}.commits[${index}]`;
    if (repo.commits.has(commit.sha))
      throw new Error(`${place}.sha: must be unique (got ${commit.sha} twice)`);
    const entries = Object.entries(tree).map(([path, sha]) => {
      const entry = objects.get(sha);
      if (!entry)
        throw new Error(`${place}.tree: each value must be a key of git.objects (got ${sha})`);
      return [path, entry] as const;
    });
    repo.commits.set(commit.sha, { ...commit, tree: new Map(entries) });
  }
  for (const [name, ref] of Object.entries(git.refs)) {
    if (repo.commits.has(ref.sha)) pointTo(repo, name, ref.sha);
    repo.refs.set(name, { ...ref });
  }
}
