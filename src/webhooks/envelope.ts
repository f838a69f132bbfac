import * as z from 'zod';
import { type Model, model, openEnum, ref } from '../model.js';

/** Who acted, or to whom something belongs. Which attributes come varies with server and event. */
export interface EventAccount {
  /** The account's name, unique on the server. */
  login: string;
  /** Numeric id, stable when the account is renamed. */
  id?: number | undefined;
  /** Kind of account. */
  type?: 'User' | 'Organization' | 'Bot' | (string & {}) | undefined;
  /** API URL. */
  url?: string | undefined;
  /** Web page of the profile. */
  html_url?: string | undefined;
  /** URL of the account's picture. */
  avatar_url?: string | null | undefined;
  /** Whatever else is sent. */
  [attribute: string]: unknown;
}

/** The owner of a repository: in `push` events of older servers without `login`, with `name` instead. */
export interface EventOwner {
  /** The account's name, unique on the server. */
  login?: string | undefined;
  /** The same, in `push` events. */
  name?: string | null | undefined;
  /** Numeric id, stable when the account is renamed. */
  id?: number | undefined;
  /** Public address, in `push` events. */
  email?: string | null | undefined;
  /** Whatever else is sent. */
  [attribute: string]: unknown;
}

/** Where it happened. Which attributes come varies with server and event. */
export interface EventRepository {
  /** Numeric id, stable when the repository is renamed or transferred. */
  id?: number | undefined;
  /** Name without the owner. */
  name?: string | undefined;
  /** `owner/name`; absent in `push` events of older servers. */
  full_name?: string | undefined;
  /** The user or organization that owns the repository. */
  owner?: EventOwner | null | undefined;
  /** Whether only people with access can see it. */
  private?: boolean | undefined;
  /** Whether it was forked from another repository. */
  fork?: boolean | undefined;
  /** API URL; in `push` events the web page. */
  url?: string | undefined;
  /** Web page of the repository. */
  html_url?: string | undefined;
  /** Name of the branch that is shown first. */
  default_branch?: string | undefined;
  /** Whatever else is sent; times are seconds since the epoch in `push` events. */
  [attribute: string]: unknown;
}

/** What every full payload carries (contract section "Events"). */
export interface EventPayload {
  /** Who acted. Absent in `push` events of older servers. */
  sender?: EventAccount | null | undefined;
  /** Where it happened; absent from what concerns no repository. */
  repository?: EventRepository | null | undefined;
  /** The organization, when there is one. */
  organization?: EventAccount | null | undefined;
  /** What happened, for events that tell several things: `opened`, `closed`… */
  action?: string | undefined;
  /** Whatever else the event carries. */
  [field: string]: unknown;
}

export const EventAccount: Model<EventAccount> = model<EventAccount>()('EventAccount', () => ({
  login: z.string(),
  id: z.optional(z.int()),
  type: z.optional(openEnum('User', 'Organization', 'Bot')),
  url: z.optional(z.string()),
  html_url: z.optional(z.string()),
  avatar_url: z.optional(z.nullable(z.string())),
}));

export const EventOwner: Model<EventOwner> = model<EventOwner>()('EventOwner', () => ({
  login: z.optional(z.string()),
  name: z.optional(z.nullable(z.string())),
  id: z.optional(z.int()),
  email: z.optional(z.nullable(z.string())),
}));

export const EventRepository: Model<EventRepository> = model<EventRepository>()(
  'EventRepository',
  () => ({
    id: z.optional(z.int()),
    name: z.optional(z.string()),
    full_name: z.optional(z.string()),
    owner: z.optional(z.nullable(ref(EventOwner))),
    private: z.optional(z.boolean()),
    fork: z.optional(z.boolean()),
    url: z.optional(z.string()),
    html_url: z.optional(z.string()),
    default_branch: z.optional(z.string()),
  }),
);

/** The schemas of {@link EventPayload}, for the models of single events. */
export const envelope = () => ({
  sender: z.optional(z.nullable(ref(EventAccount))),
  repository: z.optional(z.nullable(ref(EventRepository))),
  organization: z.optional(z.nullable(ref(EventAccount))),
  action: z.optional(z.string()),
});

export const EventPayload: Model<EventPayload> = model<EventPayload>()('EventPayload', envelope);
