import type { EventPayload } from './envelope.js';
import type { EventPayloads } from './payloads.js';

export { type HookEvent, hookEvents } from '../hosting/models/hook-event.js';

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
