import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, ref } from '../../schema/model.js';
import { User } from './user.js';

/** What the caller may do in a repository. */
export interface RepositoryPermissions {
  /** Change settings, hooks and access. */
  admin: boolean;
  /** Push commits. */
  push: boolean;
  /** Read and clone. */
  pull: boolean;
}

/**
 * A repository. Timestamps are `YYYY-MM-DDTHH:MM:SSZ`.
 * In places where a repository is only mentioned, servers send a shorter form: what may be missing
 * there, or on servers of 2012, is optional.
 */
export interface Repository {
  /** Numeric id, stable when the repository is renamed or transferred. */
  id: number;
  /** The user or organization that owns the repository. */
  owner: User;
  /** Name without the owner. */
  name: string;
  /** `owner/name`. */
  full_name?: string | null | undefined;
  /** One line of text, or null. */
  description?: string | null | undefined;
  /** Whether only people with access can see it. */
  private: boolean;
  /** Whether it was forked from another repository. */
  fork: boolean;
  /** API URL of the repository. */
  url: string;
  /** Web page of the repository. */
  html_url: string;
  /** URL to clone over HTTPS. */
  clone_url?: string | null | undefined;
  /** URL to clone over the git protocol. */
  git_url?: string | null | undefined;
  /** Address to clone over SSH: `git@host:owner/name.git`. */
  ssh_url?: string | null | undefined;
  /** URL for Subversion clients. */
  svn_url?: string | null | undefined;
  /** Where the repository is mirrored from; null when it is no mirror. */
  mirror_url?: string | null | undefined;
  /** The project's own web page. */
  homepage?: string | null | undefined;
  /** The main programming language; null when none was recognized. */
  language?: string | null | undefined;
  /** Number of forks. */
  forks_count?: number | null | undefined;
  /** Number of stars. */
  stargazers_count?: number | null | undefined;
  /** Number of stars too, as the service counts since stars replaced watching. */
  watchers_count?: number | null | undefined;
  /** Size in kilobytes. */
  size?: number | null | undefined;
  /** Number of open issues, pull requests included. */
  open_issues_count?: number | null | undefined;
  /** Name of the branch that is shown first. Absent on servers before 2013. */
  default_branch?: string | null | undefined;
  /** Whether issues are on. */
  has_issues?: boolean | null | undefined;
  /** Whether the wiki is on. */
  has_wiki?: boolean | null | undefined;
  /** Whether downloads are on. */
  has_downloads?: boolean | null | undefined;
  /** Last push; null before the first one. */
  pushed_at?: string | null | undefined;
  /** When the repository was made. */
  created_at?: string | null | undefined;
  /** Last change of its attributes. */
  updated_at?: string | null | undefined;
  /** What the caller may do; sent to authenticated callers only. */
  permissions?: RepositoryPermissions | null | undefined;
  /**
   * Same as `forks_count`, by its older name.
   * @deprecated Use `forks_count`.
   */
  forks?: number | null | undefined;
  /**
   * Same as `default_branch`, by its older name.
   * @deprecated Use `default_branch`.
   */
  master_branch?: string | null | undefined;
  /**
   * Same as `open_issues_count`, by its older name.
   * @deprecated Use `open_issues_count`.
   */
  open_issues?: number | null | undefined;
  /**
   * Whether everyone can see it.
   * @deprecated Use `private`.
   */
  public?: boolean | null | undefined;
  /**
   * Same as `watchers_count`, by its older name.
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
