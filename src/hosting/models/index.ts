/**
 * Models of the hosting API. Each model is both an interface and a runtime validator for the
 * interface.
 */
export {
  AdminStats,
  type AdminStatsType,
  CommentStats,
  GistStats,
  HookStats,
  IssueStats,
  MilestoneStats,
  OrganizationStats,
  PagesStats,
  PullRequestStats,
  RepositoryStats,
  UserStats,
} from './admin-stats.js';
export * from './authorization.js';
export * from './commit.js';

export * from './content.js';
export * from './hook.js';
export * from './pull-request.js';
export * from './release.js';
export * from './repository.js';
