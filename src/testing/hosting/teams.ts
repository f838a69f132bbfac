import { empty, json } from '../reply.js';
import { checkScopes, requireCaller } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { createFieldReader, requiredField, stringsField } from './fields.js';
import { paged } from './paging.js';
import type { TeamRecord } from './records/team.js';
import { forbidden, invalid } from './refusals.js';
import {
  renderTeam,
  renderTeamSummary,
  requireOwnedOrg,
  requireOwnedTeam,
  requireReadableTeam,
} from './team-access.js';

const resource = 'Team';

const permissionField = createFieldReader(
  (value) => value === 'pull' || value === 'push' || value === 'admin',
);

function checkTeamName(
  context: HostingContext,
  org: string,
  name: string,
  self?: TeamRecord,
): void {
  if (context.state.listTeams(org).some((team) => team !== self && team.name === name)) {
    throw invalid(resource, 'name', 'already_exists');
  }
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
    checkTeamName(context, org, name);
    const names = stringsField(resource, body, 'repo_names') ?? [];
    // Clients send names with or without the owner.
    const repos = names.map((each) => (each.includes('/') ? each : `${org}/${each}`));
    for (const full of repos) {
      if (!context.state.repos.has(full) || !full.startsWith(`${org}/`)) {
        throw invalid(resource, 'repo_names', 'invalid');
      }
    }
    const team = context.world.addTeam(org, name, { permission, repos });
    const location = `${context.api}/teams/${team.id}`;
    return json(201, renderTeam(context, team), { location });
  },

  'GET /teams/:id': (context) => json(200, renderTeam(context, requireReadableTeam(context))),
  /** Updates a team. If `permission` is omitted, it is reset to `pull`. */
  'PATCH /teams/:id': async (context) => {
    requireOwnedTeam(context);
    const body = await context.body();
    // Finds the team again, because another request may have deleted it while the body arrived.
    const team = requireOwnedTeam(context);
    const name = requiredField(resource, body, 'name');
    const permission = permissionField(resource, body, 'permission') ?? 'pull';
    checkTeamName(context, team.org, name, team);
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
};
