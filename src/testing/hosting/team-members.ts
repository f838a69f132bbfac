import { empty } from '../reply.js';
import { findPermission } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
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

function listTeamRepos(context: HostingContext, team: TeamRecord): Repo[] {
  return [...team.repos].flatMap((name) => context.state.repos.get(name) ?? []);
}

function readFullName(context: HostingContext): string {
  return `${context.param('owner')}/${context.param('repo')}`;
}

/** Routes for team members and team repositories. */
export const teamMemberRoutes: HostingRoutes = {
  'GET /teams/:id/members': (context) =>
    paged(context, [...requireReadableTeam(context).members], (login) =>
      renderUser(context, login),
    ),
  'GET /teams/:id/members/:username': (context) => {
    if (!requireReadableTeam(context).members.has(context.param('username'))) throw notFound();
    return empty(204);
  },

  'PUT /teams/:id/members/:username': (context) => {
    const team = requireManagedTeam(context);
    const account = context.state.account(context.param('username'));
    if (!account) throw notFound();
    if (account.type === 'Organization') throw invalid(resource, 'user', 'org');
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

  'GET /teams/:id/repos': (context) =>
    paged(context, listTeamRepos(context, requireReadableTeam(context)), (repo) =>
      renderRepo(context, repo),
    ),
  'GET /teams/:id/repos/:owner/:repo': (context) => {
    if (!requireReadableTeam(context).repos.has(readFullName(context))) throw notFound();
    return empty(204);
  },

  /**
   * Adds a repository to a team. The repository must belong to the team's organization, or be a
   * direct fork of one of its repositories.
   */
  'PUT /teams/:id/repos/:owner/:repo': (context) => {
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
  },

  'DELETE /teams/:id/repos/:owner/:repo': (context) => {
    const team = requireOwnedTeam(context);
    if (team.name === 'Owners') throw forbidden('The Owners team always has all repositories.');
    if (!team.repos.delete(readFullName(context))) throw notFound();
    return empty(204);
  },
};
