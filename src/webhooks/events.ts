import type { EventPayload } from './envelope.js';
import type { EventPayloads } from './payloads.js';

export { type HookEvent, hookEvents } from '../hosting/models/hook.js';

/** Name of a known event. */
export type DeliveredEvent = keyof EventPayloads;

/** Delivery of a known event. */
export interface EventDelivery<Event extends DeliveredEvent> {
  /** Event name, which determines the type of `payload`. */
  readonly event: Event;
  /** Unique delivery ID, a GUID. Undefined if the server sent no ID. */
  readonly id: string | undefined;
  /** Event payload. */
  readonly payload: EventPayloads[Event];
}

/** Delivery of an unknown event. */
export interface OtherDelivery {
  /** Always `other`. `name` contains the event's name. */
  readonly event: 'other';
  /** Event name. */
  readonly name: string;
  /** Unique delivery ID, a GUID. Undefined if the server sent no ID. */
  readonly id: string | undefined;
  /** Event payload. Only the fields common to all events are validated. */
  readonly payload: EventPayload;
}

/** Delivery of any event. A `switch` over `event` narrows `payload`. */
export type Delivery =
  | { [Event in DeliveredEvent]: EventDelivery<Event> }[DeliveredEvent]
  | OtherDelivery;
