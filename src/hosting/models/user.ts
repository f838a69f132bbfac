import * as z from 'zod';
import { type Model, model, openEnum, ref } from '../../model.js';

/** The paid plan of a user, on servers that still send it. */
export interface UserPlan {
  /** @deprecated Obsolete: the service no longer limits collaborators by plan. No successor. */
  collaborators?: number | undefined;
}

/**
 * A user or an organization in its summary form (contract section "User (summary)").
 * Servers of 2012 send `login`, `id`, `avatar_url`, `gravatar_id` and `url` only.
 */
export interface User {
  /** The account's name, unique on the server. */
  login: string;
  /** Numeric id, stable when the account is renamed. */
  id: number;
  /** URL of the account's picture. */
  avatar_url: string;
  /** Gravatar hash; empty or null on servers that left Gravatar. */
  gravatar_id?: string | null | undefined;
  /** API URL of this user. */
  url: string;
  /** Web page of the profile. */
  html_url?: string | undefined;
  /** API URL of the followers. */
  followers_url?: string | undefined;
  /** URI template of the accounts followed: `…/following{/other_user}`. */
  following_url?: string | undefined;
  /** URI template of the gists: `…/gists{/gist_id}`. */
  gists_url?: string | undefined;
  /** URI template of the starred repositories: `…/starred{/owner}{/repo}`. */
  starred_url?: string | undefined;
  /** API URL of the watched repositories. */
  subscriptions_url?: string | undefined;
  /** API URL of the user's organizations. */
  organizations_url?: string | undefined;
  /** API URL of the user's repositories. */
  repos_url?: string | undefined;
  /** URI template of the user's events: `…/events{/privacy}`. */
  events_url?: string | undefined;
  /** API URL of the events that the user received. */
  received_events_url?: string | undefined;
  /** Kind of account. */
  type?: 'User' | 'Organization' | 'Bot' | (string & {}) | undefined;
  /** Whether the user administers the installation. Absent on servers before 2014. */
  site_admin?: boolean | undefined;
  /** @deprecated Obsolete, without a successor; detailed profiles only. */
  bio?: string | null | undefined;
  /** Detailed profiles of the caller only. */
  plan?: UserPlan | undefined;
}

export const UserPlan: Model<UserPlan> = model<UserPlan>()('UserPlan', () => ({
  collaborators: z.optional(z.int()),
}));

export const User: Model<User> = model<User>()('User', () => ({
  login: z.string(),
  id: z.int(),
  avatar_url: z.string(),
  gravatar_id: z.optional(z.nullable(z.string())),
  url: z.string(),
  html_url: z.optional(z.string()),
  followers_url: z.optional(z.string()),
  following_url: z.optional(z.string()),
  gists_url: z.optional(z.string()),
  starred_url: z.optional(z.string()),
  subscriptions_url: z.optional(z.string()),
  organizations_url: z.optional(z.string()),
  repos_url: z.optional(z.string()),
  events_url: z.optional(z.string()),
  received_events_url: z.optional(z.string()),
  type: z.optional(openEnum('User', 'Organization', 'Bot')),
  site_admin: z.optional(z.boolean()),
  bio: z.optional(z.nullable(z.string())),
  plan: z.optional(ref(UserPlan)),
}));
