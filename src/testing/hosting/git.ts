import { blobSha, sha1 } from '../random.js';
import type { RefData, Repo } from './records/repository.js';
import type { CommitRecord, FileContent, Tree, TreeEntry } from './records/tree.js';
import type { HostingState } from './state.js';

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

interface CommitInput {
  readonly message: string;
  readonly login: string;
  readonly date: string;
  /** SHA of the merged commit, for a merge. */
  readonly merged?: string | undefined;
}

/** Commits a branch's current files and moves the branch to the commit. */
export function commitTo(
  repo: Repo,
  branch: string,
  { merged, ...input }: CommitInput,
): CommitRecord {
  const tree: Tree = repo.branches.get(branch) ?? new Map<string, TreeEntry>();
  repo.branches.set(branch, tree);
  const before = repo.refs.get(`heads/${branch}`)?.sha;
  const parents = [before, merged].filter((sha) => sha !== undefined);
  const entries = [...tree].map(([path, entry]) => `${path} ${entry.sha}\n`).join('');
  const commit: CommitRecord = {
    sha: sha1('commit', parents.join(' '), input.message, input.login, input.date, entries),
    parents,
    tree: new Map(tree),
    ...input,
  };
  repo.commits.set(commit.sha, commit);
  setRef(repo, `heads/${branch}`, commit.sha);
  if (input.date > repo.updatedAt) repo.updatedAt = input.date;
  return commit;
}

/** Sets a reference. The heads of open pull requests follow their branches. */
function setRef(repo: Repo, name: string, sha: string): RefData {
  const target: RefData = { sha, type: 'commit' };
  repo.refs.set(name, target);
  for (const pull of repo.pulls) {
    const { login, ref } = pull.head;
    const follows = login === repo.owner && name === `heads/${ref}`;
    if (pull.state === 'open' && follows) pull.head = { login, ref, sha };
  }
  return target;
}

/**
 * Points a reference to a commit. If the reference is a branch, replaces the branch's files with
 * the commit's files.
 */
export function pointTo(repo: Repo, name: string, sha: string): RefData {
  const target = setRef(repo, name, sha);
  const tree = repo.commits.get(sha)?.tree;
  if (name.startsWith('heads/')) repo.branches.set(name.slice(6), new Map(tree));
  return target;
}

/** Removes a reference. If the reference is a branch, also removes the branch's files. */
export function removeRef(repo: Repo, name: string): boolean {
  if (name.startsWith('heads/')) repo.branches.delete(name.slice(6));
  return repo.refs.delete(name);
}

/** Yields a commit and its ancestors, nearest first. */
function* listAncestors(repo: Repo, of: string): Generator<string> {
  const found = new Set([of]);
  for (const sha of found) {
    yield sha;
    for (const parent of repo.commits.get(sha)?.parents ?? []) found.add(parent);
  }
}

/** Returns whether `ancestor` is an ancestor of the commit `of`, or the same commit. */
export function isAncestor(repo: Repo, ancestor: string, of: string): boolean {
  return new Set(listAncestors(repo, of)).has(ancestor);
}

/** Returns the nearest common ancestor of two commits. Undefined if there is none. */
export function findMergeBase(repo: Repo, one: string, other: string): CommitRecord | undefined {
  const known = new Set(listAncestors(repo, one));
  for (const sha of listAncestors(repo, other)) {
    if (known.has(sha)) return repo.commits.get(sha);
  }
  return undefined;
}

/**
 * Merges a commit's changes into a branch's files. Changes nothing if the repository doesn't
 * contain the commit's history.
 * @returns false if the branch has other changes to the same files.
 */
export function mergeFiles(repo: Repo, branch: string, sha: string): boolean {
  const tree = repo.branches.get(branch);
  const theirs = repo.commits.get(sha)?.tree;
  const old = findMergeBase(repo, repo.refs.get(`heads/${branch}`)?.sha ?? '', sha)?.tree;
  if (!tree || !theirs || !old) return true;
  const paths = new Set([...old.keys(), ...theirs.keys()]);
  const changed = [...paths].filter((path) => old.get(path)?.sha !== theirs.get(path)?.sha);
  const isOther = (path: string) =>
    ![old, theirs].some((each) => each.get(path)?.sha === tree.get(path)?.sha);
  if (changed.some(isOther)) return false;
  for (const path of changed) {
    const entry = theirs.get(path);
    if (entry) tree.set(path, entry);
    else tree.delete(path);
  }
  return true;
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

/** Returns the root repository of a fork's network. */
function findRoot({ repos }: HostingState, repo: Repo): Repo {
  const seen = new Set<Repo>();
  let root = repo;
  while (!seen.has(root)) {
    seen.add(root);
    root = repos.get(root.forkOf ?? '') ?? root;
  }
  return root;
}

/** Returns a user's repository in the network of a repository and its forks. */
export function findInNetwork(state: HostingState, repo: Repo, login: string): Repo | undefined {
  if (login === repo.owner) return repo;
  const root = findRoot(state, repo);
  return [...state.repos.values()].find(
    (each) => each.owner === login && findRoot(state, each) === root,
  );
}

/**
 * Moves the heads of open pull requests from forks to the heads of the forks' branches. Called
 * after a branch moves. Also called before a repository's pull requests are read, because tests can
 * add a pull request whose SHA differs from the branch's SHA.
 */
export function followForks(
  state: HostingState,
  repos: Iterable<Repo> = state.repos.values(),
): void {
  for (const repo of repos) {
    for (const pull of repo.pulls) {
      const { login, ref } = pull.head;
      if (pull.state === 'closed' || login === repo.owner) continue;
      const sha = findInNetwork(state, repo, login)?.refs.get(`heads/${ref}`)?.sha;
      if (sha !== undefined) pull.head = { login, ref, sha };
    }
  }
}
