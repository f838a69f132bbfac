import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullable, nullish, openEnum, ref } from '../../schema/model.js';
import { Repository } from './repository.js';
import { User } from './user.js';

/** A relation of a pull request: where it leads. */
export interface PullRequestLink {
  /** URL, or a URI template where the relation says so. */
  href: string;
}

/** Where a pull request leads. */
export interface PullRequestLinks {
  /** The pull request in the API. */
  self: PullRequestLink;
  /** Its web page. */
  html: PullRequestLink;
  /** The issue behind it. */
  issue?: PullRequestLink | null | undefined;
  /** The comments of that issue. */
  comments?: PullRequestLink | null | undefined;
  /** The comments on the diff. */
  review_comments?: PullRequestLink | null | undefined;
  /** URI template of one comment on the diff: `…{/number}`. */
  review_comment?: PullRequestLink | null | undefined;
  /** The commits. */
  commits?: PullRequestLink | null | undefined;
  /** The statuses of the head branch. */
  statuses?: PullRequestLink | null | undefined;
}

/** One end of a pull request: the branch that it comes from, or the branch that it goes to. */
export interface PullRequestBranch {
  /** `owner:branch`; null when the repository is gone. */
  label: string | null;
  /** Name of the branch. */
  ref: string;
  /** The commit that the branch points to. */
  sha: string;
  /** Owner of the repository; null when the account is gone. */
  user: User | null;
  /** The repository; null when it was deleted. */
  repo: Repository | null;
}

/**
 * A pull request. Timestamps are `YYYY-MM-DDTHH:MM:SSZ`.
 * Lists give the summary: the fields from `merged` on come with single reads only.
 */
export interface PullRequest {
  /** API URL of the pull request. */
  url: string;
  /** Numeric id, unique on the server; the API addresses pull requests by `number`. */
  id?: number | null | undefined;
  /** Web page. */
  html_url: string;
  /** URL of the diff as text. */
  diff_url: string;
  /** URL of the patch series as text. */
  patch_url: string;
  /** URL of the issue behind the pull request. */
  issue_url: string;
  /** URL of its commits. */
  commits_url?: string | null | undefined;
  /** URL of the comments on the diff. */
  review_comments_url?: string | null | undefined;
  /** URI template of one comment on the diff, with `{number}`. */
  review_comment_url?: string | null | undefined;
  /** URL of the comments. */
  comments_url?: string | null | undefined;
  /** URL of the statuses of the head branch. */
  statuses_url?: string | null | undefined;
  /** Number within the repository, as `pulls.get` takes it. */
  number: number;
  /** Whether it is still open. */
  state: 'open' | 'closed' | (string & {});
  /** One line. */
  title: string;
  /** Text in Markdown; null when empty. */
  body: string | null;
  /** When it was opened. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** When it was closed; null while it is open. */
  closed_at: string | null;
  /** When it was merged; null while it is not. */
  merged_at: string | null;
  /** The branch with the changes. */
  head: PullRequestBranch;
  /** The branch to merge into. */
  base: PullRequestBranch;
  /** Related resources. */
  _links: PullRequestLinks;
  /** Who opened it; null when the account is gone. */
  user: User | null;
  /**
   * SHA-1 of the merge commit, or of the one that tries the merge.
   * @deprecated To be removed in the next major version of the service, without a successor.
   */
  merge_commit_sha?: string | null | undefined;
  /** Whether it was merged. Single reads only. @remarks Known from the public v3 documentation. */
  merged?: boolean | null | undefined;
  /** Whether it merges cleanly; null while the server computes it. Single reads only. @remarks Known from the public v3 documentation. */
  mergeable?: boolean | null | undefined;
  /** Who merged it. Single reads only. @remarks Known from the public v3 documentation. */
  merged_by?: User | null | undefined;
  /** Number of comments. Single reads only. @remarks Known from the public v3 documentation. */
  comments?: number | null | undefined;
  /** Number of commits. Single reads only. @remarks Known from the public v3 documentation. */
  commits?: number | null | undefined;
  /** Number of lines added. Single reads only. @remarks Known from the public v3 documentation. */
  additions?: number | null | undefined;
  /** Number of lines deleted. Single reads only. @remarks Known from the public v3 documentation. */
  deletions?: number | null | undefined;
  /** Number of files changed. Single reads only. @remarks Known from the public v3 documentation. */
  changed_files?: number | null | undefined;
}

/**
 * What merging a pull request answers.
 * @remarks Known from the public v3 documentation.
 */
export interface MergeResult {
  /** The merge commit; null on servers that say so when nothing was merged. */
  sha: string | null;
  /** Whether it was merged. */
  merged: boolean;
  /** A sentence for people. */
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
