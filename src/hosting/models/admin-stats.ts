import * as z from 'zod';
import { type Model, model, ref, unionModel } from '../../schema/model.js';

/** Numbers of repositories. */
export interface RepositoryStats {
  /** All repositories. */
  total_repos: number;
  /** Repositories that are no forks. */
  root_repos: number;
  /** Forks. */
  fork_repos: number;
  /** Repositories of organizations. */
  org_repos: number;
  /** Pushes ever. */
  total_pushes: number;
  /** Wikis. */
  total_wikis: number;
}

/** Numbers of hooks. */
export interface HookStats {
  /** All hooks. */
  total_hooks: number;
  /** Hooks that deliver. */
  active_hooks: number;
  /** Hooks that are switched off. */
  inactive_hooks: number;
}

/** Numbers of Pages sites. */
export interface PagesStats {
  /** Pages sites. */
  total_pages: number;
}

/** Numbers of organizations. */
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

/** Numbers of users. */
export interface UserStats {
  /** All users. */
  total_users: number;
  /** Site administrators. */
  admin_users: number;
  /** Suspended users. */
  suspended_users: number;
}

/** Numbers of pull requests. */
export interface PullRequestStats {
  /** All pull requests. */
  total_pulls: number;
  /** Merged ones. */
  merged_pulls: number;
  /** Those that merge cleanly. */
  mergeable_pulls: number;
  /** Those that do not. */
  unmergeable_pulls: number;
}

/** Numbers of issues. */
export interface IssueStats {
  /** All issues. */
  total_issues: number;
  /** Open issues. */
  open_issues: number;
  /** Closed issues. */
  closed_issues: number;
}

/** Numbers of milestones. */
export interface MilestoneStats {
  /** All milestones. */
  total_milestones: number;
  /** Open milestones. */
  open_milestones: number;
  /** Closed milestones. */
  closed_milestones: number;
}

/** Numbers of gists. */
export interface GistStats {
  /** All gists. */
  total_gists: number;
  /** Private gists. */
  private_gists: number;
  /** Public gists. */
  public_gists: number;
}

/** Numbers of comments. */
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
 * Every statistic of the installation, by type.
 * The server refreshes the numbers about every ten minutes.
 */
export interface AdminStats {
  /** Numbers of repositories. */
  repos: RepositoryStats;
  /** Numbers of hooks. */
  hooks: HookStats;
  /** Numbers of Pages sites. */
  pages: PagesStats;
  /** Numbers of organizations. */
  orgs: OrganizationStats;
  /** Numbers of users. */
  users: UserStats;
  /** Numbers of pull requests. */
  pulls: PullRequestStats;
  /** Numbers of issues. */
  issues: IssueStats;
  /** Numbers of milestones. */
  milestones: MilestoneStats;
  /** Numbers of gists. */
  gists: GistStats;
  /** Numbers of comments. */
  comments: CommentStats;
}

/** The types that statistics can be asked for by themselves. */
export type AdminStatsType = keyof AdminStats;

/** What a server answers for one type: its numbers bare, as real servers do, or under the type's name. */
export type AdminStatsAnswer<K extends AdminStatsType> = AdminStats[K] | Pick<AdminStats, K>;

export const RepositoryStats: Model<RepositoryStats> = model<RepositoryStats>()(
  'RepositoryStats',
  () => ({
    total_repos: z.int(),
    root_repos: z.int(),
    fork_repos: z.int(),
    org_repos: z.int(),
    total_pushes: z.int(),
    total_wikis: z.int(),
  }),
);

export const HookStats: Model<HookStats> = model<HookStats>()('HookStats', () => ({
  total_hooks: z.int(),
  active_hooks: z.int(),
  inactive_hooks: z.int(),
}));

export const PagesStats: Model<PagesStats> = model<PagesStats>()('PagesStats', () => ({
  total_pages: z.int(),
}));

export const OrganizationStats: Model<OrganizationStats> = model<OrganizationStats>()(
  'OrganizationStats',
  () => ({
    total_orgs: z.int(),
    disabled_orgs: z.int(),
    total_teams: z.int(),
    total_team_members: z.int(),
  }),
);

export const UserStats: Model<UserStats> = model<UserStats>()('UserStats', () => ({
  total_users: z.int(),
  admin_users: z.int(),
  suspended_users: z.int(),
}));

export const PullRequestStats: Model<PullRequestStats> = model<PullRequestStats>()(
  'PullRequestStats',
  () => ({
    total_pulls: z.int(),
    merged_pulls: z.int(),
    mergeable_pulls: z.int(),
    unmergeable_pulls: z.int(),
  }),
);

export const IssueStats: Model<IssueStats> = model<IssueStats>()('IssueStats', () => ({
  total_issues: z.int(),
  open_issues: z.int(),
  closed_issues: z.int(),
}));

export const MilestoneStats: Model<MilestoneStats> = model<MilestoneStats>()(
  'MilestoneStats',
  () => ({
    total_milestones: z.int(),
    open_milestones: z.int(),
    closed_milestones: z.int(),
  }),
);

export const GistStats: Model<GistStats> = model<GistStats>()('GistStats', () => ({
  total_gists: z.int(),
  private_gists: z.int(),
  public_gists: z.int(),
}));

export const CommentStats: Model<CommentStats> = model<CommentStats>()('CommentStats', () => ({
  total_commit_comments: z.int(),
  total_gist_comments: z.int(),
  total_issue_comments: z.int(),
  total_pull_request_comments: z.int(),
}));

export const AdminStats: Model<AdminStats> = model<AdminStats>()('AdminStats', () => ({
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

/** For each type, the model of what a server answers when that type alone is asked for. */
export const AdminStatsAnswers: { readonly [K in AdminStatsType]: Model<AdminStatsAnswer<K>> } = {
  repos: unionModel<AdminStatsAnswer<'repos'>>('AdminStats.repos', [
    RepositoryStats,
    model<Pick<AdminStats, 'repos'>>()('{ repos }', () => ({ repos: ref(RepositoryStats) })),
  ]),
  hooks: unionModel<AdminStatsAnswer<'hooks'>>('AdminStats.hooks', [
    HookStats,
    model<Pick<AdminStats, 'hooks'>>()('{ hooks }', () => ({ hooks: ref(HookStats) })),
  ]),
  pages: unionModel<AdminStatsAnswer<'pages'>>('AdminStats.pages', [
    PagesStats,
    model<Pick<AdminStats, 'pages'>>()('{ pages }', () => ({ pages: ref(PagesStats) })),
  ]),
  orgs: unionModel<AdminStatsAnswer<'orgs'>>('AdminStats.orgs', [
    OrganizationStats,
    model<Pick<AdminStats, 'orgs'>>()('{ orgs }', () => ({ orgs: ref(OrganizationStats) })),
  ]),
  users: unionModel<AdminStatsAnswer<'users'>>('AdminStats.users', [
    UserStats,
    model<Pick<AdminStats, 'users'>>()('{ users }', () => ({ users: ref(UserStats) })),
  ]),
  pulls: unionModel<AdminStatsAnswer<'pulls'>>('AdminStats.pulls', [
    PullRequestStats,
    model<Pick<AdminStats, 'pulls'>>()('{ pulls }', () => ({ pulls: ref(PullRequestStats) })),
  ]),
  issues: unionModel<AdminStatsAnswer<'issues'>>('AdminStats.issues', [
    IssueStats,
    model<Pick<AdminStats, 'issues'>>()('{ issues }', () => ({ issues: ref(IssueStats) })),
  ]),
  milestones: unionModel<AdminStatsAnswer<'milestones'>>('AdminStats.milestones', [
    MilestoneStats,
    model<Pick<AdminStats, 'milestones'>>()('{ milestones }', () => ({
      milestones: ref(MilestoneStats),
    })),
  ]),
  gists: unionModel<AdminStatsAnswer<'gists'>>('AdminStats.gists', [
    GistStats,
    model<Pick<AdminStats, 'gists'>>()('{ gists }', () => ({ gists: ref(GistStats) })),
  ]),
  comments: unionModel<AdminStatsAnswer<'comments'>>('AdminStats.comments', [
    CommentStats,
    model<Pick<AdminStats, 'comments'>>()('{ comments }', () => ({ comments: ref(CommentStats) })),
  ]),
};
