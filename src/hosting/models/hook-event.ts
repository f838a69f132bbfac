/**
 * Events that a hook can subscribe to. `*` subscribes to all events, including future events.
 * `ping` is delivered to every hook, even if the hook isn't subscribed to the event.
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
 * Event that a hook can subscribe to. `*` subscribes to all events, including future events. Events
 * that only a newer server knows need a cast: `'workflow_run' as HookEvent`.
 */
export type HookEvent = (typeof hookEvents)[number];
