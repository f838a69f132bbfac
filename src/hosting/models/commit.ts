import * as z from 'zod/mini';
import { fields, model, nullable, nullish, openEnum, ref, unionModel } from '../../schema/model.js';
import { ContentItem } from './content.js';
import { User } from './repository.js';

/** Author or committer, as stored by git. */
export interface GitActor {
  /** Full name. Null if blank. */
  name: string | null;
  /** Email address. Null if blank. */
  email: string | null;
  /** Time when the change was authored or committed, `YYYY-MM-DDTHH:MM:SSZ`. */
  date: string;
}

/** Reference to a git tree. */
export interface TreeReference {
  /** API URL of the tree. */
  url: string;
  /** SHA of the tree. */
  sha: string;
}

/** Reference to a parent commit. */
export interface CommitParent {
  /** API URL of the commit. */
  url: string;
  /** URL of the commit's web page. */
  html_url?: string | null | undefined;
  /** SHA of the commit. */
  sha: string;
}

/** Commit that changes a file. */
export interface GitCommit {
  /** SHA of the commit. */
  sha: string;
  /** API URL of the commit. */
  url: string;
  /** URL of the commit's web page. */
  html_url?: string | null | undefined;
  /** Author of the change. */
  author: GitActor;
  /** Committer of the change. */
  committer: GitActor;
  /** Full commit message. Null if blank. */
  message: string | null;
  /** Tree of the commit. */
  tree: TreeReference;
  /** Parent commits. Empty for the first commit of a repository. */
  parents: CommitParent[];
}

/** Result of creating, updating or deleting a file. */
export interface FileCommit {
  /** File after the change, without its content. Null after a deletion. */
  content: ContentItem | null;
  /** Commit that contains the change. */
  commit: GitCommit;
}

/** Git data of a listed commit. */
export interface CommitDetails {
  /** API URL of the git commit. */
  url: string;
  /** Author of the change. Null if the commit has no valid author. */
  author: GitActor | null;
  /** Committer of the change. Null if the commit has no valid committer. */
  committer: GitActor | null;
  /** Full commit message. Null if blank. */
  message: string | null;
  /** Tree of the commit. */
  tree: TreeReference;
  /** Number of comments on the commit. */
  comment_count?: number | null | undefined;
}

/** Empty object that some servers send for a user they can't identify. */
export interface UnknownUser {
  /** Never set. Declared so that you can read `author?.login` without narrowing the type. */
  login?: null | undefined;
}

/** Commit in a pull request. */
export interface PullCommit {
  /** SHA of the commit. */
  sha: string;
  /** API URL of the commit. */
  url: string;
  /** URL of the commit's web page. */
  html_url?: string | null | undefined;
  /** API URL of the comments on the commit. */
  comments_url?: string | null | undefined;
  /** Git data of the commit. */
  commit: CommitDetails;
  /** Account with the author's email address. Null or an empty object if no account matches. */
  author: User | UnknownUser | null;
  /** Account with the committer's email address. Null or an empty object if no account matches. */
  committer: User | UnknownUser | null;
  /** Parent commits. */
  parents: CommitParent[];
}

export const GitActor = model<GitActor>()('GitActor', () => ({
  ...fields(nullable(z.string), 'name email'),
  date: z.string(),
}));

export const TreeReference = model<TreeReference>()('TreeReference', () => ({
  ...fields(z.string, 'url sha'),
}));

export const CommitParent = model<CommitParent>()('CommitParent', () => ({
  ...fields(z.string, 'url sha'),
  html_url: z.nullish(z.string()),
}));

export const GitCommit = model<GitCommit>()('GitCommit', () => ({
  ...fields(z.string, 'sha url'),
  message: z.nullable(z.string()),
  html_url: z.nullish(z.string()),
  ...fields(() => ref(GitActor), 'author committer'),
  tree: ref(TreeReference),
  parents: z.array(ref(CommitParent)),
}));

export const FileCommit = model<FileCommit>()('FileCommit', () => ({
  content: z.nullable(ref(ContentItem)),
  commit: ref(GitCommit),
}));

export const CommitDetails = model<CommitDetails>()('CommitDetails', () => ({
  url: z.string(),
  message: z.nullable(z.string()),
  ...fields(() => z.nullable(ref(GitActor)), 'author committer'),
  tree: ref(TreeReference),
  comment_count: z.nullish(z.int()),
}));

export const UnknownUser = model<UnknownUser>()('UnknownUser', () => ({
  login: z.optional(z.null()),
}));

const account = unionModel<User | UnknownUser>('User or UnknownUser', [User, UnknownUser]);

export const PullCommit = model<PullCommit>()('PullCommit', () => ({
  ...fields(z.string, 'sha url'),
  ...fields(nullish(z.string), 'html_url comments_url'),
  commit: ref(CommitDetails),
  ...fields(() => z.nullable(ref(account)), 'author committer'),
  parents: z.array(ref(CommitParent)),
}));

/** Fields that a comment has in every media type. */
interface CommitCommentBase {
  /** URL of the comment's web page. */
  html_url: string;
  /** API URL of the comment. */
  url: string;
  /** Numeric ID. */
  id: number;
  /**
   * Path of the file, relative to the repository's root. Null or empty for a comment on the whole
   * commit.
   */
  path: string | null;
  /** Index of the line in the diff. Null for a comment on the file or the whole commit. */
  position: number | null;
  /**
   * Number of the line in the file.
   * @deprecated Use `position`.
   */
  line?: number | null | undefined;
  /** SHA of the commit. */
  commit_id: string;
  /** Author of the comment. May be null if the account was deleted. */
  user: User | null;
  /** Creation time, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
}

/** Commit comment in the default media type or its `raw` variant. */
export interface CommitComment extends CommitCommentBase {
  /** Original Markdown. Null if blank. */
  body: string | null;
}

/** Commit comment in the `text` media type variant. It has no `body`. */
export interface CommitCommentText extends CommitCommentBase {
  /** Text without markup. Null if blank. */
  body_text: string | null;
}

/** Commit comment in the `html` media type variant. It has no `body`. */
export interface CommitCommentHtml extends CommitCommentBase {
  /** Text rendered to HTML. Null if blank. */
  body_html: string | null;
}

/**
 * Commit comment in the `full` media type variant, with the text as Markdown, plain text and HTML.
 */
export interface CommitCommentFull extends CommitCommentBase {
  /** Original Markdown. Null if blank. */
  body: string | null;
  /** Text without markup. Null if blank. */
  body_text: string | null;
  /** Text rendered to HTML. Null if blank. */
  body_html: string | null;
}

const commentFields = () => ({
  ...fields(z.string, 'html_url url commit_id created_at updated_at'),
  id: z.int(),
  path: z.nullable(z.string()),
  position: z.nullable(z.int()),
  line: z.nullish(z.int()),
  user: z.nullable(ref(User)),
});

export const CommitComment = model<CommitComment>()('CommitComment', () => ({
  ...commentFields(),
  body: z.nullable(z.string()),
}));

export const CommitCommentText = model<CommitCommentText>()('CommitCommentText', () => ({
  ...commentFields(),
  body_text: z.nullable(z.string()),
}));

export const CommitCommentHtml = model<CommitCommentHtml>()('CommitCommentHtml', () => ({
  ...commentFields(),
  body_html: z.nullable(z.string()),
}));

export const CommitCommentFull = model<CommitCommentFull>()('CommitCommentFull', () => ({
  ...commentFields(),
  ...fields(nullable(z.string), 'body body_text body_html'),
}));

/** Object that a reference points to. */
export interface GitObject {
  /** Object type. An annotated tag is a separate object, which usually points to a commit. */
  type: 'commit' | 'tag' | (string & {});
  /** SHA of the object. */
  sha: string;
  /** API URL of the object. */
  url: string;
}

/** Git reference, such as a branch, a tag or a note. */
export interface GitReference {
  /** Fully qualified name, for example `refs/heads/main`. */
  ref: string;
  /** API URL of the reference. */
  url: string;
  /** Object that the reference points to. */
  object: GitObject;
}

export const GitObject = model<GitObject>()('GitObject', () => ({
  type: openEnum('commit', 'tag'),
  ...fields(z.string, 'sha url'),
}));

export const GitReference = model<GitReference>()('GitReference', () => ({
  ...fields(z.string, 'ref url'),
  object: ref(GitObject),
}));
