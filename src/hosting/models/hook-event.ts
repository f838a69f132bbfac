/**
 * Events that a hook can subscribe to. `*` replaces the list, and covers future events too. `ping` is
 * delivered to every hook, whether or not it subscribes to it.
 */
export const hookEvents = [
  '*',
  'commit_comment',
  'create',
  'delete',
  'deployment',
  'deployment_status',
  'fork',
  'gollum',
  'issue_comment',
  'issues',
  'member',
  'page_build',
  'ping',
  'public',
  'pull_request_review_comment',
  'pull_request',
  'push',
  'release',
  'status',
  'team_add',
  'watch',
] as const;

/**
 * An event to subscribe to. `*` replaces the list, and covers future events too. An event that only a
 * newer server knows needs a cast: `'workflow_run' as HookEvent`.
 */
export type HookEvent = (typeof hookEvents)[number];
