import type { EventPayload } from './envelope.js';
import type { EventPayloads } from './payloads.js';

/**
 * Events that a hook can be subscribed to (contract section "Events"). `*` replaces the list, and covers future events
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
] as const satisfies readonly ('*' | Exclude<DeliveredEvent, 'ping'>)[];

/** An event to subscribe to; open to others. `ping` can not be subscribed to: it comes by itself. */
export type HookEvent = (typeof hookEvents)[number] | (string & {});

/** Events of the contract's table that are delivered. */
export type DeliveredEvent = keyof EventPayloads;

/** A delivery of one of the contract's events. */
export interface EventDelivery<Event extends DeliveredEvent> {
  readonly event: Event;
  /** Unique id of the delivery, a GUID; undefined where the server sent none. */
  readonly id: string | undefined;
  readonly payload: EventPayloads[Event];
}

/** A delivery of any event beyond the contract's. */
export interface OtherDelivery {
  readonly event: 'other';
  /** The event's own name. */
  readonly name: string;
  /** Unique id of the delivery, a GUID; undefined where the server sent none. */
  readonly id: string | undefined;
  readonly payload: EventPayload;
}

/** A delivery, told apart by `event`: a `switch` over it narrows `payload`. */
export type Delivery =
  | { [Event in DeliveredEvent]: EventDelivery<Event> }[DeliveredEvent]
  | OtherDelivery;
