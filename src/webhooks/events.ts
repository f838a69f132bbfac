import type { EventPayload } from './envelope.js';
import type { EventPayloads } from './payloads.js';

export { type HookEvent, hookEvents } from '../hosting/models/hook-event.js';

/** Name of a known event. */
export type DeliveredEvent = keyof EventPayloads;

/** Delivery of a known event. */
export interface EventDelivery<Event extends DeliveredEvent> {
  /** Name of the event, which determines the type of `payload`. */
  readonly event: Event;
  /** Unique ID of the delivery, a GUID. Undefined if the server sent none. */
  readonly id: string | undefined;
  /** Payload of the event. */
  readonly payload: EventPayloads[Event];
}

/** Delivery of an unknown event. */
export interface OtherDelivery {
  /** Always `other`. The name of the event is in `name`. */
  readonly event: 'other';
  /** Name of the event. */
  readonly name: string;
  /** Unique ID of the delivery, a GUID. Undefined if the server sent none. */
  readonly id: string | undefined;
  /** Payload of the event. Only the fields common to all events are validated. */
  readonly payload: EventPayload;
}

/** Delivery of any event. A `switch` over `event` narrows `payload`. */
export type Delivery =
  | { [Event in DeliveredEvent]: EventDelivery<Event> }[DeliveredEvent]
  | OtherDelivery;
