import * as z from 'zod/mini';
import * as check from '../checks.js';
import type { EmulatorClock } from '../clock.js';
import { createEntry, pointTo } from '../hosting/git.js';
import {
  accountKind,
  applicationKind,
  authorizationKind,
  teamKind,
} from '../hosting/records/accounts.js';
import {
  type RefData,
  type Repo,
  repositoryKind,
  type StarRecord,
} from '../hosting/records/repository.js';
import {
  type BytesData,
  bytesData,
  type CommitRecord,
  decodeBytes,
  type FileContent,
  type TreeEntry,
} from '../hosting/records/tree.js';
import type { HostingState } from '../hosting/state.js';
import type { HostingWorld } from '../hosting/world.js';
import {
  checkIdentity,
  createCheck,
  type DataOf,
  decodeRecord,
  exportRecord,
  type Import,
  importChildren,
  importRecord,
  type Loose,
} from '../record.js';

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

/** @internal */
export const filesCheck = check.dictionary(check.file());

/** @internal */
export const gitCheck = z.strictObject({
  objects: filesCheck,
  commits: check.list(
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

/** @internal */
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

/** @internal */
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
 * @internal Replaces a repository's history with the imported history.
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

/** State of the hosting API. */
export interface HostingData {
  /** Highest ID of any record. */
  readonly lastId?: number | undefined;
  /** Users and organizations. The first user is signed in to the web pages. */
  readonly accounts?: readonly AccountData[] | undefined;
  /** OAuth applications. */
  readonly applications?: readonly ApplicationData[] | undefined;
  /** Tokens and their scopes. */
  readonly tokens?: readonly AuthorizationData[] | undefined;
  /** Repositories with their content. */
  readonly repositories?: readonly RepositoryData[] | undefined;
  /** Teams of organizations. */
  readonly teams?: readonly TeamData[] | undefined;
  /** New names of renamed repositories by old name, as `owner/name`. */
  readonly renamed?: Readonly<Record<string, string>> | undefined;
}

/** A user or an organization. Default: a user. */
export interface AccountData extends DataOf<typeof accountKind> {
  /**
   * Logins of an organization's owners. Creates the Owners team, which has access to all of the
   * organization's repositories.
   */
  readonly owners?: readonly string[] | undefined;
}

/** An OAuth application. */
export interface ApplicationData extends DataOf<typeof applicationKind> {}

/** A token and its scopes. */
export interface AuthorizationData extends DataOf<typeof authorizationKind> {}

/** A team. */
export interface TeamData extends DataOf<typeof teamKind> {}

/** A repository. */
export interface RepositoryData extends DataOf<typeof repositoryKind> {
  /** Files of the default branch by path, in one commit. */
  readonly files?: Readonly<Record<string, FileData>> | undefined;
  /** Complete history, instead of `files`. */
  readonly git?: GitData | undefined;
  /** Logins in the order of their stars, or an object that maps logins to stars or star times. */
  readonly stargazers?:
    | readonly string[]
    | Readonly<Record<string, string | Loose<StarRecord>>>
    | undefined;
}

const starCheck = z.strictObject({
  starredAt: z.optional(check.time()),
  sequence: z.optional(check.id()),
});

const repositoryCheck = z.extend(createCheck(repositoryKind), {
  files: z.optional(filesCheck),
  git: z.optional(gitCheck),
  stargazers: z.optional(
    z.union(
      [check.texts(), check.dictionary(z.union([check.time(), starCheck]))],
      'must be an array of logins, or an object that maps logins to times or to { starredAt, sequence }',
    ),
  ),
});

/** @internal */
export const hostingCheck = z.partial(
  z.strictObject({
    lastId: check.count(),
    accounts: check.list(z.extend(createCheck(accountKind), { owners: z.optional(check.texts()) })),
    applications: check.list(createCheck(applicationKind)),
    tokens: check.list(createCheck(authorizationKind)),
    repositories: check.list(repositoryCheck),
    teams: check.list(createCheck(teamKind)),
    renamed: check.dictionary(check.fullName(), check.fullName()),
  }),
);

/** @internal Exports the state of the hosting API, except for pending codes of the web flow. */
export function exportHosting(state: HostingState): HostingData {
  return {
    lastId: state.lastId,
    accounts: Array.from(state.accounts.values(), (each) => exportRecord(accountKind, each)),
    applications: Array.from(state.applications.values(), (each) =>
      exportRecord(applicationKind, each),
    ),
    tokens: Array.from(state.tokens.values(), (each) => exportRecord(authorizationKind, each)),
    repositories: Array.from(state.repos.values(), (repo) => ({
      ...exportRecord(repositoryKind, repo),
      git: exportGit(repo),
      stargazers: Object.fromEntries(repo.stargazers),
    })),
    teams: Array.from(state.teams.values(), (each) => exportRecord(teamKind, each)),
    renamed: Object.fromEntries(state.renamed),
  };
}

/**
 * @internal Imports data into an empty world.
 * @throws {Error} if a record refers to a record that doesn't exist, or if a name or ID isn't unique.
 * The message names the field's path.
 */
export function importHosting(world: HostingWorld, data: HostingData, clock: EmulatorClock): void {
  const { state } = world;
  const { accounts = [], applications = [], tokens = [], repositories = [], teams = [] } = data;
  const how: Import = {
    origin: (kind, parent, createdAt) => ({
      id: 'id' in kind.fields ? state.nextId() : 0,
      now: createdAt ?? clock.iso(),
      parent,
    }),
    seen: new Map(),
  };
  // Starts after the highest ID in the data, so generated IDs don't collide with IDs of later
  // records.
  state.lastId = highestId(data);
  for (const [index, account] of accounts.entries()) {
    importAccount(world, account, `hosting.accounts[${index}]`, how);
  }
  for (const [index, { name, ...application }] of applications.entries()) {
    const made = world.addApplication(name, application);
    checkIdentity(applicationKind, made, `hosting.applications[${index}]`, how);
  }
  for (const [index, token] of tokens.entries()) {
    const where = `hosting.tokens[${index}]`;
    checkAccount(world, token.login, `${where}.login`);
    const made = importRecord(authorizationKind, token, undefined, where, how);
    state.tokens.set(made.token, made);
  }
  for (const [index, repository] of repositories.entries()) {
    importRepository(world, repository, `hosting.repositories[${index}]`, how);
  }
  for (const [index, team] of teams.entries()) {
    importTeam(world, team, `hosting.teams[${index}]`, how);
  }
  for (const [old, name] of Object.entries(data.renamed ?? {})) state.renamed.set(old, name);
  // Records without an ID got generated IDs, which are higher than all IDs in the data.
  if (data.lastId !== undefined) {
    state.lastId = Math.max(data.lastId, highestId(exportHosting(state)));
  }
}

function importAccount(world: HostingWorld, data: AccountData, where: string, how: Import): void {
  const { owners, login, type = 'User' } = data;
  for (const owner of owners ?? []) checkAccount(world, owner, `${where}.owners`);
  if (owners && type === 'User') {
    throw new Error(
      `${where}.owners: must be omitted for a user. For an organization, set type to Organization.`,
    );
  }
  if (world.state.accounts.has(login)) {
    throw new Error(`${where}.login: must be unique (got ${login} twice)`);
  }
  world.state.accounts.set(login, importRecord(accountKind, data, undefined, where, how));
  if (owners) world.addTeam(login, 'Owners', { permission: 'admin', members: owners });
}

function importTeam(world: HostingWorld, data: TeamData, where: string, how: Import): void {
  checkAccount(world, data.org, `${where}.org`);
  for (const member of data.members ?? []) checkAccount(world, member, `${where}.members`);
  const { org, name } = data;
  if (world.state.team(org, name)) {
    throw new Error(`${where}.name: must be unique (got ${name} twice)`);
  }
  const made = importRecord(teamKind, data, undefined, where, how);
  world.state.teams.set(made.id, made);
}

function importRepository(
  world: HostingWorld,
  data: RepositoryData,
  where: string,
  how: Import,
): void {
  const { owner, name, files = {}, git, stargazers = [], updatedAt } = data;
  checkAccount(world, owner, `${where}.owner`);
  if (world.state.repo(owner, name))
    throw new Error(`${where}: must be unique (got ${owner}/${name} twice)`);
  for (const login of Object.keys(data.collaborators ?? {})) {
    checkAccount(world, login, `${where}.collaborators`);
  }
  const input = { ...decodeRecord(repositoryKind, data), files: decodeFiles(files) };
  const repo = world.addRepo(owner, name, input);
  checkIdentity(repositoryKind, repo, where, how);
  if (git) importGit(repo, git, `${where}.git`);
  importStars(world, repo, stargazers, `${where}.stargazers`);
  importChildren(repositoryKind, repo, data, where, { ...how, seen: new Map() });
  // Restores the time from the data, because the first commit may have set a later time.
  repo.updatedAt = updatedAt ?? repo.updatedAt;
}

function importStars(
  world: HostingWorld,
  repo: Repo,
  data: NonNullable<RepositoryData['stargazers']>,
  where: string,
): void {
  const stars = Array.isArray(data)
    ? data.map((login) => [String(login), repo.createdAt] as const)
    : Object.entries(data);
  for (const [login, passed] of stars) {
    checkAccount(world, login, where);
    const star = typeof passed === 'string' ? { starredAt: passed } : passed;
    const made = world.addStar(repo, login, star.starredAt);
    const { sequence = made.sequence } = star;
    repo.stargazers.set(login, { ...made, sequence });
    world.state.lastStar = Math.max(world.state.lastStar, sequence);
  }
  // Restores the order of the stars, because a JavaScript object moves names such as `7` to the
  // front.
  const sorted = [...repo.stargazers].sort(([, a], [, b]) => a.sequence - b.sequence);
  repo.stargazers.clear();
  for (const [login, star] of sorted) repo.stargazers.set(login, star);
}

function checkAccount(world: HostingWorld, login: string, where: string): void {
  if (world.state.accounts.has(login)) return;
  throw new Error(`${where}: must be a login in hosting.accounts (got '${login}')`);
}

function highestId(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0;
  const own = 'id' in data && typeof data.id === 'number' ? data.id : 0;
  return Object.values(data).reduce<number>((most, each) => Math.max(most, highestId(each)), own);
}
