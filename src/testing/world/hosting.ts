import type { EmulatorClock } from '../clock.js';
import {
  accountKind,
  applicationKind,
  authorizationKind,
  teamKind,
} from '../hosting/records/accounts.js';
import { type Repo, repositoryKind } from '../hosting/records/repository.js';
import type { HostingState } from '../hosting/state.js';
import type { HostingWorld } from '../hosting/world.js';
import {
  checkIdentity,
  decodeRecord,
  exportRecord,
  type Import,
  importChildren,
  importRecord,
} from '../record.js';
import { decodeFiles, exportGit, importGit } from './git-data.js';
import type { AccountData, HostingData, RepositoryData, TeamData } from './hosting-data.js';

/** Exports the state of the hosting API, except for pending codes of the web flow. */
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
 * Imports data into an empty world.
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
  world.state.accounts.set(login, importRecord(accountKind, data, undefined, where, how));
  if (owners) world.addTeam(login, 'Owners', { permission: 'admin', members: owners });
}

function importTeam(world: HostingWorld, data: TeamData, where: string, how: Import): void {
  checkAccount(world, data.org, `${where}.org`);
  for (const member of data.members ?? []) checkAccount(world, member, `${where}.members`);
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
