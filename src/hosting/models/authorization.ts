import * as z from 'zod/mini';
import { fields, model, nullish, ref } from '../../schema/model.js';
import { User } from './repository.js';

/** OAuth application that a token belongs to. */
export interface AuthorizationApp {
  /** URL of the application's website. Null if blank. */
  url: string | null;
  /** Name of the application. */
  name: string;
  /** 20-character client ID. Absent on 2012-era servers. */
  client_id?: string | null | undefined;
}

/** OAuth authorization, including its token and scopes. */
export interface Authorization {
  /** Numeric ID. */
  id: number;
  /** API URL of the authorization. */
  url: string;
  /**
   * Normalized scopes of the token. The server omits scopes that another scope implies. Some
   * servers send null if the token has no scopes.
   */
  scopes: string[] | null;
  /**
   * Access token. Newer servers omit the token or send an empty string when you list or get
   * authorizations.
   */
  token?: string | null | undefined;
  /** OAuth application that the token belongs to. */
  app: AuthorizationApp;
  /** Purpose of the token, as described by the user. */
  note?: string | null | undefined;
  /** URL of a page that explains the note. */
  note_url?: string | null | undefined;
  /** Creation time, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
  /** Owner of the token. The server sends this field only when you check or reset a token. */
  user?: User | null | undefined;
  /** String that distinguishes tokens of the same application and user. */
  fingerprint?: string | null | undefined;
  /** SHA-256 hash of the token, in hexadecimal. */
  hashed_token?: string | null | undefined;
  /** Last eight characters of the token. */
  token_last_eight?: string | null | undefined;
}

export const AuthorizationApp = model<AuthorizationApp>()('AuthorizationApp', () => ({
  url: z.nullable(z.string()),
  name: z.string(),
  client_id: z.nullish(z.string()),
}));

export const Authorization = model<Authorization>()('Authorization', () => ({
  id: z.int(),
  ...fields(z.string, 'url created_at updated_at'),
  scopes: z.nullable(z.array(z.string())),
  ...fields(nullish(z.string), 'token note note_url fingerprint hashed_token token_last_eight'),
  app: ref(AuthorizationApp),
  user: z.nullish(ref(User)),
}));

/** Rate-limit quota for one kind of request. */
export interface RateLimitBucket {
  /** Number of requests allowed per window. A window is one hour, or one minute for searches. */
  limit: number;
  /** Number of requests left in the current window. */
  remaining: number;
  /** End of the window as a Unix timestamp in seconds. Absent on 2012-era servers. */
  reset?: number | null | undefined;
  /** Number of requests made in the current window. Sent by newer servers. */
  used?: number | null | undefined;
}

/** Rate-limit quotas by kind of request. */
export interface RateLimitResources {
  /** Quota for all requests without a separate quota. */
  core: RateLimitBucket;
  /** Quota for searches. */
  search?: RateLimitBucket | null | undefined;
  /** Quotas for other kinds of requests, on newer servers. Each is a {@link RateLimitBucket}. */
  [kind: string]: unknown;
}

/** The caller's rate limits. Requesting the limits doesn't count toward a quota. */
export interface RateLimitStatus {
  /** Quotas by kind of request. Absent on servers from before 2014. */
  resources?: RateLimitResources | null | undefined;
  /**
   * Quota for core requests.
   * @deprecated Use `resources.core`.
   */
  rate?: RateLimitBucket | null | undefined;
}

export const RateLimitBucket = model<RateLimitBucket>()('RateLimitBucket', () => ({
  ...fields(z.int, 'limit remaining'),
  ...fields(nullish(z.int), 'reset used'),
}));

export const RateLimitResources = model<RateLimitResources>('open')('RateLimitResources', () => ({
  core: ref(RateLimitBucket),
  search: z.nullish(ref(RateLimitBucket)),
}));

export const RateLimitStatus = model<RateLimitStatus>()('RateLimitStatus', () => ({
  resources: z.nullish(ref(RateLimitResources)),
  rate: z.nullish(ref(RateLimitBucket)),
}));
