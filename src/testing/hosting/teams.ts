import { empty, json } from '../reply.js';
import { canSee, checkScopes, hasAccess, numberParam, requireCaller } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { created, paged, type Rendered } from './crud.js';
import { emit } from './events.js';
import { createFieldReader, requiredField, stringsField } from './fields.js';
import type { TeamRecord } from './records/accounts.js';
import { forbidden, found, invalid, notFound, respondIfExists } from './refusals.js';
import { renderRepo, renderUser } from './render.js';
import type { HostingState } from './state.js';

/** Scopes that allow reading or changing teams. */
const teamScopes = {
  read: ['admin:org', 'write:org', 'read:org'],
  write: ['admin:org', 'write:org'],
} as const;

function isOwner(context: HostingContext, org: string): boolean {
  const account = requireCaller(context);
  return account.siteAdmin || context.state.owns(account.login, org);
}

/**
 * Returns the `:org` organization if the caller owns it.
 * @throws {HttpError} 401 if the caller is anonymous, 403 if the caller is only a member, 404 if
 * the organization doesn't exist or is hidden.
 */
function requireOwnedOrg(context: HostingContext, how: 'read' | 'write'): string {
  const org = context.param('org');
  const account = requireCaller(context);
  checkScopes(context, ...teamScopes[how]);
  if (context.state.account(org)?.type !== 'Organization') throw notFound();
  if (isOwner(context, org)) return org;
  const member = context.state.listTeams(org).some((team) => team.members.has(account.login));
  throw member ? forbidden('Must be an owner of the organization.') : notFound();
}

/**
 * Returns the `:id` team if the caller is a team member or owns the organization.
 * @throws {HttpError} 401 if the caller is anonymous, 404 if the team doesn't exist or is hidden.
 */
function requireReadableTeam(context: HostingContext): TeamRecord {
  const { login } = requireCaller(context);
  checkScopes(context, ...teamScopes.read);
  const team = context.state.teams.get(numberParam(context, 'id'));
  if (!team || !(team.members.has(login) || isOwner(context, team.org))) throw notFound();
  return team;
}

/**
 * Returns the `:id` team if the caller owns the team's organization.
 * @throws {HttpError} 401 if the caller is anonymous, 403 if the caller isn't an owner, 404 if the
 * team doesn't exist or is hidden.
 */
function requireOwnedTeam(context: HostingContext): TeamRecord {
  const team = requireWritableTeam(context);
  if (!isOwner(context, team.org)) throw forbidden('Must be an owner of the organization.');
  return team;
}

/**
 * Returns the `:id` team if the caller can change the team's members.
 * @throws {HttpError} 401 if the caller is anonymous, 403 if the caller can't change the members,
 * 404 if the team doesn't exist or is hidden.
 */
function requireManagedTeam(context: HostingContext): TeamRecord {
  const team = requireWritableTeam(context);
  if (team.permission !== 'admin' && !isOwner(context, team.org)) {
    throw forbidden('Must have admin permission of the team.');
  }
  return team;
}

/** Returns the `:id` team if the caller can read it and the token's scopes allow changes. */
function requireWritableTeam(context: HostingContext): TeamRecord {
  const team = requireReadableTeam(context);
  context.accepted.clear();
  checkScopes(context, ...teamScopes.write);
  return team;
}

/** Renders a team as it appears in lists. */
function renderTeamSummary(context: HostingContext, team: TeamRecord): Rendered {
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
function renderTeam(context: HostingContext, team: TeamRecord): Rendered {
  const { login, id, avatar_url } = renderUser(context, team.org);
  return {
    ...renderTeamSummary(context, team),
    members_count: team.members.size,
    repos_count: team.repos.size,
    organization: { login, id, avatar_url, url: `${context.api}/orgs/${team.org}` },
  };
}

const resource = 'Team';

const permissionField = createFieldReader(
  (value) => value === 'pull' || value === 'push' || value === 'admin',
);

function checkTeamName(state: HostingState, org: string, name: string, self?: TeamRecord): void {
  if ((state.team(org, name) ?? self) !== self) throw invalid(resource, 'name', 'already_exists');
}

function readFullName(context: HostingContext): string {
  return `${context.param('owner')}/${context.param('repo')}`;
}

export const teamRoutes: HostingRoutes = {
  'GET /orgs/:org/teams': (context) => {
    const org = requireOwnedOrg(context, 'read');
    return paged(context, context.state.listTeams(org), (team) => renderTeamSummary(context, team));
  },

  'POST /orgs/:org/teams': async (context) => {
    const org = requireOwnedOrg(context, 'write');
    const body = await context.body();
    const name = requiredField(resource, body, 'name');
    const permission = permissionField(resource, body, 'permission');
    checkTeamName(context.state, org, name);
    const names = stringsField(resource, body, 'repo_names') ?? [];
    // Clients send names with or without the owner.
    const repos = names.map((each) => (each.includes('/') ? each : `${org}/${each}`));
    for (const full of repos) {
      if (!context.state.repos.has(full) || !full.startsWith(`${org}/`)) {
        throw invalid(resource, 'repo_names', 'invalid');
      }
    }
    const team = context.world.addTeam(org, name, { permission, repos });
    return created(renderTeam(context, team));
  },

  'GET /teams/:id': (context) => json(200, renderTeam(context, requireReadableTeam(context))),

  /** Updates a team. Resets an omitted `permission` to `pull`. */
  'PATCH /teams/:id': async (context) => {
    requireOwnedTeam(context);
    const body = await context.body();
    // Finds the team again, because another request may have deleted it while the body arrived.
    const team = requireOwnedTeam(context);
    const name = requiredField(resource, body, 'name');
    const permission = permissionField(resource, body, 'permission') ?? 'pull';
    checkTeamName(context.state, team.org, name, team);
    if (team.name !== 'Owners') {
      team.name = name;
      team.permission = permission;
    }
    return json(200, renderTeam(context, team));
  },

  'DELETE /teams/:id': (context) => {
    const team = requireOwnedTeam(context);
    if (team.name === 'Owners') throw forbidden('The Owners team cannot be deleted.');
    context.state.teams.delete(team.id);
    return empty(204);
  },

  'GET /user/teams': (context) => {
    const { login } = requireCaller(context);
    checkScopes(context, 'repo', 'user');
    const teams = [...context.state.teams.values()].filter((team) => team.members.has(login));
    return paged(context, teams, (team) => renderTeam(context, team));
  },

  'GET /teams/:id/members': (context) => {
    const { members } = requireReadableTeam(context);
    return paged(context, [...members], (login) => renderUser(context, login));
  },

  'GET /teams/:id/members/:username': (context) =>
    respondIfExists(requireReadableTeam(context).members.has(context.param('username'))),

  'PUT /teams/:id/members/:username': (context) => {
    const team = requireManagedTeam(context);
    const account = found(context.state.account(context.param('username')));
    if (account.type === 'Organization') throw invalid('TeamMember', 'user', 'org');
    team.members.add(account.login);
    return empty(204);
  },

  'DELETE /teams/:id/members/:username': (context) => {
    const team = requireManagedTeam(context);
    const login = context.param('username');
    if (!team.members.has(login)) throw notFound();
    if (team.name === 'Owners' && team.members.size === 1) {
      throw forbidden('The last owner cannot leave the Owners team.');
    }
    team.members.delete(login);
    return empty(204);
  },

  'GET /teams/:id/repos': (context) => {
    const names = [...requireReadableTeam(context).repos];
    const all = names.flatMap((name) => context.state.repos.get(name) ?? []);
    const repos = all.filter((repo) => canSee(context, repo));
    return paged(context, repos, (repo) => renderRepo(context, repo));
  },

  'GET /teams/:id/repos/:owner/:repo': (context) =>
    respondIfExists(requireReadableTeam(context).repos.has(readFullName(context))),

  /**
   * Adds a repository to a team. The repository must belong to the team's organization, or be a
   * direct fork of one of that organization's repositories.
   */
  'PUT /teams/:id/repos/:owner/:repo': (context) => {
    const team = requireOwnedTeam(context);
    const name = readFullName(context);
    const repo = context.state.repos.get(name);
    if (!repo || !hasAccess(context, repo, 'pull')) throw notFound();
    if (repo.owner !== team.org && repo.forkOf?.startsWith(`${team.org}/`) !== true) {
      throw invalid('TeamMember', 'repository', 'not_owned');
    }
    team.repos.add(name);
    emit(context, repo, 'team_add', { team: renderTeam(context, team) });
    return empty(204);
  },

  'DELETE /teams/:id/repos/:owner/:repo': (context) => {
    const team = requireOwnedTeam(context);
    if (team.name === 'Owners') throw forbidden('The Owners team always has all repositories.');
    return respondIfExists(team.repos.delete(readFullName(context)));
  },
};
