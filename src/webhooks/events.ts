import type { Repository, User } from '../hosting/models/index.js';

/** Events that a hook can be subscribed to (contract: Events). `*` replaces the list, and covers future events too. */
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

/** An event to subscribe to; open to others. `ping` is none: it comes by itself. */
export type HookEvent = (typeof hookEvents)[number] | (string & {});

/** Events of the contract's table that are delivered. */
export type DeliveredEvent = Exclude<(typeof hookEvents)[number], '*'> | 'ping';

/** What every full payload carries (contract: Events, Rules). */
export interface EventPayload {
  /** Who acted. */
  readonly sender?: Partial<User> | undefined;
  readonly repository?: Partial<Repository> | undefined;
  /** Where the repository belongs to one. */
  readonly organization?: Readonly<Record<string, unknown>> | undefined;
  /** Whatever else the event carries: the contract does not show it. */
  readonly [field: string]: unknown;
}

/** Sent when a hook is created, and whenever it is pinged. */
export interface PingPayload extends EventPayload {
  readonly zen: string;
  readonly hook_id: number;
}

/** An issue was opened or closed. */
export interface IssuesPayload extends EventPayload {
  readonly action: 'opened' | 'closed' | (string & {});
  readonly issue: Readonly<Record<string, unknown>>;
}

interface DeliveryBase<Event extends string, Payload> {
  readonly event: Event;
  /** Unique id of the delivery, a GUID; undefined where the server sent none. */
  readonly id: string | undefined;
  readonly payload: Payload;
}

/** Any event beyond the contract's. */
export interface OtherDelivery extends DeliveryBase<'other', EventPayload> {
  /** Its real name. */
  readonly name: string;
}

/** A delivery, told apart by `event`. */
export type Delivery =
  | DeliveryBase<'ping', PingPayload>
  | DeliveryBase<'issues', IssuesPayload>
  | {
      [Event in Exclude<DeliveredEvent, 'ping' | 'issues'>]: DeliveryBase<Event, EventPayload>;
    }[Exclude<DeliveredEvent, 'ping' | 'issues'>]
  | OtherDelivery;

const known: ReadonlySet<string> = new Set([...hookEvents.slice(1), 'ping']);

/** Whether the contract names an event. */
export function isDeliveredEvent(name: string): name is DeliveredEvent {
  return known.has(name);
}
