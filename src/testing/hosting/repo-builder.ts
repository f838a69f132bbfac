import { sha1 } from '../random.js';
import { AccountBuilder, type Loose } from './account-builder.js';
import { commitTo } from './git.js';
import { blobSha, type Repo, type TreeEntry } from './repo-state.js';

/** A repository to add to: itself, or `owner/name`. */
export type RepoName = Repo | string;

/** What a file is made of. */
export type FileContent =
  | string
  | Uint8Array
  | { readonly symlink: string }
  /** A repository inside the repository; `hosted` where the service has it itself. */
  | { readonly submodule: string; readonly hosted?: boolean | undefined };

/** Adds repositories, and what git holds of them. */
export class RepoBuilder extends AccountBuilder {
  /** Adds a repository with one commit on its default branch (`main`), which holds `files`. */
  addRepo(
    owner: string,
    name: string,
    input: Loose<
      Pick<
        Repo,
        'description' | 'isPrivate' | 'forkOf' | 'language' | 'defaultBranch' | 'createdAt'
      >
    > & { readonly files?: Readonly<Record<string, FileContent>> | undefined } = {},
  ): Repo {
    const createdAt = input.createdAt ?? this.clock.iso();
    const { description = `The ${name} of ${owner}`, language = 'TypeScript' } = input;
    const repo: Repo = {
      id: this.state.nextId(),
      owner,
      name,
      description,
      isPrivate: input.isPrivate ?? false,
      forkOf: input.forkOf,
      language,
      defaultBranch: input.defaultBranch ?? 'main',
      createdAt,
      updatedAt: createdAt,
      collaborators: new Map(),
      pulls: [],
      releases: [],
      branches: new Map(),
      commits: new Map(),
      refs: new Map(),
      stargazers: new Set(),
      comments: [],
      hooks: [],
      downloads: [],
      pages: undefined,
    };
    this.state.repos.set(`${owner}/${name}`, repo);
    for (const team of this.state.teamsOf(owner)) {
      if (team.name === 'Owners') team.repos.add(`${owner}/${name}`);
    }
    this.#put(repo, repo.defaultBranch, input.files ?? {});
    commitTo(repo, repo.defaultBranch, { message: 'Begin', login: owner, date: createdAt });
    return repo;
  }

  /** Renames a repository; its old name answers 301. */
  renameRepo(repo: RepoName, name: string): void {
    const found = this.repoNamed(repo);
    const old = `${found.owner}/${found.name}`;
    this.state.repos.delete(old);
    found.name = name;
    this.state.repos.set(`${found.owner}/${name}`, found);
    this.state.renamed.set(old, `${found.owner}/${name}`);
  }

  /** Writes files into a branch (default: the default branch), by one commit. */
  addFiles(
    repo: RepoName,
    files: Readonly<Record<string, FileContent>>,
    input: {
      readonly branch?: string | undefined;
      readonly message?: string | undefined;
      readonly login?: string | undefined;
    } = {},
  ): void {
    const found = this.repoNamed(repo);
    const branch = input.branch ?? found.defaultBranch;
    this.#put(found, branch, files);
    const { message = `Add ${Object.keys(files).join(', ')}`, login = found.owner } = input;
    commitTo(found, branch, { message, login, date: this.clock.iso() });
  }

  /** Writes one file: see {@link addFiles}. */
  addFile(repo: RepoName, path: string, content: FileContent, branch?: string): void {
    this.addFiles(repo, { [path]: content }, { branch });
  }

  /** Adds a branch (`heads/topic`), a tag (`tags/v1`) or any other reference. @param sha default: the default branch. */
  addRef(repo: RepoName, name: string, sha?: string): void {
    const found = this.repoNamed(repo);
    const target = sha ?? found.refs.get(`heads/${found.defaultBranch}`)?.sha ?? '';
    found.refs.set(name, { sha: target, type: 'commit' });
    const tree = found.commits.get(target)?.tree;
    if (name.startsWith('heads/')) found.branches.set(name.slice(6), new Map(tree));
  }

  protected repoNamed(repo: RepoName): Repo {
    const found = typeof repo === 'string' ? this.state.repos.get(repo) : repo;
    if (!found) throw new Error(`the emulator has no repository ${String(repo)}`);
    return found;
  }

  #put(repo: Repo, branch: string, files: Readonly<Record<string, FileContent>>): void {
    const tree = repo.branches.get(branch) ?? new Map<string, TreeEntry>();
    for (const [path, content] of Object.entries(files)) tree.set(path, entryOf(content));
    repo.branches.set(branch, tree);
  }
}

function entryOf(content: FileContent): TreeEntry {
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
