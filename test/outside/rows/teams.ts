import { seeded } from '../../../src/testing/index.js';
import { found, type Row, type Scene } from '../row.js';
import { repository, team, teamSummary, user } from '../views.js';

const { owner: org, login } = seeded;
const listTeams = ({ emulator }: Scene) => emulator.hosting.state.listTeams(org);
/** Finds the seed's team with 40 members. */
const big = (scene: Scene) => found(listTeams(scene)[1], 'team 1');
const newest = (scene: Scene) => found(listTeams(scene).at(-1), 'team');
const member = (scene: Scene) => found([...big(scene).members][0], 'member of team 1');
const full = 'acme/component-1';

/** Adds a team with one member and one repository. */
const addTeam = ({ emulator }: Scene) => {
  emulator.hosting.addTeam(org, 'Small', { permission: 'push', members: ['ada-0'], repos: [full] });
};
const small = (scene: Scene) => ({ team_id: newest(scene).id });

export const teams: readonly Row[] = [
  {
    row: 'GET /orgs/:org/teams',
    methods: ['teams.list'],
    parameters: { org, per_page: 100 },
    status: 200,
    data: (scene) => listTeams(scene).map((each) => teamSummary(scene, each)),
  },
  {
    row: 'GET /teams/:id',
    methods: ['teams.getLegacy'],
    parameters: (scene) => ({ team_id: big(scene).id }),
    status: 200,
    data: (scene) => team(scene, big(scene)),
  },
  {
    row: 'POST /orgs/:org/teams',
    methods: ['teams.create'],
    parameters: { org, name: 'New', permission: 'push', repo_names: [full] },
    status: 201,
    data: (scene) => team(scene, newest(scene)),
    after: (scene) => ({
      'the name is stored': newest(scene).name === 'New',
      'the permission is stored': newest(scene).permission === 'push',
      'the team has the repository': newest(scene).repos.has(full),
    }),
  },
  {
    row: 'PATCH /teams/:id',
    methods: ['teams.updateLegacy'],
    before: addTeam,
    parameters: (scene) => ({ ...small(scene), name: 'Renamed', permission: 'admin' }),
    status: 200,
    data: (scene) => team(scene, newest(scene)),
    after: (scene) => ({
      'the name is updated': newest(scene).name === 'Renamed',
      'the permission is updated': newest(scene).permission === 'admin',
    }),
  },
  {
    row: 'DELETE /teams/:id',
    methods: ['teams.deleteLegacy'],
    before: addTeam,
    parameters: small,
    status: 204,
    after: (scene) => ({ 'the team is deleted': newest(scene).name !== 'Small' }),
  },
  {
    row: 'GET /teams/:id/members',
    methods: ['teams.listMembersLegacy'],
    parameters: (scene) => ({ team_id: big(scene).id, per_page: 100 }),
    status: 200,
    data: (scene) => [...big(scene).members].map((each) => user(scene, each)),
  },
  {
    row: 'GET /teams/:id/members/:username',
    methods: ['teams.getMemberLegacy'],
    parameters: (scene) => ({ team_id: big(scene).id, username: member(scene) }),
    status: 204,
  },
  {
    row: 'PUT /teams/:id/members/:username',
    methods: ['teams.addMemberLegacy'],
    before: addTeam,
    parameters: (scene) => ({ ...small(scene), username: login }),
    status: 204,
    after: (scene) => ({ 'the user is a member': newest(scene).members.has(login) }),
  },
  {
    row: 'DELETE /teams/:id/members/:username',
    methods: ['teams.removeMemberLegacy'],
    before: addTeam,
    parameters: (scene) => ({ ...small(scene), username: 'ada-0' }),
    status: 204,
    after: (scene) => ({ 'the team has no members': newest(scene).members.size === 0 }),
  },
  {
    row: 'GET /teams/:id/repos',
    methods: ['teams.listReposLegacy'],
    before: addTeam,
    parameters: small,
    status: 200,
    data: (scene) =>
      [...newest(scene).repos].map((name) => {
        return repository(scene, found(scene.emulator.hosting.state.repos.get(name), name));
      }),
  },
  {
    row: 'GET /teams/:id/repos/:owner/:repo',
    methods: ['teams.checkManagesRepoLegacy'],
    before: addTeam,
    parameters: (scene) => ({ ...small(scene), owner: org, repo: 'component-1' }),
    status: 204,
  },
  {
    row: 'PUT /teams/:id/repos/:org/:repo',
    methods: ['teams.addOrUpdateRepoLegacy'],
    before: addTeam,
    parameters: (scene) => ({ ...small(scene), owner: org, repo: 'component-2' }),
    status: 204,
    after: (scene) => ({
      'the team has the repository': newest(scene).repos.has('acme/component-2'),
    }),
  },
  {
    row: 'DELETE /teams/:id/repos/:owner/:repo',
    methods: ['teams.removeRepoLegacy'],
    before: addTeam,
    parameters: (scene) => ({ ...small(scene), owner: org, repo: 'component-1' }),
    status: 204,
    after: (scene) => ({ 'the team has no repositories': newest(scene).repos.size === 0 }),
  },
  {
    row: 'GET /user/teams',
    methods: ['teams.listForAuthenticatedUser'],
    parameters: {},
    status: 200,
    data: (scene) => {
      const mine = listTeams(scene).filter((each) => each.members.has(login));
      return mine.map((each) => team(scene, each));
    },
    after: (scene) => ({
      'the user is a member of a team': listTeams(scene).some((each) => each.members.has(login)),
    }),
  },
];
