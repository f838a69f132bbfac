import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullable, nullish, ref, unionModel } from '../../schema/model.js';
import { ContentItem } from './content.js';
import { User } from './user.js';

/** Who wrote or committed, as git stores it. */
export interface GitActor {
  /** Name; null if it is blank. */
  name: string | null;
  /** Mail address; null if it is blank. */
  email: string | null;
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  date: string;
}

/** A git tree by its SHA. */
export interface TreeReference {
  /** API URL of the tree. */
  url: string;
  /** SHA of the tree. */
  sha: string;
}

/** A parent commit by its SHA. */
export interface CommitParent {
  /** API URL of the commit. */
  url: string;
  /** Web page of the commit. */
  html_url?: string | null | undefined;
  /** SHA of the commit. */
  sha: string;
}

/** The commit that a write of a file made. */
export interface GitCommit {
  /** SHA of the commit. */
  sha: string;
  /** API URL of the commit. */
  url: string;
  /** Web page of the commit. */
  html_url?: string | null | undefined;
  /** Who wrote the change. */
  author: GitActor;
  /** Who committed it. */
  committer: GitActor;
  /** The whole message; null if it is blank. */
  message: string | null;
  /** The tree after the commit. */
  tree: TreeReference;
  /** The commits it follows; empty for the first one of a repository. */
  parents: CommitParent[];
}

/** What creating, updating and deleting a file answer. */
export interface FileCommit {
  /** The file as it is now, without its content; null after a delete. */
  content: ContentItem | null;
  /** The commit made. */
  commit: GitCommit;
}

/**
 * The git side of a listed commit.
 * @remarks Known from the public v3 documentation.
 */
export interface CommitDetails {
  /** API URL of the git commit. */
  url: string;
  /** Who wrote the change; null when git has no usable signature. */
  author: GitActor | null;
  /** Who committed it; null when git has no usable signature. */
  committer: GitActor | null;
  /** The whole message; null if it is blank. */
  message: string | null;
  /** The tree after the commit. */
  tree: TreeReference;
  /** Number of comments on the commit. */
  comment_count?: number | null | undefined;
}

/** What some servers send in place of a user whom they cannot name: an empty object. */
export interface UnknownUser {
  /** Never there; declared so that `author?.login` can be asked without a check. */
  login?: null | undefined;
}

/**
 * A commit of a pull request.
 * @remarks Known from the public v3 documentation.
 */
export interface PullCommit {
  /** SHA of the commit. */
  sha: string;
  /** API URL of the commit. */
  url: string;
  /** Web page of the commit. */
  html_url?: string | null | undefined;
  /** API URL of the comments on the commit. */
  comments_url?: string | null | undefined;
  /** What git stores of the commit. */
  commit: CommitDetails;
  /** The account behind the author's mail address; null or empty when there is none. */
  author: User | UnknownUser | null;
  /** The account behind the committer's mail address; null or empty when there is none. */
  committer: User | UnknownUser | null;
  /** The commits it follows. */
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
