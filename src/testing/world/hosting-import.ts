import { entryOf, pointTo } from '../hosting/git.js';
import { newAccount } from '../hosting/new-people.js';
import type { Repo } from '../hosting/repo-state.js';
import type { HostingWorld } from '../hosting/world.js';
import { bytesOf, contentOf } from './bytes.js';
import type { AccountData, GitData, HostingData, ReleaseData, RepositoryData } from './world.js';

/**
 * Fills an empty world.
 * @throws {Error} a name that leads to nothing, told by the path of the field
 */
export function importHosting(world: HostingWorld, data: HostingData): void {
  const { state } = world;
  // What gets an id of its own must not get one that comes later in the data.
  state.lastId = highestId(data);
  for (const [index, account] of (data.accounts ?? []).entries()) {
    addAccount(world, account, `hosting.accounts[${index}]`);
  }
  for (const { name, ...application } of data.applications ?? []) {
    Object.assign(world.addApplication(name, application), given(application));
  }
  for (const [index, token] of (data.tokens ?? []).entries()) {
    known(world, token.login, `hosting.tokens[${index}].login`);
    const { scopes, clientId, note, noteUrl } = token;
    const made = world.addToken(token.login, scopes, {
      token: token.token,
      clientId,
      note: note ?? undefined,
      noteUrl: noteUrl ?? undefined,
    });
    Object.assign(made, given(token));
  }
  for (const [index, repository] of (data.repositories ?? []).entries()) {
    addRepository(world, repository, `hosting.repositories[${index}]`);
  }
  for (const [index, team] of (data.teams ?? []).entries()) {
    const where = `hosting.teams[${index}]`;
    known(world, team.org, `${where}.org`);
    for (const member of team.members ?? []) known(world, member, `${where}.members`);
    const made = world.addTeam(team.org, team.name, team);
    if (team.id === undefined) continue;
    state.teams.delete(made.id);
    state.teams.set(team.id, Object.assign(made, { id: team.id }));
  }
  for (const [old, name] of Object.entries(data.renamed ?? {})) state.renamed.set(old, name);
  if (data.lastId !== undefined) state.lastId = Math.max(data.lastId, highestId(data));
}

function addAccount(world: HostingWorld, data: AccountData, where: string): void {
  const { owners, login, type = 'User', ...input } = data;
  for (const owner of owners ?? []) known(world, owner, `${where}.owners`);
  if (owners && type === 'User') {
    throw new Error(`${where}.owners: only an organization has owners: add type: Organization`);
  }
  if (owners) Object.assign(world.addOrg(login, owners), given(input));
  else {
    const origin = { id: world.state.nextId(), now: '' };
    const account = newAccount(origin, login, type, input);
    world.state.accounts.set(login, Object.assign(account, given(input)));
  }
}

function addRepository(world: HostingWorld, data: RepositoryData, where: string): void {
  const { owner, name, files = {}, git, collaborators, stargazers, pages, ...rest } = data;
  const { pulls, releases, comments, hooks, downloads, ...input } = rest;
  known(world, owner, `${where}.owner`);
  const contents = Object.entries(files).map(([path, file]) => [path, contentOf(file)] as const);
  const repo = world.addRepo(owner, name, { ...input, files: Object.fromEntries(contents) });
  if (git) fillGit(repo, git, where);
  for (const [login, permission] of Object.entries(collaborators ?? {})) {
    known(world, login, `${where}.collaborators`);
    repo.collaborators.set(login, permission);
  }
  const stars = Array.isArray(stargazers)
    ? stargazers.map((login) => [String(login), repo.createdAt] as const)
    : Object.entries(stargazers ?? {});
  for (const [login, time] of stars) {
    known(world, login, `${where}.stargazers`);
    repo.stargazers.set(login, time);
  }
  for (const pull of pulls ?? []) Object.assign(world.addPull(repo, pull), given(pull));
  for (const release of releases ?? []) addRelease(world, repo, release);
  for (const { body, ...comment } of comments ?? []) {
    Object.assign(world.addComment(repo, body, comment), given(comment));
  }
  for (const { config, ...hook } of hooks ?? []) {
    Object.assign(world.addHook(repo, config, hook), given(hook));
  }
  for (const { name: file, ...download } of downloads ?? []) {
    Object.assign(world.addDownload(repo, file, download), given(download));
  }
  if (pages) {
    const { builds, cname = null, custom404 = false } = pages;
    repo.pages = { cname, custom404, builds: [] };
    for (const build of builds ?? []) Object.assign(world.addPagesBuild(repo, build), given(build));
  }
  Object.assign(repo, given(input));
}

function addRelease(world: HostingWorld, repo: Repo, data: ReleaseData): void {
  const { tagName, assets, ...release } = data;
  const made = Object.assign(world.addRelease(repo, tagName, release), given(release));
  for (const { name, content, ...asset } of assets ?? []) {
    const bytes = content === undefined ? undefined : bytesOf(content);
    Object.assign(world.addAsset(made, name, { ...asset, content: bytes }), given(asset));
  }
}

/** The history as it was, in place of the first commit. @throws {Error} a SHA that is not among the objects */
function fillGit(repo: Repo, git: GitData, where: string): void {
  const objects = new Map(
    Object.entries(git.objects).map(([sha, data]) => [sha, entryOf(contentOf(data))]),
  );
  for (const all of [repo.commits, repo.refs, repo.branches]) all.clear();
  for (const [index, { tree, ...commit }] of git.commits.entries()) {
    const entries = Object.entries(tree).map(([path, sha]) => {
      const entry = objects.get(sha);
      if (!entry) throw new Error(`${where}.git.commits[${index}].tree: no object ${sha}`);
      return [path, entry] as const;
    });
    repo.commits.set(commit.sha, { ...commit, tree: new Map(entries) });
  }
  for (const [name, ref] of Object.entries(git.refs)) {
    const commit = repo.commits.get(ref.sha);
    if (commit) pointTo(repo, name, commit);
    repo.refs.set(name, { ...ref });
  }
}

/** @throws {Error} a login that nobody has */
function known(world: HostingWorld, login: string, where: string): void {
  if (world.state.accounts.has(login)) return;
  throw new Error(`${where}: there is no account '${login}' in hosting.accounts`);
}

/** What was given, without what is undefined: it replaces what was made up. */
function given<T extends object>(data: T): Partial<T> {
  const defined = Object.entries(data).filter(([, value]) => value !== undefined);
  // `as`: some of its own members.
  return structuredClone(Object.fromEntries(defined)) as Partial<T>;
}

/** The highest id anywhere in the data. */
function highestId(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0;
  const own = 'id' in data && typeof data.id === 'number' ? data.id : 0;
  return Object.values(data).reduce<number>((most, each) => Math.max(most, highestId(each)), own);
}
