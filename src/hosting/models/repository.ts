import * as z from 'zod';
import { type Model, model, ref } from '../../model.js';
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
 * A repository (contract section "Repository"). Timestamps are `YYYY-MM-DDTHH:MM:SSZ`.
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
  full_name?: string | undefined;
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
  clone_url?: string | undefined;
  /** URL to clone over the git protocol. */
  git_url?: string | undefined;
  /** Address to clone over SSH: `git@host:owner/name.git`. */
  ssh_url?: string | undefined;
  /** URL for Subversion clients. */
  svn_url?: string | undefined;
  /** Where the repository is mirrored from; null when it is no mirror. */
  mirror_url?: string | null | undefined;
  /** The project's own web page. */
  homepage?: string | null | undefined;
  /** The main programming language; null when none was recognized. */
  language?: string | null | undefined;
  /** Number of forks. */
  forks_count?: number | undefined;
  /** Number of stars. */
  stargazers_count?: number | undefined;
  /** Number of stars too, as the service counts since stars replaced watching. */
  watchers_count?: number | undefined;
  /** Size in kilobytes. */
  size?: number | undefined;
  /** Number of open issues, pull requests included. */
  open_issues_count?: number | undefined;
  /** Name of the branch that is shown first. Absent on servers before 2013. */
  default_branch?: string | undefined;
  /** Whether issues are on. */
  has_issues?: boolean | undefined;
  /** Whether the wiki is on. */
  has_wiki?: boolean | undefined;
  /** Whether downloads are on. */
  has_downloads?: boolean | undefined;
  /** Last push; null before the first one. */
  pushed_at?: string | null | undefined;
  /** When the repository was made. */
  created_at?: string | null | undefined;
  /** Last change of its attributes. */
  updated_at?: string | null | undefined;
  /** What the caller may do; sent to authenticated callers only. */
  permissions?: RepositoryPermissions | undefined;
  /** @deprecated Use `forks_count`. */
  forks?: number | undefined;
  /** @deprecated Use `default_branch`. */
  master_branch?: string | null | undefined;
  /** @deprecated Use `open_issues_count`. */
  open_issues?: number | undefined;
  /** @deprecated Use `private`. */
  public?: boolean | undefined;
  /** @deprecated Use `watchers_count`. */
  watchers?: number | undefined;
}

export const RepositoryPermissions: Model<RepositoryPermissions> = model<RepositoryPermissions>()(
  'RepositoryPermissions',
  () => ({ admin: z.boolean(), push: z.boolean(), pull: z.boolean() }),
);

export const Repository: Model<Repository> = model<Repository>()('Repository', () => ({
  id: z.int(),
  owner: ref(User),
  name: z.string(),
  full_name: z.optional(z.string()),
  description: z.optional(z.nullable(z.string())),
  private: z.boolean(),
  fork: z.boolean(),
  url: z.string(),
  html_url: z.string(),
  clone_url: z.optional(z.string()),
  git_url: z.optional(z.string()),
  ssh_url: z.optional(z.string()),
  svn_url: z.optional(z.string()),
  mirror_url: z.optional(z.nullable(z.string())),
  homepage: z.optional(z.nullable(z.string())),
  language: z.optional(z.nullable(z.string())),
  forks_count: z.optional(z.int()),
  stargazers_count: z.optional(z.int()),
  watchers_count: z.optional(z.int()),
  size: z.optional(z.int()),
  open_issues_count: z.optional(z.int()),
  default_branch: z.optional(z.string()),
  has_issues: z.optional(z.boolean()),
  has_wiki: z.optional(z.boolean()),
  has_downloads: z.optional(z.boolean()),
  pushed_at: z.optional(z.nullable(z.string())),
  created_at: z.optional(z.nullable(z.string())),
  updated_at: z.optional(z.nullable(z.string())),
  permissions: z.optional(ref(RepositoryPermissions)),
  forks: z.optional(z.int()),
  master_branch: z.optional(z.nullable(z.string())),
  open_issues: z.optional(z.int()),
  public: z.optional(z.boolean()),
  watchers: z.optional(z.int()),
}));
