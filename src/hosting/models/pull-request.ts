import * as z from 'zod/mini';
import { fields, model, nullable, nullish, openEnum, ref } from '../../schema/model.js';
import { Repository, User } from './repository.js';

/** Link in a pull request's `_links`. */
export interface PullRequestLink {
  /** URL of the resource. For `review_comment`, a URI template. */
  href: string;
}

/** Links to resources related to a pull request. */
export interface PullRequestLinks {
  /** API URL of the pull request. */
  self: PullRequestLink;
  /** URL of the web page. */
  html: PullRequestLink;
  /** API URL of the corresponding issue. */
  issue?: PullRequestLink | null | undefined;
  /** API URL of the issue's comments. */
  comments?: PullRequestLink | null | undefined;
  /** API URL of the comments on the diff. */
  review_comments?: PullRequestLink | null | undefined;
  /** URI template for a comment on the diff, with `{number}` or `{/number}`. */
  review_comment?: PullRequestLink | null | undefined;
  /** API URL of the commits. */
  commits?: PullRequestLink | null | undefined;
  /** API URL of the head commit's statuses. */
  statuses?: PullRequestLink | null | undefined;
}

/** Head or base branch of a pull request. */
export interface PullRequestBranch {
  /** Label of the branch, `owner:branch`. May be null if the repository was deleted. */
  label: string | null;
  /** Name of the branch. */
  ref: string;
  /** SHA of the branch's commit. May be older than the branch's current commit. */
  sha: string;
  /** Owner of the repository. May be null if the account was deleted. */
  user: User | null;
  /** Repository of the branch. Null if the repository was deleted. */
  repo: Repository | null;
}

/**
 * Pull request. Timestamps have the format `YYYY-MM-DDTHH:MM:SSZ`. Lists return summaries, which
 * omit `merged`, `mergeable`, `merged_by` and the counts.
 */
export interface PullRequest {
  /** API URL of the pull request. */
  url: string;
  /**
   * Numeric ID, unique on the server. To identify a pull request in a call, use `number` instead.
   */
  id?: number | null | undefined;
  /** URL of the web page. */
  html_url: string;
  /** URL of the diff. */
  diff_url: string;
  /** URL of the patch series. */
  patch_url: string;
  /** URL of the corresponding issue. */
  issue_url: string;
  /** URL of the commits. */
  commits_url?: string | null | undefined;
  /** URL of the comments on the diff. */
  review_comments_url?: string | null | undefined;
  /** URI template for a comment on the diff, with `{number}` or `{/number}`. */
  review_comment_url?: string | null | undefined;
  /** URL of the comments. */
  comments_url?: string | null | undefined;
  /** URL of the head commit's statuses. */
  statuses_url?: string | null | undefined;
  /** Number of the pull request in its repository. Pass it to `pulls.get`. */
  number: number;
  /** State of the pull request. */
  state: 'open' | 'closed' | (string & {});
  /** One-line title. */
  title: string;
  /** Description in Markdown. Null or empty if there is none. */
  body: string | null;
  /** Creation time. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
  /** Closing time. Null while the pull request is open. */
  closed_at: string | null;
  /** Time of the merge. Null if the pull request isn't merged. */
  merged_at: string | null;
  /** Branch that contains the changes. */
  head: PullRequestBranch;
  /** Branch to merge into. */
  base: PullRequestBranch;
  /** Related resources. */
  _links: PullRequestLinks;
  /** Author of the pull request. May be null if the account was deleted. */
  user: User | null;
  /**
   * SHA-1 of the merge commit. Before the merge, SHA-1 of a commit that the server created to test
   * for conflicts.
   * @deprecated The service will remove this field in its next major version, without a
   * replacement.
   */
  merge_commit_sha?: string | null | undefined;
  /** Whether the pull request is merged. Omitted in lists. */
  merged?: boolean | null | undefined;
  /**
   * Whether the pull request can be merged without conflicts. Null until the server has checked for
   * conflicts. Omitted in lists.
   */
  mergeable?: boolean | null | undefined;
  /** User who merged the pull request. Omitted in lists. */
  merged_by?: User | null | undefined;
  /** Number of comments. Omitted in lists. */
  comments?: number | null | undefined;
  /** Number of commits. Omitted in lists. */
  commits?: number | null | undefined;
  /** Number of lines added. Omitted in lists. */
  additions?: number | null | undefined;
  /** Number of lines deleted. Omitted in lists. */
  deletions?: number | null | undefined;
  /** Number of files changed. Omitted in lists. */
  changed_files?: number | null | undefined;
}

/** Result of merging a pull request. */
export interface MergeResult {
  /** SHA of the merge commit. Some servers send null if nothing was merged. */
  sha: string | null;
  /** Whether the pull request was merged. */
  merged: boolean;
  /** Human-readable message. */
  message: string;
}

export const PullRequestLink = model<PullRequestLink>()('PullRequestLink', () => ({
  href: z.string(),
}));

const link = () => ref(PullRequestLink);

export const PullRequestLinks = model<PullRequestLinks>()('PullRequestLinks', () => ({
  ...fields(link, 'self html'),
  ...fields(nullish(link), 'issue comments review_comments review_comment commits statuses'),
}));

export const PullRequestBranch = model<PullRequestBranch>()('PullRequestBranch', () => ({
  label: z.nullable(z.string()),
  ...fields(z.string, 'ref sha'),
  user: z.nullable(ref(User)),
  repo: z.nullable(ref(Repository)),
}));

export const PullRequest = model<PullRequest>()('PullRequest', () => ({
  ...fields(z.string, 'url html_url diff_url patch_url issue_url title created_at updated_at'),
  ...fields(nullish(z.int), 'id comments commits additions deletions changed_files'),
  ...fields(nullish(z.string), 'commits_url review_comments_url review_comment_url comments_url'),
  ...fields(nullish(z.string), 'statuses_url merge_commit_sha'),
  number: z.int(),
  state: openEnum('open', 'closed'),
  ...fields(nullable(z.string), 'body closed_at merged_at'),
  ...fields(() => ref(PullRequestBranch), 'head base'),
  _links: ref(PullRequestLinks),
  user: z.nullable(ref(User)),
  ...fields(nullish(z.boolean), 'merged mergeable'),
  merged_by: z.nullish(ref(User)),
}));

export const MergeResult = model<MergeResult>()('MergeResult', () => ({
  sha: z.nullable(z.string()),
  merged: z.boolean(),
  message: z.string(),
}));

/** File that a pull request changes. */
export interface PullFile {
  /** SHA of the blob. Null if there is none. */
  sha: string | null;
  /** Path relative to the repository's root. */
  filename: string;
  /** Kind of change. */
  status: 'added' | 'removed' | 'modified' | 'renamed' | (string & {});
  /** Number of lines added. */
  additions: number;
  /** Number of lines deleted. */
  deletions: number;
  /** Number of lines added and deleted. */
  changes: number;
  /** URL of the file's web page. Null if there is none. */
  blob_url?: string | null | undefined;
  /** URL of the raw file. Null if there is none. */
  raw_url?: string | null | undefined;
  /** API URL of the file's contents. */
  contents_url?: string | null | undefined;
  /** Diff of the file. Absent for binary and very large files. */
  patch?: string | null | undefined;
  /** Path of the file before it was renamed. */
  previous_filename?: string | null | undefined;
}

export const PullFile = model<PullFile>()('PullFile', () => ({
  sha: z.nullable(z.string()),
  filename: z.string(),
  status: openEnum('added', 'removed', 'modified', 'renamed'),
  ...fields(z.int, 'additions deletions changes'),
  ...fields(nullish(z.string), 'blob_url raw_url contents_url patch previous_filename'),
}));
