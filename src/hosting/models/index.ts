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
export * from './commit-comment.js';
export * from './content.js';
export * from './download.js';
export * from './git-ref.js';
export * from './hook.js';
export * from './hook-event.js';
export * from './organization.js';
export * from './pages.js';
export * from './pull-file.js';
export * from './pull-request.js';
export * from './rate-limit.js';
export * from './release.js';
export * from './repository.js';
export * from './star.js';
export * from './team.js';
export * from './user.js';
