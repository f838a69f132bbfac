import type { EventPayload } from './envelope.js';
import type { EventPayloads } from './payloads.js';

export { type HookEvent, hookEvents } from '../hosting/models/hook-event.js';

/** The known events. */
export type DeliveredEvent = keyof EventPayloads;

/** A delivery of one of the known events. */
export interface EventDelivery<Event extends DeliveredEvent> {
  /** Name of the event, which tells the type of `payload`. */
  readonly event: Event;
  /** Unique id of the delivery, a GUID; undefined where the server sent none. */
  readonly id: string | undefined;
  /** What the event carries. */
  readonly payload: EventPayloads[Event];
}

/** A delivery of any other event. */
export interface OtherDelivery {
  /** Always `other`; the event's own name is `name`. */
  readonly event: 'other';
  /** The event's own name. */
  readonly name: string;
  /** Unique id of the delivery, a GUID; undefined where the server sent none. */
  readonly id: string | undefined;
  /** What the event carries, unchecked. */
  readonly payload: EventPayload;
}

/** A delivery, told apart by `event`: a `switch` over it narrows `payload`. */
export type Delivery =
  | { [Event in DeliveredEvent]: EventDelivery<Event> }[DeliveredEvent]
  | OtherDelivery;
