import * as z from 'zod';
import { type Model, model, openEnum, ref } from '../../schema/model.js';
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

export const PullRequestLink: Model<PullRequestLink> = model<PullRequestLink>()(
  'PullRequestLink',
  () => ({ href: z.string() }),
);

export const PullRequestLinks: Model<PullRequestLinks> = model<PullRequestLinks>()(
  'PullRequestLinks',
  () => ({
    self: ref(PullRequestLink),
    html: ref(PullRequestLink),
    issue: z.nullish(ref(PullRequestLink)),
    comments: z.nullish(ref(PullRequestLink)),
    review_comments: z.nullish(ref(PullRequestLink)),
    review_comment: z.nullish(ref(PullRequestLink)),
    commits: z.nullish(ref(PullRequestLink)),
    statuses: z.nullish(ref(PullRequestLink)),
  }),
);

export const PullRequestBranch: Model<PullRequestBranch> = model<PullRequestBranch>()(
  'PullRequestBranch',
  () => ({
    label: z.nullable(z.string()),
    ref: z.string(),
    sha: z.string(),
    user: z.nullable(ref(User)),
    repo: z.nullable(ref(Repository)),
  }),
);

export const PullRequest: Model<PullRequest> = model<PullRequest>()('PullRequest', () => ({
  url: z.string(),
  id: z.nullish(z.int()),
  html_url: z.string(),
  diff_url: z.string(),
  patch_url: z.string(),
  issue_url: z.string(),
  commits_url: z.nullish(z.string()),
  review_comments_url: z.nullish(z.string()),
  review_comment_url: z.nullish(z.string()),
  comments_url: z.nullish(z.string()),
  statuses_url: z.nullish(z.string()),
  number: z.int(),
  state: openEnum('open', 'closed'),
  title: z.string(),
  body: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.nullable(z.string()),
  merged_at: z.nullable(z.string()),
  head: ref(PullRequestBranch),
  base: ref(PullRequestBranch),
  _links: ref(PullRequestLinks),
  user: z.nullable(ref(User)),
  merge_commit_sha: z.nullish(z.string()),
  merged: z.nullish(z.boolean()),
  mergeable: z.nullish(z.boolean()),
  merged_by: z.nullish(ref(User)),
  comments: z.nullish(z.int()),
  commits: z.nullish(z.int()),
  additions: z.nullish(z.int()),
  deletions: z.nullish(z.int()),
  changed_files: z.nullish(z.int()),
}));

export const MergeResult: Model<MergeResult> = model<MergeResult>()('MergeResult', () => ({
  sha: z.nullable(z.string()),
  merged: z.boolean(),
  message: z.string(),
}));
