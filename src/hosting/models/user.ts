import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, openEnum, ref } from '../../schema/model.js';

/** The paid plan of a user, on servers that still send it. */
export interface UserPlan {
  /**
   * Collaborators that the plan allows.
   * @deprecated Obsolete: the service no longer limits collaborators by plan. No successor.
   */
  collaborators?: number | null | undefined;
}

/**
 * A user or an organization in its summary form.
 * Servers of 2012 send `login`, `id`, `avatar_url`, `gravatar_id` and `url` only.
 */
export interface User {
  /** The account's name, unique on the server. */
  login: string;
  /** Numeric id, stable when the account is renamed. */
  id: number;
  /** URL of the account's picture; null if it has none. */
  avatar_url: string | null;
  /** Gravatar hash; empty or null on servers that left Gravatar. */
  gravatar_id?: string | null | undefined;
  /** API URL of this user. */
  url: string;
  /** Web page of the profile. */
  html_url?: string | null | undefined;
  /** API URL of the followers. */
  followers_url?: string | null | undefined;
  /** URI template of the accounts followed: `…/following{/other_user}`. */
  following_url?: string | null | undefined;
  /** URI template of the gists: `…/gists{/gist_id}`. */
  gists_url?: string | null | undefined;
  /** URI template of the starred repositories: `…/starred{/owner}{/repo}`. */
  starred_url?: string | null | undefined;
  /** API URL of the watched repositories. */
  subscriptions_url?: string | null | undefined;
  /** API URL of the user's organizations. */
  organizations_url?: string | null | undefined;
  /** API URL of the user's repositories. */
  repos_url?: string | null | undefined;
  /** URI template of the user's events: `…/events{/privacy}`. */
  events_url?: string | null | undefined;
  /** API URL of the events that the user received. */
  received_events_url?: string | null | undefined;
  /** Kind of account. */
  type?: 'User' | 'Organization' | 'Bot' | (string & {}) | null | undefined;
  /** Whether the user administers the installation. Absent on servers before 2014. */
  site_admin?: boolean | null | undefined;
  /**
   * What the user says about themselves.
   * @deprecated Obsolete, without a successor; detailed profiles only.
   */
  bio?: string | null | undefined;
  /** Detailed profiles of the caller only. */
  plan?: UserPlan | null | undefined;
}

export const UserPlan = model<UserPlan>()('UserPlan', () => ({
  collaborators: z.nullish(z.int()),
}));

export const User = model<User>()('User', () => ({
  ...fields(z.string, 'login url'),
  avatar_url: z.nullable(z.string()),
  id: z.int(),
  ...fields(nullish(z.string), 'gravatar_id html_url followers_url following_url gists_url'),
  ...fields(nullish(z.string), 'starred_url subscriptions_url organizations_url repos_url'),
  ...fields(nullish(z.string), 'events_url received_events_url bio'),
  type: z.nullish(openEnum('User', 'Organization', 'Bot')),
  site_admin: z.nullish(z.boolean()),
  plan: z.nullish(ref(UserPlan)),
}));
