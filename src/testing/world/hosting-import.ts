import { createEntry, pointTo } from '../hosting/git.js';
import { newAccount } from '../hosting/new-people.js';
import type { ReleaseRecord, Repo } from '../hosting/repo-state.js';
import type { HostingWorld } from '../hosting/world.js';
import { decodeBytes, decodeContent } from './bytes.js';
import { checkDistinct, checkMembers, fill } from './fill.js';
import { exportHosting } from './hosting-export.js';
import type {
  AccountData,
  GitData,
  HostingData,
  ReleaseData,
  RepositoryData,
  TeamData,
} from './world.js';

/**
 * Fills an empty world.
 * @throws {Error} if a reference is broken, or a name is unknown or taken. Names the path of the field.
 */
export function importHosting(world: HostingWorld, data: HostingData): void {
  const { state } = world;
  checkMembers(data, 'lastId accounts applications tokens repositories teams renamed', 'hosting');
  const { accounts = [], applications = [], tokens = [], repositories = [], teams = [] } = data;
  checkDistinct(accounts, 'login', 'hosting.accounts');
  // Generated ids must differ from those later in the data.
  state.lastId = highestId(data);
  for (const [index, account] of accounts.entries()) {
    addAccount(world, account, `hosting.accounts[${index}]`);
  }
  for (const [index, { name, ...application }] of applications.entries()) {
    fill(world.addApplication(name, application), application, `hosting.applications[${index}]`);
  }
  for (const [index, token] of tokens.entries()) {
    const where = `hosting.tokens[${index}]`;
    known(world, token.login, `${where}.login`);
    const { scopes, clientId, note, noteUrl } = token;
    const made = world.addToken(token.login, scopes, {
      token: token.token,
      clientId,
      note: note ?? undefined,
      noteUrl: noteUrl ?? undefined,
    });
    fill(made, token, where);
  }
  for (const [index, repository] of repositories.entries()) {
    addRepository(world, repository, `hosting.repositories[${index}]`);
  }
  for (const [index, team] of teams.entries()) addTeam(world, team, `hosting.teams[${index}]`);
  checkCount(state.applications, applications, 'hosting.applications', 'clientId');
  checkCount(state.tokens, tokens, 'hosting.tokens', 'token');
  checkCount(state.repos, repositories, 'hosting.repositories', 'owner/name');
  for (const [where, records] of [
    ['hosting.accounts', state.accounts],
    ['hosting.tokens', state.tokens],
    ['hosting.repositories', state.repos],
  ] as const) {
    checkDistinct(records.values(), 'id', where);
  }
  for (const [old, name] of Object.entries(data.renamed ?? {})) state.renamed.set(old, name);
  // Records without an id got generated ids, which are higher than those in the data.
  if (data.lastId !== undefined) {
    state.lastId = Math.max(data.lastId, highestId(exportHosting(state)));
  }
}

/** Checks that all records were added. @throws {Error} if two records have the same key. */
function checkCount(
  records: ReadonlyMap<string, unknown>,
  data: readonly unknown[],
  where: string,
  key: string,
): void {
  if (records.size < data.length) throw new Error(`${where}: two have the same ${key}`);
}

function addAccount(world: HostingWorld, data: AccountData, where: string): void {
  const { owners, login, type = 'User', ...input } = data;
  for (const owner of owners ?? []) known(world, owner, `${where}.owners`);
  if (owners && type === 'User') {
    throw new Error(`${where}.owners: only an organization has owners: add type: Organization`);
  }
  if (owners) fill(world.addOrg(login, owners), input, where);
  else {
    const origin = { id: world.state.nextId(), now: '' };
    world.state.accounts.set(login, fill(newAccount(origin, login, type, input), input, where));
  }
}

function addTeam(world: HostingWorld, data: TeamData, where: string): void {
  const { org, name, members = [], repos = [], ...input } = data;
  known(world, org, `${where}.org`);
  for (const member of members) known(world, member, `${where}.members`);
  const { state } = world;
  const made = world.addTeam(org, name, { members, repos });
  state.teams.delete(made.id);
  fill(made, input, where);
  if (state.teams.has(made.id)) throw new Error(`${where}.id: ${made.id} is taken`);
  state.teams.set(made.id, made);
}

function addRepository(world: HostingWorld, data: RepositoryData, where: string): void {
  const { owner, name, files = {}, git, collaborators, stargazers, pages, ...rest } = data;
  const { pulls = [], releases = [], comments = [], hooks = [], downloads = [], ...input } = rest;
  known(world, owner, `${where}.owner`);
  const contents = Object.entries(files).map(
    ([path, file]) => [path, decodeContent(file)] as const,
  );
  const repo = world.addRepo(owner, name, { ...input, files: Object.fromEntries(contents) });
  if (git) fillGit(repo, git, where);
  for (const [login, permission] of Object.entries(collaborators ?? {})) {
    known(world, login, `${where}.collaborators`);
    repo.collaborators.set(login, permission);
  }
  addStars(world, repo, stargazers ?? [], `${where}.stargazers`);
  for (const [index, pull] of pulls.entries()) {
    fill(world.addPull(repo, pull), pull, `${where}.pulls[${index}]`);
  }
  const assetIds = new Set<unknown>();
  for (const [index, release] of releases.entries()) {
    const place = `${where}.releases[${index}]`;
    const { assets } = addRelease(world, repo, release, place);
    // Requests identify an asset without its release, so ids are unique in a repository.
    checkDistinct(assets, 'id', `${place}.assets`, assetIds);
  }
  for (const [index, { body, ...comment }] of comments.entries()) {
    fill(world.addComment(repo, body, comment), comment, `${where}.comments[${index}]`);
  }
  for (const [index, { config, ...hook }] of hooks.entries()) {
    fill(world.addHook(repo, config, hook), hook, `${where}.hooks[${index}]`);
  }
  for (const [index, { name: file, ...download }] of downloads.entries()) {
    fill(world.addDownload(repo, file, download), download, `${where}.downloads[${index}]`);
  }
  if (pages) addPages(world, repo, pages, `${where}.pages`);
  checkDistinct(repo.pulls, 'number', `${where}.pulls`);
  for (const collection of ['pulls', 'releases', 'comments', 'hooks', 'downloads'] as const) {
    checkDistinct(repo[collection], 'id', `${where}.${collection}`);
  }
  fill(repo, input, where);
}

function addPages(
  world: HostingWorld,
  repo: Repo,
  data: NonNullable<RepositoryData['pages']>,
  where: string,
): void {
  const { builds = [], ...site } = data;
  repo.pages = fill({ cname: null, custom404: false, builds: [] }, site, where);
  for (const [index, build] of builds.entries()) {
    fill(world.addPagesBuild(repo, build), build, `${where}.builds[${index}]`);
  }
  checkDistinct(repo.pages.builds, 'id', `${where}.builds`);
}

function addStars(
  world: HostingWorld,
  repo: Repo,
  data: NonNullable<RepositoryData['stargazers']>,
  where: string,
): void {
  const stars = Array.isArray(data)
    ? data.map((login) => [String(login), repo.createdAt] as const)
    : Object.entries(data);
  for (const [login, given] of stars) {
    known(world, login, where);
    const star = typeof given === 'string' ? { starredAt: given } : given;
    const made = world.addStar(repo, login, star.starredAt);
    repo.stargazers.set(login, fill(made, star, `${where}.${login}`));
    world.state.lastStar = Math.max(world.state.lastStar, star.sequence ?? 0);
  }
}

function addRelease(
  world: HostingWorld,
  repo: Repo,
  data: ReleaseData,
  where: string,
): ReleaseRecord {
  const { tagName, assets = [], ...release } = data;
  const made = fill(world.addRelease(repo, tagName, release), release, where);
  for (const [index, { name, content, ...asset }] of assets.entries()) {
    const bytes = content === undefined ? undefined : decodeBytes(content);
    const input = { ...asset, content: bytes };
    fill(world.addAsset(made, name, input), asset, `${where}.assets[${index}]`);
  }
  return made;
}

/** Replaces the first commit with the imported history. @throws {Error} if an object is missing. */
function fillGit(repo: Repo, git: GitData, where: string): void {
  const objects = new Map(
    Object.entries(git.objects).map(([sha, data]) => [sha, createEntry(decodeContent(data))]),
  );
  checkDistinct(git.commits, 'sha', `${where}.git.commits`);
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

/** Checks that an account exists. @throws {Error} if it doesn't. */
function known(world: HostingWorld, login: string, where: string): void {
  if (world.state.accounts.has(login)) return;
  throw new Error(`${where}: there is no account '${login}' in hosting.accounts`);
}

/** Returns the highest id in the data. */
function highestId(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0;
  const own = 'id' in data && typeof data.id === 'number' ? data.id : 0;
  return Object.values(data).reduce<number>((most, each) => Math.max(most, highestId(each)), own);
}
