import { checkScopes, numberParam, requireCaller } from './access.js';
import type { HostingContext } from './context.js';
import type { TeamRecord } from './records/team.js';
import { forbidden, notFound } from './refusals.js';
import { renderUser } from './render.js';

/** Returns the scopes that allow reading or changing teams. */
function listTeamScopes({ quirks }: HostingContext, how: 'read' | 'write'): readonly string[] {
  const recorded = quirks.scopes === 'recorded';
  if (how === 'write') return ['admin:org', 'write:org', ...(recorded ? ['repo'] : [])];
  return ['admin:org', 'write:org', 'read:org', ...(recorded ? ['repo', 'user'] : [])];
}

function isOwner(context: HostingContext, org: string): boolean {
  const account = requireCaller(context);
  return account.siteAdmin || context.state.owns(account.login, org);
}

/** Returns the `:org` organization if the caller owns it. @throws {HttpError} 401, 403 or 404. */
export function requireOwnedOrg(context: HostingContext, how: 'read' | 'write'): string {
  const org = context.param('org');
  const account = requireCaller(context);
  checkScopes(context, ...listTeamScopes(context, how));
  if (context.state.account(org)?.type !== 'Organization') throw notFound();
  if (isOwner(context, org)) return org;
  const member = context.state.listTeams(org).some((team) => team.members.has(account.login));
  throw member ? forbidden('Must be an owner of the organization.') : notFound();
}

/**
 * Returns the `:id` team if the caller is a team member or owns the organization.
 * @throws {HttpError} 401 or 404.
 */
export function requireReadableTeam(context: HostingContext): TeamRecord {
  const { login } = requireCaller(context);
  checkScopes(context, ...listTeamScopes(context, 'read'));
  const team = context.state.teams.get(numberParam(context, 'id'));
  if (!team || !(team.members.has(login) || isOwner(context, team.org))) throw notFound();
  return team;
}

/**
 * Returns the `:id` team if the caller owns its organization. @throws {HttpError} 401, 403 or 404.
 */
export function requireOwnedTeam(context: HostingContext): TeamRecord {
  const team = requireReadableTeam(context);
  checkWriting(context);
  if (!isOwner(context, team.org)) throw forbidden('Must be an owner of the organization.');
  return team;
}

/**
 * Returns the `:id` team if the caller can change its members. @throws {HttpError} 401, 403 or 404.
 */
export function requireManagedTeam(context: HostingContext): TeamRecord {
  const team = requireReadableTeam(context);
  checkWriting(context);
  if (team.permission !== 'admin' && !isOwner(context, team.org)) {
    throw forbidden('Must have admin permission of the team.');
  }
  return team;
}

function checkWriting(context: HostingContext): void {
  context.accepted.clear();
  checkScopes(context, ...listTeamScopes(context, 'write'));
}

/** Renders a team as it appears in lists. */
export function renderTeamSummary(context: HostingContext, team: TeamRecord): object {
  const url = `${context.api}/teams/${team.id}`;
  return {
    name: team.name,
    id: team.id,
    slug: team.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    permission: team.permission,
    url,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
  };
}

/** Renders a single team. */
export function renderTeam(context: HostingContext, team: TeamRecord): object {
  const user = Object.entries(renderUser(context, team.org));
  const whole = Object.fromEntries(
    user.filter(([name]) => ['login', 'id', 'avatar_url'].includes(name)),
  );
  return {
    ...renderTeamSummary(context, team),
    members_count: team.members.size,
    repos_count: team.repos.size,
    organization: { ...whole, url: `${context.api}/orgs/${team.org}` },
  };
}
