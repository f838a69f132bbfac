import * as z from 'zod/mini';
import { fields, model, nullish, openEnum, ref } from '../../schema/model.js';

/** A user's billing plan. Some servers don't send this object. */
export interface UserPlan {
  /**
   * Number of collaborators that the plan allows.
   * @deprecated Obsolete. The service no longer limits collaborators by plan.
   */
  collaborators?: number | null | undefined;
}

/**
 * Summary of a user or an organization. 2012-era servers send only `login`, `id`, `avatar_url`,
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
  /** URI template for the followed accounts: `…/following{/other_user}`. */
  following_url?: string | null | undefined;
  /** URI template for the gists: `…/gists{/gist_id}`. */
  gists_url?: string | null | undefined;
  /** URI template for the starred repositories: `…/starred{/owner}{/repo}`. */
  starred_url?: string | null | undefined;
  /** API URL of the watched repositories. */
  subscriptions_url?: string | null | undefined;
  /** API URL of the user's organizations. */
  organizations_url?: string | null | undefined;
  /** API URL of the user's repositories. */
  repos_url?: string | null | undefined;
  /** URI template for the user's events: `…/events{/privacy}`. */
  events_url?: string | null | undefined;
  /** API URL of the events that the user receives. */
  received_events_url?: string | null | undefined;
  /** Account type. */
  type?: 'User' | 'Organization' | 'Bot' | (string & {}) | null | undefined;
  /** Whether the user is a site admin. Absent on older servers. */
  site_admin?: boolean | null | undefined;
  /**
   * Biography of the user. Included only in detailed profiles.
   * @deprecated Obsolete. There is no replacement.
   */
  bio?: string | null | undefined;
  /** Billing plan of the user. Included only in the caller's own detailed profile. */
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

/** Organization that a team belongs to. */
export interface TeamOrganization {
  /** Login of the organization, unique on the server. */
  login: string;
  /** Numeric ID. Stays the same when the organization is renamed. */
  id: number;
  /** API URL of the organization. */
  url: string;
  /** URL of the organization's avatar. Null if there is none. */
  avatar_url: string | null;
}

export const TeamOrganization = model<TeamOrganization>()('TeamOrganization', () => ({
  ...fields(z.string, 'login url'),
  avatar_url: z.nullable(z.string()),
  id: z.int(),
}));

/** The caller's permissions for a repository. */
export interface RepositoryPermissions {
  /** Whether the caller can change settings, hooks and access. */
  admin: boolean;
  /** Whether the caller can push commits. */
  push: boolean;
  /** Whether the caller can read and clone the repository. */
  pull: boolean;
}

/**
 * Repository. Timestamps have the format `YYYY-MM-DDTHH:MM:SSZ`. Some responses contain only a
 * summary of a repository. Fields that summaries or older servers omit are optional.
 */
export interface Repository {
  /** Numeric ID. Stays the same when the repository is renamed or transferred. */
  id: number;
  /** User or organization that owns the repository. */
  owner: User;
  /** Name of the repository, without the owner. */
  name: string;
  /** Full name, including the owner: `owner/name`. */
  full_name?: string | null | undefined;
  /** One-line description. Null or empty if there is none. */
  description?: string | null | undefined;
  /** Whether only users with access can see the repository. */
  private: boolean;
  /** Whether the repository is a fork. */
  fork: boolean;
  /** API URL of the repository. */
  url: string;
  /** URL of the web page. */
  html_url: string;
  /** URL for cloning over HTTPS. */
  clone_url?: string | null | undefined;
  /** URL for cloning over the git protocol. */
  git_url?: string | null | undefined;
  /** SSH address for cloning: `git@host:owner/name.git`. */
  ssh_url?: string | null | undefined;
  /** URL for Subversion clients. */
  svn_url?: string | null | undefined;
  /** URL of the mirrored repository. Null if the repository isn't a mirror. */
  mirror_url?: string | null | undefined;
  /** URL of the project's homepage. */
  homepage?: string | null | undefined;
  /** Primary programming language. Null if none was detected. */
  language?: string | null | undefined;
  /** Number of forks. */
  forks_count?: number | null | undefined;
  /** Number of stars. */
  stargazers_count?: number | null | undefined;
  /** Number of stars. Has the same value as `stargazers_count`. */
  watchers_count?: number | null | undefined;
  /** Size in kilobytes. */
  size?: number | null | undefined;
  /** Number of open issues, including pull requests. */
  open_issues_count?: number | null | undefined;
  /** Name of the default branch. Absent on servers from before 2013. */
  default_branch?: string | null | undefined;
  /** Whether issues are enabled. */
  has_issues?: boolean | null | undefined;
  /** Whether the wiki is enabled. */
  has_wiki?: boolean | null | undefined;
  /** Whether downloads are enabled. */
  has_downloads?: boolean | null | undefined;
  /** Time of the last push. May be null before the first push. */
  pushed_at?: string | null | undefined;
  /** Creation time. */
  created_at?: string | null | undefined;
  /** Time of the last change to the repository's attributes. */
  updated_at?: string | null | undefined;
  /** The caller's permissions. Most servers send them only to authenticated callers. */
  permissions?: RepositoryPermissions | null | undefined;
  /**
   * Older name for `forks_count`.
   * @deprecated Use `forks_count`.
   */
  forks?: number | null | undefined;
  /**
   * Older name for `default_branch`.
   * @deprecated Use `default_branch`.
   */
  master_branch?: string | null | undefined;
  /**
   * Older name for `open_issues_count`.
   * @deprecated Use `open_issues_count`.
   */
  open_issues?: number | null | undefined;
  /**
   * Whether the repository is public.
   * @deprecated Use `private`.
   */
  public?: boolean | null | undefined;
  /**
   * Older name for `watchers_count`.
   * @deprecated Use `watchers_count`.
   */
  watchers?: number | null | undefined;
}

export const RepositoryPermissions = model<RepositoryPermissions>()(
  'RepositoryPermissions',
  () => ({ admin: z.boolean(), push: z.boolean(), pull: z.boolean() }),
);

export const Repository = model<Repository>()('Repository', () => ({
  id: z.int(),
  owner: ref(User),
  ...fields(z.string, 'name url html_url'),
  ...fields(nullish(z.string), 'full_name description clone_url git_url ssh_url svn_url'),
  ...fields(nullish(z.string), 'mirror_url homepage language default_branch pushed_at created_at'),
  ...fields(nullish(z.string), 'updated_at master_branch'),
  ...fields(z.boolean, 'private fork'),
  ...fields(nullish(z.int), 'forks_count stargazers_count watchers_count size open_issues_count'),
  ...fields(nullish(z.int), 'forks open_issues watchers'),
  ...fields(nullish(z.boolean), 'has_issues has_wiki has_downloads public'),
  permissions: z.nullish(ref(RepositoryPermissions)),
}));

/**
 * User who starred a repository, and the time when the user starred it. Returned for the `star`
 * media type.
 */
export interface Stargazer {
  /** Time when the user starred the repository, `YYYY-MM-DDTHH:MM:SSZ`. */
  starred_at: string;
  /** User who starred the repository. */
  user: User;
}

/**
 * Repository that a user starred, and the time when the user starred it. Returned for the `star`
 * media type.
 */
export interface StarredRepository {
  /** Time when the user starred the repository, `YYYY-MM-DDTHH:MM:SSZ`. */
  starred_at: string;
  /** Repository that was starred. */
  repo: Repository;
}

export const Stargazer = model<Stargazer>()('Stargazer', () => ({
  starred_at: z.string(),
  user: ref(User),
}));

export const StarredRepository = model<StarredRepository>()('StarredRepository', () => ({
  starred_at: z.string(),
  repo: ref(Repository),
}));

/** Summary of a team, as returned by `teams.list`. */
export interface TeamSummary {
  /** API URL of the team. */
  url: string;
  /** Display name of the team. */
  name: string;
  /** Numeric ID, as passed to `teams.get({ id })`. */
  id: number;
  /** Name of the team in URLs. Sent by most servers. */
  slug?: string | null | undefined;
  /**
   * Access that members have to the team's repositories. Most servers also include this field in
   * summaries.
   */
  permission?: 'pull' | 'push' | 'admin' | (string & {}) | null | undefined;
}

/** Team with all fields, as returned by `teams.get`, `create`, `update` and `listMine`. */
export interface Team extends TeamSummary {
  /** Number of members. Some servers omit this field in responses to writes. */
  members_count?: number | null | undefined;
  /** Number of repositories. Some servers omit this field in responses to writes. */
  repos_count?: number | null | undefined;
  /** Organization that the team belongs to. Absent on 2012-era servers. */
  organization?: TeamOrganization | null | undefined;
}

const teamFields = () => ({
  ...fields(z.string, 'url name'),
  id: z.int(),
  slug: z.nullish(z.string()),
  permission: z.nullish(openEnum('pull', 'push', 'admin')),
});

export const TeamSummary = model<TeamSummary>()('TeamSummary', teamFields);

export const Team = model<Team>()('Team', () => ({
  ...teamFields(),
  ...fields(() => z.nullish(z.int()), 'members_count repos_count'),
  organization: z.nullish(ref(TeamOrganization)),
}));
