import type { EmulatorClock } from '../clock.js';
import type { Account, Application, AuthorizationRecord, TeamRecord } from './accounts.js';
import { commitTo, type FileContent, putFiles } from './git.js';
import {
  type AccountInput,
  type ApplicationInput,
  newAccount,
  newApplication,
  newTeam,
  newToken,
  type TeamInput,
  type TokenInput,
} from './new-people.js';
import {
  type AssetInput,
  type CommentInput,
  type DownloadInput,
  type HookInput,
  newAsset,
  newComment,
  newDownload,
  newHook,
  newPagesBuild,
  newPull,
  newRelease,
  newRepo,
  type Origin,
  type PagesBuildInput,
  type PullInput,
  type ReleaseInput,
  type RepoInput,
} from './new-records.js';
import type {
  Asset,
  CommentRecord,
  DownloadRecord,
  HookRecord,
  PagesBuildRecord,
  Pull,
  ReleaseRecord,
  Repo,
  StarRecord,
} from './repo-state.js';
import { HostingState } from './state.js';

/** A repository, or its `owner/name`. */
export type RepoName = Repo | string;

/** Adds data to the emulator's hosting API, to set up tests. */
export class HostingWorld {
  /** State of the hosting API. Read it in assertions, or change it to set up a test. */
  state: HostingState;
  protected readonly clock: EmulatorClock;

  constructor(clock: EmulatorClock, state = new HostingState()) {
    this.clock = clock;
    this.state = state;
  }

  /** Adds a user. Default: no password. */
  addUser(login: string, input: AccountInput = {}): Account {
    const account = newAccount(this.#origin(), login, 'User', input);
    this.state.accounts.set(login, account);
    return account;
  }

  /** Adds an organization with its Owners team. @param owners logins of the owners. */
  addOrg(login: string, owners: readonly string[] = []): Account {
    const account = newAccount(this.#origin(), login, 'Organization', {});
    this.state.accounts.set(login, account);
    this.addTeam(login, 'Owners', { permission: 'admin', members: owners });
    return account;
  }

  /** Adds a token of a user. Generates its value if it is not set. */
  addToken(
    login: string,
    scopes: readonly string[] = [],
    input: TokenInput = {},
  ): AuthorizationRecord {
    const record = newToken(this.#origin(), login, scopes, input);
    this.state.tokens.set(record.token, record);
    return record;
  }

  /** Adds an OAuth application. Generates its id (20 characters) and secret (40) if they are not set. */
  addApplication(name: string, input: ApplicationInput = {}): Application {
    const application = newApplication(this.#origin(), name, input);
    this.state.applications.set(application.clientId, application);
    return application;
  }

  /** Adds a team. */
  addTeam(org: string, name: string, input: TeamInput = {}): TeamRecord {
    const team = newTeam(this.#origin(), org, name, input);
    this.state.teams.set(team.id, team);
    return team;
  }

  /** Adds a repository. Commits `files` to its default branch. Default branch: `main`. */
  addRepo(owner: string, name: string, input: RepoInput = {}): Repo {
    const repo = newRepo(this.#origin(), owner, name, input);
    this.state.repos.set(`${owner}/${name}`, repo);
    for (const team of this.state.listTeams(owner)) {
      if (team.name === 'Owners') team.repos.add(`${owner}/${name}`);
    }
    const { defaultBranch, createdAt: date } = repo;
    putFiles(repo, defaultBranch, input.files ?? {});
    commitTo(repo, defaultBranch, { message: 'Begin', login: owner, date });
    return repo;
  }

  /** Renames a repository. Requests to the old name get a 301. */
  renameRepo(repo: RepoName, name: string): void {
    const found = this.repoNamed(repo);
    const old = `${found.owner}/${found.name}`;
    this.state.repos.delete(old);
    found.name = name;
    const full = `${found.owner}/${name}`;
    this.state.repos.set(full, found);
    this.state.renamed.set(old, full);
    for (const { repos } of this.state.teams.values()) if (repos.delete(old)) repos.add(full);
    for (const repo of this.state.repos.values()) if (repo.forkOf === old) repo.forkOf = full;
  }

  /** Commits files to a branch. Default: the default branch. */
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
    putFiles(found, branch, files);
    const { message = `Add ${Object.keys(files).join(', ')}`, login = found.owner } = input;
    commitTo(found, branch, { message, login, date: this.clock.iso() });
  }

  /** Commits one file (see {@link addFiles}). */
  addFile(repo: RepoName, path: string, content: FileContent, branch?: string): void {
    this.addFiles(repo, { [path]: content }, { branch });
  }

  /**
   * Adds a branch (`heads/topic`), a tag (`tags/v1`) or any other reference.
   * @param sha Default: the head of the default branch.
   */
  addRef(repo: RepoName, name: string, sha?: string): void {
    const found = this.repoNamed(repo);
    const target = sha ?? found.refs.get(`heads/${found.defaultBranch}`)?.sha ?? '';
    found.refs.set(name, { sha: target, type: 'commit' });
    const tree = found.commits.get(target)?.tree;
    if (name.startsWith('heads/')) found.branches.set(name.slice(6), new Map(tree));
  }

  /** Adds a pull request. Default: open, by the owner, from `topic-<number>` into the default branch. */
  addPull(repo: RepoName, input: PullInput = {}): Pull {
    const found = this.repoNamed(repo);
    return added(found.pulls, newPull(this.#origin(), found, input));
  }

  /** Adds a release. Default: published by the owner. */
  addRelease(repo: RepoName, tagName: string, input: ReleaseInput = {}): ReleaseRecord {
    const found = this.repoNamed(repo);
    return added(found.releases, newRelease(this.#origin(), found, tagName, input));
  }

  /** Adds an asset to a release. */
  addAsset(release: ReleaseRecord, name: string, input: AssetInput = {}): Asset {
    return added(release.assets, newAsset(this.#origin(), name, release.login, input));
  }

  /** Adds a star of a user. @param starredAt Default: the emulator's time. */
  addStar(repo: RepoName, login: string, starredAt: string = this.clock.iso()): StarRecord {
    this.state.lastStar += 1;
    const star = { starredAt, sequence: this.state.lastStar };
    this.repoNamed(repo).stargazers.set(login, star);
    return star;
  }

  /** Adds a comment on a commit. */
  addComment(repo: RepoName, body: string, input: CommentInput = {}): CommentRecord {
    const found = this.repoNamed(repo);
    return added(found.comments, newComment(this.#origin(), found, body, input));
  }

  /** Adds a hook without sending a `ping`. Default: an active `web` hook for `push`. */
  addHook(
    repo: RepoName,
    config: Readonly<Record<string, string>>,
    input: HookInput = {},
  ): HookRecord {
    return added(this.repoNamed(repo).hooks, newHook(this.#origin(), config, input));
  }

  /** Adds a download (deprecated by the service). */
  addDownload(repo: RepoName, name: string, input: DownloadInput = {}): DownloadRecord {
    return added(this.repoNamed(repo).downloads, newDownload(this.#origin(), name, input));
  }

  /** Adds a build of the Pages site, and the site if there is none. Default status: `built`. */
  addPagesBuild(repo: RepoName, input: PagesBuildInput = {}): PagesBuildRecord {
    const found = this.repoNamed(repo);
    found.pages ??= { cname: null, custom404: false, builds: [] };
    return added(found.pages.builds, newPagesBuild(this.#origin(), found, input));
  }

  protected repoNamed(repo: RepoName): Repo {
    const found = typeof repo === 'string' ? this.state.repos.get(repo) : repo;
    if (!found) throw new Error(`the emulator has no repository ${String(repo)}`);
    return found;
  }

  #origin(): Origin {
    return { id: this.state.nextId(), now: this.clock.iso() };
  }
}

function added<T>(list: T[], record: T): T {
  list.push(record);
  return record;
}
