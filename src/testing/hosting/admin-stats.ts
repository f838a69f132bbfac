import { json } from '../reply.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { found, notFound } from './refusals.js';
import type { HostingState } from './state.js';

/** Counts by record type, then by name. */
type Statistics = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Counts the records by type. The counts are zero for types that the emulator doesn't support. */
function countRecords(state: HostingState): Statistics {
  const repos = [...state.repos.values()];
  const accounts = [...state.accounts.values()];
  const users = accounts.filter((account) => account.type === 'User');
  const orgs = accounts.filter((account) => account.type === 'Organization');
  const teams = [...state.teams.values()];
  const hooks = repos.flatMap((repo) => repo.hooks);
  const pulls = repos.flatMap((repo) => repo.pulls);
  const open = pulls.filter((pull) => pull.state === 'open').length;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  return {
    repos: {
      total_repos: repos.length,
      root_repos: repos.filter((repo) => repo.forkOf === undefined).length,
      fork_repos: repos.filter((repo) => repo.forkOf !== undefined).length,
      org_repos: repos.filter((repo) => orgs.some((org) => org.login === repo.owner)).length,
      total_pushes: sum(repos.map((repo) => repo.commits.size)),
      total_wikis: 0,
    },
    hooks: {
      total_hooks: hooks.length,
      active_hooks: hooks.filter((hook) => hook.active).length,
      inactive_hooks: hooks.filter((hook) => !hook.active).length,
    },
    pages: { total_pages: repos.filter((repo) => repo.pages).length },
    orgs: {
      total_orgs: orgs.length,
      disabled_orgs: 0,
      total_teams: teams.length,
      total_team_members: sum(teams.map((team) => team.members.size)),
    },
    users: {
      total_users: users.length,
      admin_users: users.filter((user) => user.siteAdmin).length,
      suspended_users: users.filter((user) => user.suspended).length,
    },
    pulls: {
      total_pulls: pulls.length,
      merged_pulls: pulls.filter((pull) => pull.mergedAt !== null).length,
      mergeable_pulls: open,
      unmergeable_pulls: 0,
    },
    issues: {
      total_issues: pulls.length,
      open_issues: open,
      closed_issues: pulls.length - open,
    },
    milestones: { total_milestones: 0, open_milestones: 0, closed_milestones: 0 },
    gists: { total_gists: 0, private_gists: 0, public_gists: 0 },
    comments: {
      total_commit_comments: sum(repos.map((repo) => repo.comments.length)),
      total_gist_comments: 0,
      total_issue_comments: 0,
      total_pull_request_comments: sum(pulls.map((pull) => pull.comments)),
    },
  };
}

const lifetime = 10 * 60 * 1000;
const cache = new WeakMap<HostingState, { readonly at: number; readonly numbers: Statistics }>();

/** Returns cached statistics. Counts again after 10 minutes on the emulator's clock. */
function statistics({ state, clock }: HostingContext): Statistics {
  const now = clock.now.getTime();
  const cached = cache.get(state);
  if (cached && now >= cached.at && now < cached.at + lifetime) return cached.numbers;
  const numbers = countRecords(state);
  cache.set(state, { at: now, numbers });
  return numbers;
}

/** Statistics routes, for site admins. */
export const statisticsRoutes: HostingRoutes = {
  /** Returns the counts of one type, or the counts of all types, keyed by type. */
  'GET /enterprise/stats/:type': (context) => {
    if (!context.caller.account?.siteAdmin) throw notFound();
    const type = context.param('type');
    const all = statistics(context);
    const one = found(type === 'all' ? all : all[type]);
    return json(200, one);
  },
};
