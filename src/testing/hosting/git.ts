import { blobSha, sha1 } from '../random.js';
import type { RefData, Repo } from './records/repository.js';
import type { CommitRecord, FileContent, Tree, TreeEntry } from './records/tree.js';

/** Creates a tree entry for a file, symlink or submodule. */
export function createEntry(content: FileContent): TreeEntry {
  if (typeof content === 'string' || content instanceof Uint8Array) {
    const bytes = Buffer.from(content);
    return { kind: 'file', bytes, sha: blobSha(bytes) };
  }
  if ('symlink' in content) {
    const { symlink } = content;
    return { kind: 'symlink', target: symlink, sha: blobSha(Buffer.from(symlink)) };
  }
  const { submodule, hosted = false } = content;
  return { kind: 'submodule', url: submodule, hosted, sha: sha1('submodule', submodule) };
}

/** Adds files to a branch without a commit. */
export function putFiles(
  repo: Repo,
  branch: string,
  files: Readonly<Record<string, FileContent>>,
): void {
  const tree = repo.branches.get(branch) ?? new Map<string, TreeEntry>();
  for (const [path, content] of Object.entries(files)) tree.set(path, createEntry(content));
  repo.branches.set(branch, tree);
}

export interface CommitInput {
  readonly message: string;
  readonly login: string;
  readonly date: string;
}

/** Commits a branch's current files and moves the branch to the commit. */
export function commitTo(repo: Repo, branch: string, input: CommitInput): CommitRecord {
  const tree: Tree = repo.branches.get(branch) ?? new Map<string, TreeEntry>();
  repo.branches.set(branch, tree);
  const parent = repo.refs.get(`heads/${branch}`)?.sha;
  const entries = [...tree].map(([path, entry]) => `${path} ${entry.sha}\n`).join('');
  const commit: CommitRecord = {
    sha: sha1('commit', parent ?? '', input.message, input.login, input.date, entries),
    parents: parent === undefined ? [] : [parent],
    tree: new Map(tree),
    ...input,
  };
  repo.commits.set(commit.sha, commit);
  repo.refs.set(`heads/${branch}`, { sha: commit.sha, type: 'commit' });
  if (input.date > repo.updatedAt) repo.updatedAt = input.date;
  return commit;
}

/**
 * Points a reference to a commit. If the reference is a branch, replaces the branch's files with
 * the commit's files.
 */
export function pointTo(repo: Repo, name: string, sha: string): RefData {
  const target: RefData = { sha, type: 'commit' };
  repo.refs.set(name, target);
  const tree = repo.commits.get(sha)?.tree;
  if (name.startsWith('heads/')) repo.branches.set(name.slice(6), new Map(tree));
  return target;
}

/** Removes a reference. If the reference is a branch, also removes the branch's files. */
export function removeRef(repo: Repo, name: string): boolean {
  if (name.startsWith('heads/')) repo.branches.delete(name.slice(6));
  return repo.refs.delete(name);
}

/** Returns whether `ancestor` is an ancestor of the commit `of`, or the same commit. */
export function isAncestor(repo: Repo, ancestor: string, of: string): boolean {
  const open = [of];
  const seen = new Set<string>();
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (sha === ancestor) return true;
    if (seen.has(sha)) continue;
    seen.add(sha);
    open.push(...(repo.commits.get(sha)?.parents ?? []));
  }
  return false;
}

/** Resolves a branch, a tag, a full reference name or a SHA to a commit. */
export function findCommit(repo: Repo, ref: string): CommitRecord | undefined {
  const name = ref.replace(/^refs\//, '');
  const sha =
    repo.refs.get(`heads/${name}`)?.sha ??
    repo.refs.get(`tags/${name}`)?.sha ??
    repo.refs.get(name)?.sha;
  return repo.commits.get(sha ?? ref);
}

/** Returns the files of a branch, a tag or a commit. Undefined if `ref` is unknown. */
export function findTree(repo: Repo, ref: string): ReadonlyMap<string, TreeEntry> | undefined {
  return repo.branches.get(ref) ?? findCommit(repo, ref)?.tree;
}
