import type { Row, Scene } from '../row.js';

/** Expected statistics of the seed with the records that `setScene` adds, by type. */
const expected: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  repos: {
    total_repos: 83,
    root_repos: 82,
    fork_repos: 1,
    org_repos: 42,
    total_pushes: 83,
    total_wikis: 0,
  },
  hooks: { total_hooks: 2, active_hooks: 1, inactive_hooks: 1 },
  pages: { total_pages: 1 },
  orgs: { total_orgs: 1, disabled_orgs: 0, total_teams: 35, total_team_members: 245 },
  users: { total_users: 127, admin_users: 1, suspended_users: 1 },
  pulls: { total_pulls: 250, merged_pulls: 40, mergeable_pulls: 185, unmergeable_pulls: 0 },
  issues: { total_issues: 250, open_issues: 185, closed_issues: 65 },
  milestones: { total_milestones: 0, open_milestones: 0, closed_milestones: 0 },
  gists: { total_gists: 0, private_gists: 0, public_gists: 0 },
  comments: {
    total_commit_comments: 45,
    total_gist_comments: 0,
    total_issue_comments: 0,
    total_pull_request_comments: 3675,
  },
};

/** Adds records of each kind so that no count is zero. */
const setScene = ({ emulator, rocket }: Scene) => {
  const { hosting } = emulator;
  hosting.addHook(rocket, { url: 'http://127.0.0.1/1' });
  hosting.addHook(rocket, { url: 'http://127.0.0.1/2' }, { active: false });
  hosting.addUser('resting', { suspended: true });
  hosting.addRepo('ada-0', 'rocket', { forkOf: 'acme/rocket' });
};

function statistics(type: string): Row {
  return {
    row: 'GET /enterprise/stats/:type',
    how: type,
    methods: ['enterpriseAdmin.getTypeStats'],
    before: setScene,
    parameters: { type },
    status: 200,
    data: () => (type === 'all' ? expected : expected[type]),
  };
}

/** Requests for the installation's statistics. Only the enterprise plugin has methods for them. */
export const adminStats: readonly Row[] = ['all', ...Object.keys(expected)].map(statistics);
