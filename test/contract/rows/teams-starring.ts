import { Repository, Team, TeamSummary, User } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, missing, place, withStatus } from '../case.js';

const team = sampleOf(Team);
const member = { id: 3, username: 'mona' };
const repo = { id: 3, owner: 'acme', repo: 'sandbox' };
const permissions = ['pull', 'push', 'admin'] as const;

/** Responses to a membership check: 204 or 404. */
const responses = [
  { status: 204, result: true },
  { status: 404, reply: missing, result: false },
] as const;

export const teams = withStatus<HostingCase>([
  {
    row: 'GET /orgs/:org/teams',
    operation: 'teams.list',
    call: (c) => c.teams.list({ org: 'acme', page: 2, per_page: 10 }).toArray(),
    url: '/orgs/acme/teams?page=2&per_page=10',
    reply: [sampleOf(TeamSummary)],
  },
  {
    row: 'GET /teams/:id',
    operation: 'teams.get',
    call: (c) => c.teams.get({ id: 3 }),
    url: '/teams/3',
    reply: team,
  },
  ...permissions.flatMap((permission): HostingCase[] => [
    {
      row: 'POST /orgs/:org/teams',
      operation: 'teams.create',
      call: (c) =>
        c.teams.create({ org: 'acme', name: 'Devs', repo_names: ['acme/sandbox'], permission }),
      url: '/orgs/acme/teams',
      body: { name: 'Devs', repo_names: ['acme/sandbox'], permission },
      status: 201,
      reply: team,
    },
    {
      row: 'PATCH /teams/:id',
      operation: 'teams.update',
      call: (c) => c.teams.update({ id: 3, name: 'Devs', permission }),
      url: '/teams/3',
      body: { name: 'Devs', permission },
      reply: team,
    },
  ]),
  {
    row: 'DELETE /teams/:id',
    operation: 'teams.delete',
    call: (c) => c.teams.delete({ id: 3 }),
    url: '/teams/3',
  },
  {
    row: 'GET /teams/:id/members',
    operation: 'teams.listMembers',
    call: (c) => c.teams.listMembers({ id: 3, per_page: 7 }).toArray(),
    url: '/teams/3/members?per_page=7',
    reply: [sampleOf(User)],
  },
  ...responses.flatMap((response): HostingCase[] => [
    {
      row: 'GET /teams/:id/members/:username',
      operation: 'teams.isMember',
      call: (c) => c.teams.isMember(member),
      url: '/teams/3/members/mona',
      ...response,
    },
    {
      row: 'GET /teams/:id/repos/:owner/:repo',
      operation: 'teams.hasRepo',
      call: (c) => c.teams.hasRepo(repo),
      url: '/teams/3/repos/acme/sandbox',
      ...response,
    },
  ]),
  {
    row: 'PUT /teams/:id/members/:username',
    operation: 'teams.addMember',
    call: (c) => c.teams.addMember(member),
    url: '/teams/3/members/mona',
  },
  {
    row: 'DELETE /teams/:id/members/:username',
    operation: 'teams.removeMember',
    call: (c) => c.teams.removeMember(member),
    url: '/teams/3/members/mona',
  },
  {
    row: 'GET /teams/:id/repos',
    operation: 'teams.listRepos',
    call: (c) => c.teams.listRepos({ id: 3 }).toArray(),
    url: '/teams/3/repos',
    reply: [sampleOf(Repository)],
  },
  {
    row: 'PUT /teams/:id/repos/:org/:repo',
    operation: 'teams.addRepo',
    call: (c) => c.teams.addRepo({ id: 3, org: 'acme', repo: 'sandbox' }),
    url: '/teams/3/repos/acme/sandbox',
  },
  {
    row: 'DELETE /teams/:id/repos/:owner/:repo',
    operation: 'teams.removeRepo',
    call: (c) => c.teams.removeRepo(repo),
    url: '/teams/3/repos/acme/sandbox',
  },
  {
    row: 'GET /user/teams',
    operation: 'teams.listMine',
    call: (c) => c.teams.listMine({ page: 1 }).toArray(),
    url: '/user/teams?page=1',
    reply: [team],
  },
]);

const repositories = [sampleOf(Repository)];
const orders = [
  { sort: 'created', direction: 'asc' },
  { sort: 'updated', direction: 'desc' },
] as const;

export const starring = withStatus<HostingCase>([
  {
    row: 'GET /repos/:owner/:repo/stargazers',
    operation: 'starring.listStargazers',
    call: (c) => c.starring.listStargazers({ ...here, page: 1, per_page: 2 }).toArray(),
    url: `${place}/stargazers?page=1&per_page=2`,
    reply: [sampleOf(User)],
  },
  ...orders.flatMap((order): HostingCase[] => [
    {
      row: 'GET /users/:username/starred',
      operation: 'starring.listStarredBy',
      call: (c) => c.starring.listStarredBy({ username: 'a/b', ...order }).toArray(),
      url: `/users/a%2Fb/starred?sort=${order.sort}&direction=${order.direction}`,
      reply: repositories,
    },
    {
      row: 'GET /user/starred',
      operation: 'starring.listStarred',
      call: (c) => c.starring.listStarred({ ...order, page: 1 }).toArray(),
      url: `/user/starred?sort=${order.sort}&direction=${order.direction}&page=1`,
      reply: repositories,
    },
  ]),
  {
    row: 'GET /user/starred/:owner/:repo',
    operation: 'starring.isStarred',
    call: (c) => c.starring.isStarred(here),
    url: '/user/starred/mona/sandbox',
    result: true,
  },
  {
    row: 'GET /user/starred/:owner/:repo',
    operation: 'starring.isStarred',
    call: (c) => c.starring.isStarred(here),
    url: '/user/starred/mona/sandbox',
    status: 404,
    reply: missing,
    result: false,
  },
  {
    row: 'PUT /user/starred/:owner/:repo',
    operation: 'starring.star',
    call: (c) => c.starring.star(here),
    url: '/user/starred/mona/sandbox',
  },
  {
    row: 'DELETE /user/starred/:owner/:repo',
    operation: 'starring.unstar',
    call: (c) => c.starring.unstar(here),
    url: '/user/starred/mona/sandbox',
  },
]);
