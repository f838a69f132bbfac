/**
 * Events that a hook can be subscribed to. `*` replaces the list, and covers future events
 * too. `ping` is none of them: it comes by itself.
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
 * An event to subscribe to; open to others. `*` replaces the list, and covers future events too. `ping` can not
 * be subscribed to: it comes by itself.
 */
export type HookEvent = (typeof hookEvents)[number] | (string & {});
