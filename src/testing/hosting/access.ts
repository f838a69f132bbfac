import type { HostingContext } from './context.js';
import type { Account } from './records/account.js';
import type { Repo } from './records/repository.js';
import { notFound, unauthorized } from './refusals.js';
import { grants } from './scopes.js';
import type { HostingState } from './state.js';

/** Access level of an account to a repository. */
export type Permission = 'none' | 'pull' | 'push' | 'admin';

const order: readonly Permission[] = ['none', 'pull', 'push', 'admin'];

/**
 * Checks the token's scopes and records the accepted scopes for the response. Responds with 404 rather
 * than 403, because the API hides resources that a token can't access.
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

/** Returns the highest access level that an account has as owner, as collaborator or through a team. */
export function findPermission(
  state: HostingState,
  repo: Repo,
  account: Account | undefined,
): Permission {
  let best: Permission = repo.isPrivate ? 'none' : 'pull';
  if (!account) return best;
  const { login } = account;
  if (login === repo.owner || account.siteAdmin || state.owns(login, repo.owner)) return 'admin';
  const consider = (permission: Permission | undefined) => {
    if (permission && order.indexOf(permission) > order.indexOf(best)) best = permission;
  };
  consider(repo.collaborators.get(login));
  for (const team of state.listTeams(repo.owner)) {
    if (team.members.has(login) && team.repos.has(`${repo.owner}/${repo.name}`)) {
      consider(team.permission);
    }
  }
  return best;
}

/** Returns the `:owner/:repo` repository. @throws {HttpError} 404 if it is missing or hidden. */
export function requireRepo(context: HostingContext): Repo {
  const { state, caller } = context;
  const repo = state.repo(context.param('owner'), context.param('repo'));
  if (!repo || findPermission(state, repo, caller.account) === 'none') throw notFound();
  if (repo.isPrivate) checkScopes(context, 'repo');
  return repo;
}

/** Returns whether the caller has the permission and the scope to push to a repository. */
export function mayPush(context: HostingContext, repo: Repo): boolean {
  const { scopes, account } = context.caller;
  const permission = findPermission(context.state, repo, account);
  if (permission !== 'push' && permission !== 'admin') return false;
  return !scopes || grants(scopes, writeScopes(repo));
}

/**
 * Returns the `:owner/:repo` repository if the caller has push access.
 * @throws {HttpError} 401 or 404.
 */
export function requirePushableRepo(context: HostingContext): Repo {
  const repo = requireRepo(context);
  requireCaller(context);
  checkScopes(context, ...writeScopes(repo));
  if (!mayPush(context, repo)) throw notFound();
  return repo;
}

/**
 * Returns the `:owner/:repo` repository. Actions other than `read` require push access. @throws
 * {HttpError} 401 or 404.
 */
export function openRepo(context: HostingContext, action: string): Repo {
  return action === 'read' ? requireRepo(context) : requirePushableRepo(context);
}

/**
 * Returns the `:owner/:repo` repository if the caller has admin access.
 * @param scopes accepted scopes.
 * @throws {HttpError} 401 or 404.
 */
export function requireAdminRepo(context: HostingContext, ...scopes: readonly string[]): Repo {
  const repo = requireRepo(context);
  const account = requireCaller(context);
  checkScopes(context, ...scopes);
  if (findPermission(context.state, repo, account) !== 'admin') throw notFound();
  return repo;
}

/** Returns the scopes that grant write access to a repository's code. */
export function writeScopes(repo: Repo): string[] {
  return repo.isPrivate ? ['repo'] : ['public_repo', 'repo'];
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
  const record = records.find((each) => each.id === id);
  if (!record) throw notFound();
  return record;
}
