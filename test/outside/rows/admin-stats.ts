import type { Row, Scene } from '../row.js';

/** Computes the statistics of every type from the state. */
function counted({ emulator }: Scene): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const { state } = emulator.hosting;
  const total = { repos: 0, forks: 0, ofOrgs: 0, pushes: 0, sites: 0, hooks: 0, active: 0 };
  const pulls = { all: 0, open: 0, merged: 0, comments: 0 };
  let comments = 0;
  for (const repo of state.repos.values()) {
    total.repos += 1;
    if (repo.forkOf !== undefined) total.forks += 1;
    if (state.account(repo.owner)?.type === 'Organization') total.ofOrgs += 1;
    if (repo.pages) total.sites += 1;
    total.pushes += repo.commits.size;
    comments += repo.comments.length;
    for (const hook of repo.hooks) {
      total.hooks += 1;
      if (hook.active) total.active += 1;
    }
    for (const pull of repo.pulls) {
      pulls.all += 1;
      if (pull.state === 'open') pulls.open += 1;
      if (pull.mergedAt !== null) pulls.merged += 1;
      pulls.comments += pull.comments;
    }
  }
  const people = { users: 0, admins: 0, suspended: 0, orgs: 0, members: 0 };
  for (const { type, siteAdmin, suspended } of state.accounts.values()) {
    if (type === 'Organization') people.orgs += 1;
    else people.users += 1;
    if (siteAdmin) people.admins += 1;
    if (suspended) people.suspended += 1;
  }
  for (const team of state.teams.values()) people.members += team.members.size;
  return {
    repos: {
      total_repos: total.repos,
      root_repos: total.repos - total.forks,
      fork_repos: total.forks,
      org_repos: total.ofOrgs,
      total_pushes: total.pushes,
      total_wikis: 0,
    },
    hooks: {
      total_hooks: total.hooks,
      active_hooks: total.active,
      inactive_hooks: total.hooks - total.active,
    },
    pages: { total_pages: total.sites },
    orgs: {
      total_orgs: people.orgs,
      disabled_orgs: 0,
      total_teams: state.teams.size,
      total_team_members: people.members,
    },
    users: {
      total_users: people.users,
      admin_users: people.admins,
      suspended_users: people.suspended,
    },
    pulls: {
      total_pulls: pulls.all,
      merged_pulls: pulls.merged,
      mergeable_pulls: pulls.open,
      unmergeable_pulls: 0,
    },
    issues: {
      total_issues: pulls.all,
      open_issues: pulls.open,
      closed_issues: pulls.all - pulls.open,
    },
    milestones: { total_milestones: 0, open_milestones: 0, closed_milestones: 0 },
    gists: { total_gists: 0, private_gists: 0, public_gists: 0 },
    comments: {
      total_commit_comments: comments,
      total_gist_comments: 0,
      total_issue_comments: 0,
      total_pull_request_comments: pulls.comments,
    },
  };
}

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
    data: (scene) => (type === 'all' ? counted(scene) : counted(scene)[type]),
  };
}

/** Requests for the installation's statistics. Only the enterprise plugin has methods for them. */
export const adminStats: readonly Row[] = [
  'all',
  'comments',
  'gists',
  'hooks',
  'issues',
  'milestones',
  'orgs',
  'pages',
  'pulls',
  'repos',
  'users',
].map(statistics);
