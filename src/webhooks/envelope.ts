import * as z from 'zod/mini';
import { fields } from '../schema/fields.js';
import { model, nullish, openEnum, ref } from '../schema/model.js';

/** Who acted, or to whom something belongs. Which attributes come varies with server and event. */
export interface EventAccount {
  /** The account's name, unique on the server. */
  login: string;
  /** Numeric id, stable when the account is renamed. */
  id?: number | null | undefined;
  /** Kind of account. */
  type?: 'User' | 'Organization' | 'Bot' | (string & {}) | null | undefined;
  /** API URL. */
  url?: string | null | undefined;
  /** Web page of the profile. */
  html_url?: string | null | undefined;
  /** URL of the account's picture. */
  avatar_url?: string | null | undefined;
  /** Whatever else is sent. */
  [attribute: string]: unknown;
}

/** The owner of a repository: in `push` events of older servers without `login`, with `name` instead. */
export interface EventOwner {
  /** The account's name, unique on the server. */
  login?: string | null | undefined;
  /** The same, in `push` events. */
  name?: string | null | undefined;
  /** Numeric id, stable when the account is renamed. */
  id?: number | null | undefined;
  /** Public address, in `push` events. */
  email?: string | null | undefined;
  /** Whatever else is sent. */
  [attribute: string]: unknown;
}

/** Where it happened. Which attributes come varies with server and event. */
export interface EventRepository {
  /** Numeric id, stable when the repository is renamed or transferred. */
  id?: number | null | undefined;
  /** Name without the owner. */
  name?: string | null | undefined;
  /** `owner/name`; absent in `push` events of older servers. */
  full_name?: string | null | undefined;
  /** The user or organization that owns the repository. */
  owner?: EventOwner | null | undefined;
  /** Whether only people with access can see it. */
  private?: boolean | null | undefined;
  /** Whether it was forked from another repository. */
  fork?: boolean | null | undefined;
  /** API URL; in `push` events the web page. */
  url?: string | null | undefined;
  /** Web page of the repository. */
  html_url?: string | null | undefined;
  /** Name of the branch that is shown first. */
  default_branch?: string | null | undefined;
  /** Whatever else is sent; times are seconds since the epoch in `push` events. */
  [attribute: string]: unknown;
}

/** The part of a payload that all events have in common, and that is validated. */
export interface EventEnvelope {
  /** Who acted. Absent in `push` events of older servers. */
  sender?: EventAccount | null | undefined;
  /** Repository of the event. Absent if the event concerns none. */
  repository?: EventRepository | null | undefined;
  /** The organization, if there is one. */
  organization?: EventAccount | null | undefined;
  /** The rest of the payload. */
  [field: string]: unknown;
}

/** The fields that every full payload has. */
export interface EventPayload extends EventEnvelope {
  /** What happened, for events that report several things: `opened`, `closed`… Validated for `issues` only. */
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

/** The schemas of {@link EventEnvelope}, for the models of single events. */
export const envelope = () => ({
  sender: z.nullish(ref(EventAccount)),
  repository: z.nullish(ref(EventRepository)),
  organization: z.nullish(ref(EventAccount)),
});

export const EventEnvelope = model<EventEnvelope>('open')('EventPayload', envelope);
