import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, openEnum, ref } from '../../schema/model.js';

/** A user's paid plan. Some servers no longer send it. */
export interface UserPlan {
  /**
   * Number of collaborators that the plan allows.
   * @deprecated Obsolete. The service no longer limits collaborators by plan.
   */
  collaborators?: number | null | undefined;
}

/**
 * User or organization in summary form. 2012-era servers send only `login`, `id`, `avatar_url`,
 * `gravatar_id` and `url`.
 */
export interface User {
  /** Login of the account, unique on the server. */
  login: string;
  /** Numeric ID. Stays the same when the account is renamed. */
  id: number;
  /** URL of the account's avatar. Null if there is none. */
  avatar_url: string | null;
  /** Gravatar hash. Empty or null on servers that no longer use Gravatar. */
  gravatar_id?: string | null | undefined;
  /** API URL of the user. */
  url: string;
  /** URL of the profile page. */
  html_url?: string | null | undefined;
  /** API URL of the followers. */
  followers_url?: string | null | undefined;
  /** URI template of the followed accounts: `…/following{/other_user}`. */
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
  /** API URL of the events that the user receives. */
  received_events_url?: string | null | undefined;
  /** Account type. */
  type?: 'User' | 'Organization' | 'Bot' | (string & {}) | null | undefined;
  /** Whether the user is a site admin. Absent on servers before 2014. */
  site_admin?: boolean | null | undefined;
  /**
   * Biography of the user. Sent only in detailed profiles.
   * @deprecated Obsolete. There is no replacement.
   */
  bio?: string | null | undefined;
  /** Plan of the user. Sent only in the caller's detailed profile. */
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
