import { empty, json } from '../reply.js';
import type { Router } from '../router.js';
import { checkScopes, requireCaller } from './access.js';
import type { HostingContext, HostingRoute } from './context.js';
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

const list: HostingRoute = (context) => {
  const org = requireOwnedOrg(context, 'read');
  return paged(context, context.state.listTeams(org), (team) => renderTeamSummary(context, team));
};

const get: HostingRoute = (context) => json(200, renderTeam(context, requireReadableTeam(context)));

const create: HostingRoute = async (context) => {
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
};

/** Updates a team. If `permission` is omitted, it is reset to `pull`. */
const update: HostingRoute = async (context) => {
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
};

const remove: HostingRoute = (context) => {
  const team = requireOwnedTeam(context);
  if (team.name === 'Owners') throw forbidden('The Owners team cannot be deleted.');
  context.state.teams.delete(team.id);
  return empty(204);
};

const mine: HostingRoute = (context) => {
  const { login } = requireCaller(context);
  checkScopes(context, 'repo', 'user');
  const teams = [...context.state.teams.values()].filter((team) => team.members.has(login));
  return paged(context, teams, (team) => renderTeam(context, team));
};

export function addTeams(router: Router<HostingRoute>): void {
  router.add('GET /orgs/:org/teams', list);
  router.add('POST /orgs/:org/teams', create);
  router.add('GET /teams/:id', get);
  router.add('PATCH /teams/:id', update);
  router.add('DELETE /teams/:id', remove);
  router.add('GET /user/teams', mine);
}
