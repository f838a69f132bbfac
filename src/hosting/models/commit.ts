import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullable, nullish, ref, unionModel } from '../../schema/model.js';
import { ContentItem } from './content.js';
import { User } from './user.js';

/** Author or committer, as stored by git. */
export interface GitActor {
  /** Full name. Null if blank. */
  name: string | null;
  /** Email address. Null if blank. */
  email: string | null;
  /** Time of the action, `YYYY-MM-DDTHH:MM:SSZ`. */
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
  /** The file after the change, without its content. Null after a deletion. */
  content: ContentItem | null;
  /** Commit that contains the change. */
  commit: GitCommit;
}

/** Git data of a listed commit. */
export interface CommitDetails {
  /** API URL of the git commit. */
  url: string;
  /** Author of the change. Null if git has no usable signature. */
  author: GitActor | null;
  /** Committer of the change. Null if git has no usable signature. */
  committer: GitActor | null;
  /** Full commit message. Null if blank. */
  message: string | null;
  /** Tree of the commit. */
  tree: TreeReference;
  /** Number of comments on the commit. */
  comment_count?: number | null | undefined;
}

/** Empty object that some servers send instead of a user they can't identify. */
export interface UnknownUser {
  /** Never set. Declared so that `author?.login` compiles without a check. */
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
  /** Account with the author's email address. Null or an empty object if there is none. */
  author: User | UnknownUser | null;
  /** Account with the committer's email address. Null or an empty object if there is none. */
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
