import type { Reply } from '../reply.js';
import type { HostingContext, HostingRoute } from './context.js';
import { type Account, grants } from './records/accounts.js';
import type { AccessLevel, Repo } from './records/repository.js';
import { found, notFound, unauthorized } from './refusals.js';

const levels: readonly AccessLevel[] = ['pull', 'push', 'admin'];

/**
 * Checks the token's scopes and records the accepted scopes for the response. The error is a 404
 * rather than a 403, because the API hides resources that a token can't access.
 * @throws {HttpError} 404 if the token has none of the scopes.
 */
export function checkScopes(context: HostingContext, ...wanted: readonly string[]): void {
  for (const scope of wanted) context.accepted.add(scope);
  const { scopes } = context.caller;
  if (scopes && !grants(scopes, wanted)) throw notFound();
}

/** Returns the calling account. @throws {HttpError} 401 if the caller is anonymous. */
export function requireCaller(context: HostingContext): Account {
  const { account } = context.caller;
  if (!account) throw unauthorized();
  return account;
}

/**
 * Returns whether the caller has at least the specified access level. Site admins and owners have
 * every level. Collaborators and team members have the level that the repository or team assigns.
 */
export function hasAccess(context: HostingContext, repo: Repo, least: AccessLevel): boolean {
  const { state, caller } = context;
  if (least === 'pull' && !repo.isPrivate) return true;
  if (!caller.account) return false;
  const { login, siteAdmin } = caller.account;
  const { owner, name } = repo;
  if (login === owner || siteAdmin || state.owns(login, owner)) return true;
  const teams = state
    .listTeams(owner)
    .filter((team) => team.members.has(login) && team.repos.has(`${owner}/${name}`));
  const sufficient = levels.slice(levels.indexOf(least));
  return [repo.collaborators.get(login), ...teams.map(({ permission }) => permission)].some(
    (level) => level && sufficient.includes(level),
  );
}

/** Returns whether the caller and the token's scopes can read a repository. */
export function canSee(context: HostingContext, repo: Repo): boolean {
  const { scopes } = context.caller;
  return (
    hasAccess(context, repo, 'pull') && (!repo.isPrivate || !scopes || grants(scopes, ['repo']))
  );
}

/** Returns the `:owner/:repo` repository. @throws {HttpError} 404 if it is missing or hidden. */
export function requireRepo(context: HostingContext): Repo {
  const repo = context.state.repo(context.param('owner'), context.param('repo'));
  if (!repo || !hasAccess(context, repo, 'pull')) throw notFound();
  if (repo.isPrivate) checkScopes(context, 'repo');
  return repo;
}

/** Returns whether the caller has the permission and the scope to push to a repository. */
export function mayPush(context: HostingContext, repo: Repo): boolean {
  const { scopes } = context.caller;
  return hasAccess(context, repo, 'push') && (!scopes || grants(scopes, listWriteScopes(repo)));
}

/** Returns the scopes that grant write access to a repository's code. */
function listWriteScopes(repo: Repo): string[] {
  return repo.isPrivate ? ['repo'] : ['public_repo', 'repo'];
}

/**
 * Returns the caller if the token's scopes grant write access to the repository's code.
 * @throws {HttpError} 401 if the caller is anonymous, 404 if the scopes don't grant this access.
 */
export function requireWriter(context: HostingContext, repo: Repo): Account {
  const account = requireCaller(context);
  checkScopes(context, ...listWriteScopes(repo));
  return account;
}

/**
 * Returns the `:owner/:repo` repository if the caller has push access.
 * @throws {HttpError} 401 if the caller is anonymous, 404 if the repository doesn't exist or the
 * caller doesn't have this access.
 */
export function requirePushableRepo(context: HostingContext): Repo {
  const repo = requireRepo(context);
  requireWriter(context, repo);
  if (!mayPush(context, repo)) throw notFound();
  return repo;
}

type RepoHandler = (context: HostingContext, repo: Repo) => Reply | Promise<Reply>;

/** Creates a route for a repository that the caller can read (see {@link requireRepo}). */
export function inRepo(respond: RepoHandler): HostingRoute {
  return (context) => respond(context, requireRepo(context));
}

/** Creates a route for a repository the caller can push to (see {@link requirePushableRepo}). */
export function inPushableRepo(respond: RepoHandler): HostingRoute {
  return (context) => respond(context, requirePushableRepo(context));
}

/**
 * Returns the `:owner/:repo` repository. Actions other than `read` require push access.
 * @throws {HttpError} 401 if the caller is anonymous, 404 if the repository doesn't exist or the
 * caller doesn't have this access.
 */
export function openRepo(context: HostingContext, action: string): Repo {
  return action === 'read' ? requireRepo(context) : requirePushableRepo(context);
}

/**
 * Returns the `:owner/:repo` repository if the caller has admin access.
 * @param scopes accepted scopes.
 * @throws {HttpError} 401 if the caller is anonymous, 404 if the repository doesn't exist or the
 * caller doesn't have this access.
 */
export function requireAdminRepo(context: HostingContext, ...scopes: readonly string[]): Repo {
  const repo = requireRepo(context);
  requireCaller(context);
  checkScopes(context, ...scopes);
  if (!hasAccess(context, repo, 'admin')) throw notFound();
  return repo;
}

/** Reads an integer from the path. @throws {HttpError} 404 if it is not an integer. */
export function numberParam(context: HostingContext, name: string): number {
  const text = context.param(name);
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}

/** Returns the record with the path's `:id`. @throws {HttpError} 404 if there is none. */
export function withId<T extends { readonly id: number }>(
  context: HostingContext,
  records: readonly T[],
): T {
  const id = numberParam(context, 'id');
  const record = found(records.find((each) => each.id === id));
  return record;
}
