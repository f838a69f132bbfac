import type { EmulatorClock } from '../clock.js';
import { createRecord, type Kind, type Loose, type ParentOf, type RecordOf } from '../record.js';
import { commitTo, followForks, pointTo, putFiles } from './git.js';
import {
  type Account,
  type AccountInput,
  type Application,
  type AuthorizationRecord,
  accountKind,
  applicationKind,
  authorizationKind,
  type NewApplication,
  type NewTeam,
  normalized,
  type TeamRecord,
  type TokenInput,
  teamKind,
} from './records/accounts.js';
import { type HookInput, type HookRecord, hookKind } from './records/hook.js';
import { type NewPull, type Pull, pullKind } from './records/pull.js';
import {
  type Asset,
  type AssetInput,
  assetKind,
  type ReleaseInput,
  type ReleaseRecord,
  releaseKind,
} from './records/release.js';
import {
  type CommentInput,
  type CommentRecord,
  commentKind,
  type DownloadInput,
  type DownloadRecord,
  downloadKind,
  type NewRepo,
  type PagesBuildInput,
  type PagesBuildRecord,
  pagesBuildKind,
  pagesKind,
  type Repo,
  repositoryKind,
  type StarRecord,
} from './records/repository.js';
import { headSha } from './records/shared-fields.js';
import type { FileContent } from './records/tree.js';
import { HostingState } from './state.js';

/** Repository record, `{ owner, repo }` or `owner/name`. */
export type RepoName = Repo | { readonly owner: string; readonly repo: string } | string;

/** Adds data to the emulator's hosting API for tests. */
export class HostingWorld {
  /** State of the hosting API. Read it in assertions, or change it to set up a test. */
  state: HostingState;
  protected readonly clock: EmulatorClock;

  constructor(clock: EmulatorClock, state = new HostingState()) {
    this.clock = clock;
    this.state = state;
  }

  /** Adds a user, by default without a password. @throws {Error} if the login exists. */
  addUser(login: string, input: AccountInput = {}): Account {
    return this.#addAccount(login, input);
  }

  /**
   * Adds an organization and its Owners team.
   * @param owners logins of the owners.
   * @throws {Error} if the login exists.
   */
  addOrg(login: string, owners: readonly string[] = []): Account {
    const account = this.#addAccount(login, { type: 'Organization' });
    this.addTeam(login, 'Owners', { permission: 'admin', members: owners });
    return account;
  }

  /**
   * Adds a token for a user. Generates the token's value unless `input` sets one.
   * @throws {Error} if the user doesn't exist.
   */
  addToken(
    login: string,
    scopes: readonly string[] = [],
    input: TokenInput = {},
  ): AuthorizationRecord {
    this.#requireAccount('login', login);
    const passed = { ...input, login, scopes: normalized(scopes) };
    const record = this.createRecord(authorizationKind, undefined, passed);
    this.state.tokens.set(record.token, record);
    return record;
  }

  /**
   * Adds an OAuth application. Generates the ID (20 characters) and the secret (40) unless `input`
   * sets them.
   */
  addApplication(name: string, input: NewApplication = {}): Application {
    const application = this.createRecord(applicationKind, undefined, { ...input, name });
    this.state.applications.set(application.clientId, application);
    return application;
  }

  /**
   * Adds a team.
   * @throws {Error} if the organization doesn't exist, or already has a team of that name.
   */
  addTeam(org: string, name: string, input: NewTeam = {}): TeamRecord {
    this.#requireAccount('org', org);
    if (this.state.team(org, name)) throw createDuplicateError('name', name);
    const team = this.createRecord(teamKind, undefined, {
      org,
      name,
      permission: input.permission,
      members: new Set(input.members),
      repos: new Set(input.repos),
    });
    this.state.teams.set(team.id, team);
    return team;
  }

  /**
   * Adds a repository. Commits `files` to the default branch, which is `main` unless set.
   * @throws {Error} if the owner doesn't exist, or already has a repository of that name.
   */
  addRepo(owner: string, name: string, input: NewRepo = {}): Repo {
    this.#requireAccount('owner', owner);
    if (this.state.repo(owner, name)) throw createDuplicateError('name', `${owner}/${name}`);
    const repo = this.createRecord(repositoryKind, undefined, { ...input, owner, name });
    this.state.repos.set(`${owner}/${name}`, repo);
    for (const team of this.state.listTeams(owner)) {
      if (team.name === 'Owners') team.repos.add(`${owner}/${name}`);
    }
    const { defaultBranch, createdAt: date } = repo;
    putFiles(repo, defaultBranch, input.files ?? {});
    commitTo(repo, defaultBranch, { message: 'Begin', login: owner, date });
    return repo;
  }

  /**
   * Renames a repository. Requests to the old name get a 301 until another repository has that name.
   * @throws {Error} if the owner already has another repository of the new name.
   */
  renameRepo(repo: RepoName, name: string): void {
    const found = this.repoNamed(repo);
    const old = `${found.owner}/${found.name}`;
    const full = `${found.owner}/${name}`;
    if ((this.state.repos.get(full) ?? found) !== found) throw createDuplicateError('name', full);
    this.state.repos.delete(old);
    found.name = name;
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
    followForks(this.state);
  }

  /** Commits one file (see {@link addFiles}). */
  addFile(repo: RepoName, path: string, content: FileContent, branch?: string): void {
    this.addFiles(repo, { [path]: content }, { branch });
  }

  /**
   * Adds a reference, such as the branch `heads/topic` or the tag `tags/v1`.
   * @param sha Default: the head of the default branch.
   */
  addRef(repo: RepoName, name: string, sha?: string): void {
    const found = this.repoNamed(repo);
    pointTo(found, name, sha ?? headSha(found));
    followForks(this.state);
  }

  /**
   * Adds a pull request. By default, it is open, its author is the repository's owner, and it
   * merges `topic-<number>` into the default branch.
   */
  addPull(repo: RepoName, input: NewPull = {}): Pull {
    const found = this.repoNamed(repo);
    return added(found.pulls, this.createRecord(pullKind, found, input));
  }

  /**
   * Adds a release. By default, it is published and its author is the repository's owner.
   * @throws {Error} if the repository already has a release of that tag.
   */
  addRelease(repo: RepoName, tagName: string, input: ReleaseInput = {}): ReleaseRecord {
    const found = this.repoNamed(repo);
    if (found.releases.some((release) => release.tagName === tagName)) {
      throw createDuplicateError('tagName', tagName);
    }
    return added(found.releases, this.createRecord(releaseKind, found, { ...input, tagName }));
  }

  /**
   * Adds an asset to a release.
   * @throws {Error} if the release already has an asset of that name.
   */
  addAsset(release: ReleaseRecord, name: string, input: AssetInput = {}): Asset {
    if (release.assets.some((asset) => asset.name === name)) {
      throw createDuplicateError('name', name);
    }
    return added(release.assets, this.createRecord(assetKind, release, { ...input, name }));
  }

  /**
   * Adds a user's star.
   * @param starredAt Default: the emulator's time.
   * @throws {Error} if the user doesn't exist.
   */
  addStar(repo: RepoName, login: string, starredAt: string = this.clock.iso()): StarRecord {
    this.#requireAccount('login', login);
    this.state.lastStar += 1;
    const star = { starredAt, sequence: this.state.lastStar };
    this.repoNamed(repo).stargazers.set(login, star);
    return star;
  }

  /** Adds a comment on a commit. */
  addComment(repo: RepoName, body: string, input: CommentInput = {}): CommentRecord {
    const found = this.repoNamed(repo);
    return added(found.comments, this.createRecord(commentKind, found, { ...input, body }));
  }

  /** Adds a hook without sending a `ping`. Default: an active `web` hook for `push`. */
  addHook(
    repo: RepoName,
    config: Readonly<Record<string, string>>,
    input: HookInput = {},
  ): HookRecord {
    const found = this.repoNamed(repo);
    return added(found.hooks, this.createRecord(hookKind, found, { ...input, config }));
  }

  /** Adds a download (deprecated by the service). */
  addDownload(repo: RepoName, name: string, input: DownloadInput = {}): DownloadRecord {
    const found = this.repoNamed(repo);
    return added(found.downloads, this.createRecord(downloadKind, found, { ...input, name }));
  }

  /** Adds a Pages build, and the site if there is none. Default status: `built`. */
  addPagesBuild(repo: RepoName, input: PagesBuildInput = {}): PagesBuildRecord {
    const found = this.repoNamed(repo);
    found.pages ??= createRecord(pagesKind, { id: 0, now: '', parent: found }, {});
    return added(found.pages.builds, this.createRecord(pagesBuildKind, found, input));
  }

  #addAccount(login: string, input: Loose<Omit<Account, 'id' | 'login'>>): Account {
    if (this.state.account(login)) throw createDuplicateError('login', login);
    const account = this.createRecord(accountKind, undefined, { ...input, login });
    this.state.accounts.set(login, account);
    return account;
  }

  #requireAccount(where: string, login: string): void {
    if (this.state.account(login)) return;
    throw new Error(`${where}: must be an existing account (got ${login}). Add it first.`);
  }

  protected repoNamed(repo: RepoName): Repo {
    if (typeof repo === 'object' && 'id' in repo) return repo;
    const name = typeof repo === 'string' ? repo : `${repo.owner}/${repo.repo}`;
    const found = this.state.repos.get(name);
    if (!found) throw new Error(`repo: must be an existing repository (got ${name})`);
    return found;
  }

  /** @internal Creates a record with the next ID. */
  createRecord<K extends Kind>(
    kind: K,
    parent: ParentOf<K>,
    passed: Loose<RecordOf<K>> & { readonly createdAt?: string | undefined },
  ): RecordOf<K> {
    const origin = {
      id: this.state.nextId(),
      now: passed.createdAt ?? this.clock.iso(),
      parent,
    };
    return createRecord(kind, origin, passed);
  }
}

function added<T>(list: T[], record: T): T {
  list.push(record);
  return record;
}

function createDuplicateError(where: string, value: string): Error {
  return new Error(`${where}: must be unique (got ${value} twice)`);
}
