import { empty } from '../reply.js';
import type { Router } from '../router.js';
import { findPermission } from './access.js';
import type { HostingContext, HostingRoute } from './context.js';
import { emit } from './events.js';
import { paged } from './paging.js';
import type { Repo } from './records/repository.js';
import type { TeamRecord } from './records/team.js';
import { forbidden, invalid, notFound } from './refusals.js';
import { renderRepo, renderUser } from './render.js';
import {
  renderTeam,
  requireManagedTeam,
  requireOwnedTeam,
  requireReadableTeam,
} from './team-access.js';

const resource = 'TeamMember';

const listMembers: HostingRoute = (context) =>
  paged(context, [...requireReadableTeam(context).members], (login) => renderUser(context, login));

const isMember: HostingRoute = (context) => {
  if (!requireReadableTeam(context).members.has(context.param('username'))) throw notFound();
  return empty(204);
};

const addMember: HostingRoute = (context) => {
  const team = requireManagedTeam(context);
  const account = context.state.account(context.param('username'));
  if (!account) throw notFound();
  if (account.type === 'Organization') throw invalid(resource, 'user', 'org');
  team.members.add(account.login);
  return empty(204);
};

const removeMember: HostingRoute = (context) => {
  const team = requireManagedTeam(context);
  const login = context.param('username');
  if (!team.members.has(login)) throw notFound();
  if (team.name === 'Owners' && team.members.size === 1) {
    throw forbidden('The last owner cannot leave the Owners team.');
  }
  team.members.delete(login);
  return empty(204);
};

function listTeamRepos(context: HostingContext, team: TeamRecord): Repo[] {
  return [...team.repos].flatMap((name) => context.state.repos.get(name) ?? []);
}

const listRepos: HostingRoute = (context) =>
  paged(context, listTeamRepos(context, requireReadableTeam(context)), (repo) =>
    renderRepo(context, repo),
  );

function readFullName(context: HostingContext): string {
  return `${context.param('owner')}/${context.param('repo')}`;
}

const hasRepo: HostingRoute = (context) => {
  if (!requireReadableTeam(context).repos.has(readFullName(context))) throw notFound();
  return empty(204);
};

/**
 * Adds a repository to a team. The repository must belong to the team's organization, or be a
 * direct fork of one of its repositories.
 */
const addRepo: HostingRoute = (context) => {
  const team = requireOwnedTeam(context);
  const repo = context.state.repos.get(readFullName(context));
  if (!repo || findPermission(context.state, repo, context.caller.account) === 'none') {
    throw notFound();
  }
  if (repo.owner !== team.org && repo.forkOf?.startsWith(`${team.org}/`) !== true) {
    throw invalid(resource, 'repository', 'not_owned');
  }
  team.repos.add(readFullName(context));
  emit(context, repo, 'team_add', { team: renderTeam(context, team) });
  return empty(204);
};

const removeRepo: HostingRoute = (context) => {
  const team = requireOwnedTeam(context);
  if (team.name === 'Owners') throw forbidden('The Owners team always has all repositories.');
  if (!team.repos.delete(readFullName(context))) throw notFound();
  return empty(204);
};

/** Adds the routes for team members and team repositories. */
export function addTeamMembers(router: Router<HostingRoute>): void {
  router.add('GET /teams/:id/members', listMembers);
  router.add('GET /teams/:id/members/:username', isMember);
  router.add('PUT /teams/:id/members/:username', addMember);
  router.add('DELETE /teams/:id/members/:username', removeMember);
  router.add('GET /teams/:id/repos', listRepos);
  router.add('GET /teams/:id/repos/:owner/:repo', hasRepo);
  router.add('PUT /teams/:id/repos/:owner/:repo', addRepo);
  router.add('DELETE /teams/:id/repos/:owner/:repo', removeRepo);
}
