import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, ref } from '../../schema/model.js';
import { User } from './user.js';

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
 * Repository. Timestamps are `YYYY-MM-DDTHH:MM:SSZ`. Responses that only refer to a repository
 * contain a summary. Fields that the summary or 2012-era servers omit are optional.
 */
export interface Repository {
  /** Numeric ID. Stays the same when the repository is renamed or transferred. */
  id: number;
  /** User or organization that owns the repository. */
  owner: User;
  /** Name without the owner. */
  name: string;
  /** Name with the owner, `owner/name`. */
  full_name?: string | null | undefined;
  /** One-line description. Null if there is none. */
  description?: string | null | undefined;
  /** Whether only users with access can see the repository. */
  private: boolean;
  /** Whether the repository is a fork. */
  fork: boolean;
  /** API URL of the repository. */
  url: string;
  /** URL of the web page. */
  html_url: string;
  /** URL to clone over HTTPS. */
  clone_url?: string | null | undefined;
  /** URL to clone over the git protocol. */
  git_url?: string | null | undefined;
  /** SSH address to clone from: `git@host:owner/name.git`. */
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
  /** Number of stars. Equals `stargazers_count`, because stars replaced watching. */
  watchers_count?: number | null | undefined;
  /** Size in kilobytes. */
  size?: number | null | undefined;
  /** Number of open issues, including pull requests. */
  open_issues_count?: number | null | undefined;
  /** Name of the default branch. Absent on servers before 2013. */
  default_branch?: string | null | undefined;
  /** Whether issues are enabled. */
  has_issues?: boolean | null | undefined;
  /** Whether the wiki is enabled. */
  has_wiki?: boolean | null | undefined;
  /** Whether downloads are enabled. */
  has_downloads?: boolean | null | undefined;
  /** Time of the last push. Null before the first push. */
  pushed_at?: string | null | undefined;
  /** Creation time. */
  created_at?: string | null | undefined;
  /** Time of the last change to the repository's attributes. */
  updated_at?: string | null | undefined;
  /** The caller's permissions. Sent only to authenticated callers. */
  permissions?: RepositoryPermissions | null | undefined;
  /**
   * Older name of `forks_count`.
   * @deprecated Use `forks_count`.
   */
  forks?: number | null | undefined;
  /**
   * Older name of `default_branch`.
   * @deprecated Use `default_branch`.
   */
  master_branch?: string | null | undefined;
  /**
   * Older name of `open_issues_count`.
   * @deprecated Use `open_issues_count`.
   */
  open_issues?: number | null | undefined;
  /**
   * Whether the repository is public.
   * @deprecated Use `private`.
   */
  public?: boolean | null | undefined;
  /**
   * Older name of `watchers_count`.
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
