import * as z from 'zod/mini';
import { fields, model, nullish, openEnum, ref } from '../schema/model.js';

/** Account in an event. The available attributes depend on the server and the event. */
export interface EventAccount {
  /** Account login, unique on the server. */
  login: string;
  /** Numeric ID. Stays the same when the account is renamed. */
  id?: number | null | undefined;
  /** Account type. */
  type?: 'User' | 'Organization' | 'Bot' | (string & {}) | null | undefined;
  /** API URL of the account. */
  url?: string | null | undefined;
  /** URL of the profile page. */
  html_url?: string | null | undefined;
  /** URL of the account's avatar. */
  avatar_url?: string | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

/**
 * Repository owner. In `push` events from older servers, the owner has `name` instead of `login`.
 */
export interface EventOwner {
  /** Account login, unique on the server. */
  login?: string | null | undefined;
  /** Account login in `push` events. */
  name?: string | null | undefined;
  /** Numeric ID. Stays the same when the account is renamed. */
  id?: number | null | undefined;
  /** Public email address, in `push` events. */
  email?: string | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

/** Repository in an event. The available attributes depend on the server and the event. */
export interface EventRepository {
  /** Numeric ID. Stays the same when the repository is renamed or transferred. */
  id?: number | null | undefined;
  /** Name without the owner. */
  name?: string | null | undefined;
  /** Name with the owner, `owner/name`. Absent in `push` events from older servers. */
  full_name?: string | null | undefined;
  /** User or organization that owns the repository. */
  owner?: EventOwner | null | undefined;
  /** Whether only users with access can see the repository. */
  private?: boolean | null | undefined;
  /** Whether the repository is a fork. */
  fork?: boolean | null | undefined;
  /** API URL. In `push` events, the URL of the web page. */
  url?: string | null | undefined;
  /** URL of the web page. */
  html_url?: string | null | undefined;
  /** Name of the default branch. */
  default_branch?: string | null | undefined;
  /** Other attributes. In `push` events, times are seconds since the epoch. */
  [attribute: string]: unknown;
}

/** Validated part of a payload, common to all events. */
export interface EventEnvelope {
  /** Account that triggered the event. Absent in `push` events from older servers. */
  sender?: EventAccount | null | undefined;
  /** Repository that the event concerns. Absent if there is none. */
  repository?: EventRepository | null | undefined;
  /** Organization that the event concerns. Absent if there is none. */
  organization?: EventAccount | null | undefined;
  /** Other fields of the payload. */
  [field: string]: unknown;
}

/** Fields common to the payloads of all events. */
export interface EventPayload extends EventEnvelope {
  /** Action within the event, such as `opened` or `closed`. Validated for `issues` only. */
  action?: string | null | undefined;
}

export const EventAccount = model<EventAccount>('open')('EventAccount', () => ({
  login: z.string(),
  id: z.nullish(z.int()),
  type: z.nullish(openEnum('User', 'Organization', 'Bot')),
  ...fields(nullish(z.string), 'url html_url avatar_url'),
}));

export const EventOwner = model<EventOwner>('open')('EventOwner', () => ({
  ...fields(nullish(z.string), 'login name email'),
  id: z.nullish(z.int()),
}));

export const EventRepository = model<EventRepository>('open')('EventRepository', () => ({
  id: z.nullish(z.int()),
  ...fields(nullish(z.string), 'name full_name url html_url default_branch'),
  owner: z.nullish(ref(EventOwner)),
  ...fields(nullish(z.boolean), 'private fork'),
}));

/** Returns the field schemas that all event models share (see {@link EventEnvelope}). */
export const envelopeFields = () => ({
  sender: z.nullish(ref(EventAccount)),
  repository: z.nullish(ref(EventRepository)),
  organization: z.nullish(ref(EventAccount)),
});

export const EventEnvelope = model<EventEnvelope>('open')('EventPayload', envelopeFields);
