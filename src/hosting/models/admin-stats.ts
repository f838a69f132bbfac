import * as z from 'zod/mini';
import { fields, type Model, model, ref } from '../../schema/model.js';

/** Repository counts. */
export interface RepositoryStats {
  /** Total number of repositories. */
  total_repos: number;
  /** Number of repositories that aren't forks. */
  root_repos: number;
  /** Number of forks. */
  fork_repos: number;
  /** Number of repositories that organizations own. */
  org_repos: number;
  /** Number of pushes to date. */
  total_pushes: number;
  /** Number of wikis. */
  total_wikis: number;
}

/** Hook counts. */
export interface HookStats {
  /** Total number of hooks. */
  total_hooks: number;
  /** Number of active hooks. */
  active_hooks: number;
  /** Number of inactive hooks. */
  inactive_hooks: number;
}

/** Counts of Pages sites. */
export interface PagesStats {
  /** Number of Pages sites. */
  total_pages: number;
}

/** Organization counts. */
export interface OrganizationStats {
  /** Total number of organizations. */
  total_orgs: number;
  /** Number of disabled organizations. */
  disabled_orgs: number;
  /** Number of teams. */
  total_teams: number;
  /** Number of team members. */
  total_team_members: number;
}

/** User counts. */
export interface UserStats {
  /** Total number of users. */
  total_users: number;
  /** Number of site administrators. */
  admin_users: number;
  /** Number of suspended users. */
  suspended_users: number;
}

/** Pull request counts. */
export interface PullRequestStats {
  /** Total number of pull requests. */
  total_pulls: number;
  /** Number of merged pull requests. */
  merged_pulls: number;
  /** Number of pull requests that can be merged. */
  mergeable_pulls: number;
  /** Number of pull requests that can't be merged. */
  unmergeable_pulls: number;
}

/** Issue counts. */
export interface IssueStats {
  /** Total number of issues. */
  total_issues: number;
  /** Number of open issues. */
  open_issues: number;
  /** Number of closed issues. */
  closed_issues: number;
}

/** Milestone counts. */
export interface MilestoneStats {
  /** Total number of milestones. */
  total_milestones: number;
  /** Number of open milestones. */
  open_milestones: number;
  /** Number of closed milestones. */
  closed_milestones: number;
}

/** Gist counts. */
export interface GistStats {
  /** Total number of gists. */
  total_gists: number;
  /** Number of private gists. */
  private_gists: number;
  /** Number of public gists. */
  public_gists: number;
}

/** Comment counts. */
export interface CommentStats {
  /** Number of comments on commits. */
  total_commit_comments: number;
  /** Number of comments on gists. */
  total_gist_comments: number;
  /** Number of comments on issues. */
  total_issue_comments: number;
  /** Number of comments on pull request diffs. */
  total_pull_request_comments: number;
}

/**
 * All statistics of the installation, by type. The server refreshes them about every 10 minutes.
 */
export interface AdminStats {
  /** Repository counts. */
  repos: RepositoryStats;
  /** Hook counts. */
  hooks: HookStats;
  /** Counts of Pages sites. */
  pages: PagesStats;
  /** Organization counts. */
  orgs: OrganizationStats;
  /** User counts. */
  users: UserStats;
  /** Pull request counts. */
  pulls: PullRequestStats;
  /** Issue counts. */
  issues: IssueStats;
  /** Milestone counts. */
  milestones: MilestoneStats;
  /** Gist counts. */
  gists: GistStats;
  /** Comment counts. */
  comments: CommentStats;
}

/** Types of statistics that can be requested individually. */
export type AdminStatsType = keyof AdminStats;

export const RepositoryStats = model<RepositoryStats>()('RepositoryStats', () => ({
  ...fields(z.int, 'total_repos root_repos fork_repos org_repos total_pushes total_wikis'),
}));

export const HookStats = model<HookStats>()('HookStats', () => ({
  ...fields(z.int, 'total_hooks active_hooks inactive_hooks'),
}));

export const PagesStats = model<PagesStats>()('PagesStats', () => ({
  total_pages: z.int(),
}));

export const OrganizationStats = model<OrganizationStats>()('OrganizationStats', () => ({
  ...fields(z.int, 'total_orgs disabled_orgs total_teams total_team_members'),
}));

export const UserStats = model<UserStats>()('UserStats', () => ({
  ...fields(z.int, 'total_users admin_users suspended_users'),
}));

export const PullRequestStats = model<PullRequestStats>()('PullRequestStats', () => ({
  ...fields(z.int, 'total_pulls merged_pulls mergeable_pulls unmergeable_pulls'),
}));

export const IssueStats = model<IssueStats>()('IssueStats', () => ({
  ...fields(z.int, 'total_issues open_issues closed_issues'),
}));

export const MilestoneStats = model<MilestoneStats>()('MilestoneStats', () => ({
  ...fields(z.int, 'total_milestones open_milestones closed_milestones'),
}));

export const GistStats = model<GistStats>()('GistStats', () => ({
  ...fields(z.int, 'total_gists private_gists public_gists'),
}));

export const CommentStats = model<CommentStats>()('CommentStats', () => ({
  ...fields(z.int, 'total_commit_comments total_gist_comments total_issue_comments'),
  ...fields(z.int, 'total_pull_request_comments'),
}));

/** Models by type of statistics. */
export const adminStatsModels: { readonly [K in AdminStatsType]: Model<AdminStats[K]> } = {
  repos: RepositoryStats,
  hooks: HookStats,
  pages: PagesStats,
  orgs: OrganizationStats,
  users: UserStats,
  pulls: PullRequestStats,
  issues: IssueStats,
  milestones: MilestoneStats,
  gists: GistStats,
  comments: CommentStats,
};

export const AdminStats = model<AdminStats>()('AdminStats', () => ({
  repos: ref(RepositoryStats),
  hooks: ref(HookStats),
  pages: ref(PagesStats),
  orgs: ref(OrganizationStats),
  users: ref(UserStats),
  pulls: ref(PullRequestStats),
  issues: ref(IssueStats),
  milestones: ref(MilestoneStats),
  gists: ref(GistStats),
  comments: ref(CommentStats),
}));
