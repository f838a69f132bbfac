import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { defineModel, type Model, model, ref, unionModel } from '../../schema/model.js';

/** Repository counts. */
export interface RepositoryStats {
  /** All repositories. */
  total_repos: number;
  /** Repositories that aren't forks. */
  root_repos: number;
  /** Forks. */
  fork_repos: number;
  /** Repositories of organizations. */
  org_repos: number;
  /** Pushes to date. */
  total_pushes: number;
  /** Wikis. */
  total_wikis: number;
}

/** Hook counts. */
export interface HookStats {
  /** All hooks. */
  total_hooks: number;
  /** Hooks that are active. */
  active_hooks: number;
  /** Hooks that are inactive. */
  inactive_hooks: number;
}

/** Counts of Pages sites. */
export interface PagesStats {
  /** Pages sites. */
  total_pages: number;
}

/** Organization counts. */
export interface OrganizationStats {
  /** All organizations. */
  total_orgs: number;
  /** Disabled organizations. */
  disabled_orgs: number;
  /** Teams. */
  total_teams: number;
  /** Members of teams. */
  total_team_members: number;
}

/** User counts. */
export interface UserStats {
  /** All users. */
  total_users: number;
  /** Site administrators. */
  admin_users: number;
  /** Suspended users. */
  suspended_users: number;
}

/** Pull request counts. */
export interface PullRequestStats {
  /** All pull requests. */
  total_pulls: number;
  /** Merged pull requests. */
  merged_pulls: number;
  /** Pull requests that can be merged. */
  mergeable_pulls: number;
  /** Pull requests that can't be merged. */
  unmergeable_pulls: number;
}

/** Issue counts. */
export interface IssueStats {
  /** All issues. */
  total_issues: number;
  /** Open issues. */
  open_issues: number;
  /** Closed issues. */
  closed_issues: number;
}

/** Milestone counts. */
export interface MilestoneStats {
  /** All milestones. */
  total_milestones: number;
  /** Open milestones. */
  open_milestones: number;
  /** Closed milestones. */
  closed_milestones: number;
}

/** Gist counts. */
export interface GistStats {
  /** All gists. */
  total_gists: number;
  /** Private gists. */
  private_gists: number;
  /** Public gists. */
  public_gists: number;
}

/** Comment counts. */
export interface CommentStats {
  /** Comments on commits. */
  total_commit_comments: number;
  /** Comments on gists. */
  total_gist_comments: number;
  /** Comments on issues. */
  total_issue_comments: number;
  /** Comments on the diffs of pull requests. */
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

/**
 * Response to a request for one type: unwrapped statistics, as real servers send them, or an
 * object that contains them under the type's name.
 */
export type AdminStatsResponse<K extends AdminStatsType> = AdminStats[K] | Pick<AdminStats, K>;

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

/** Model of the response to a request for one type, unwrapped or under the type's name. */
function statsModel<K extends AdminStatsType>(type: K, numbers: Model<AdminStats[K]>) {
  const named = defineModel<object>(`{ ${type} }`, () => z.object({ [type]: ref(numbers) }));
  // `as`: the object's only member is named after the type.
  const members = [numbers, named as Model<Pick<AdminStats, K>>];
  return unionModel<AdminStatsResponse<K>>(`AdminStats.${type}`, members);
}

/** Response models by type of statistics. */
export const AdminStatsModels: { readonly [K in AdminStatsType]: Model<AdminStatsResponse<K>> } = {
  repos: statsModel('repos', RepositoryStats),
  hooks: statsModel('hooks', HookStats),
  pages: statsModel('pages', PagesStats),
  orgs: statsModel('orgs', OrganizationStats),
  users: statsModel('users', UserStats),
  pulls: statsModel('pulls', PullRequestStats),
  issues: statsModel('issues', IssueStats),
  milestones: statsModel('milestones', MilestoneStats),
  gists: statsModel('gists', GistStats),
  comments: statsModel('comments', CommentStats),
};
