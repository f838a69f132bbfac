import * as z from 'zod/mini';
import * as check from '../../checks.js';
import {
  child,
  children,
  converted,
  type DataOf,
  field,
  internal,
  type Loose,
  optional,
  type RecordOf,
  record,
  required,
} from '../../record.js';
import { type HookData, type HookRecord, hookKind } from './hook.js';
import { type Pull, type PullData, pullKind } from './pull.js';
import { type ReleaseData, type ReleaseRecord, releaseKind } from './release.js';
import { dated, headCommit, ownerLogin } from './shared-fields.js';
import type { CommitRecord, FileContent, Tree } from './tree.js';

/** @internal */
export const commentKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** SHA of the commit that the comment is on. */
  sha: headCommit,
  /** Text of the comment in Markdown. */
  body: required(check.text()),
  /** Path of the file that the comment is on. Null for a comment on the whole commit. */
  path: field(check.nullText(), null),
  /** Index of the line in the diff. */
  position: field(check.nullCount(), null),
  /** Number of the line in the file. */
  line: field(check.nullCount(), null),
  /** Login of the author. */
  login: ownerLogin,
  ...dated,
});

/** A comment on a commit. */
export interface CommentRecord extends RecordOf<typeof commentKind> {}

/** A comment in a world file. */
export interface CommentData extends DataOf<typeof commentKind> {}

/** Properties of a new comment. `sha` defaults to the head of the default branch. */
export type CommentInput = Loose<Omit<CommentRecord, 'id' | 'body' | 'updatedAt'>>;

/** @internal */
export const downloadKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** File name. */
  name: required(check.name()),
  /** Description. */
  description: field(check.nullText(), null),
  /** Size in bytes. */
  size: field(check.count(), 1024),
  /** Number of downloads. */
  downloads: field(check.count(), 0),
  /** Media type. */
  contentType: field(check.nullText(), null),
  /** Creation time in ISO 8601. */
  createdAt: field(check.time(), ({ now }) => now),
});

/** A download (deprecated by the service). */
export interface DownloadRecord extends RecordOf<typeof downloadKind> {}

/** A download in a world file. */
export interface DownloadData extends DataOf<typeof downloadKind> {}

/** Properties of a new download. */
export type DownloadInput = Loose<Omit<DownloadRecord, 'id' | 'name'>>;

/** @internal */
export const pagesBuildKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** Status of the build. */
  status: field(z.nullable(z.enum(['building', 'built', 'errored'])), 'built'),
  /** Reason for the failure. */
  error: field(check.nullText(), null),
  /** Login of the user who pushed the commit. */
  login: ownerLogin,
  /** SHA of the commit. */
  commit: headCommit,
  /** Duration in ms. */
  duration: field(check.count(), 2000),
  /** Start time in ISO 8601. */
  createdAt: field(check.time(), ({ now }) => now),
  /** End time in ISO 8601. */
  updatedAt: field(check.time(), ({ now }) => now),
});

/** A Pages build. */
export interface PagesBuildRecord extends RecordOf<typeof pagesBuildKind> {}

/** A Pages build in a world file. */
export interface PagesBuildData extends DataOf<typeof pagesBuildKind> {}

/** Properties of a new Pages build. */
export type PagesBuildInput = Loose<
  Pick<PagesBuildRecord, 'status' | 'error' | 'login' | 'duration' | 'createdAt'>
>;

/** @internal */
export const pagesKind = record({
  /** Custom domain of the site. */
  cname: field(check.nullText(), null),
  /** Whether the site has a custom 404 page. */
  custom404: field(check.flag(), false),
  /** Builds, oldest first. */
  builds: children<PagesBuildRecord, PagesBuildData>(pagesBuildKind),
});

/** A repository's Pages site. */
export interface PagesRecord extends RecordOf<typeof pagesKind> {}

/** A Pages site in a world file. */
export interface PagesData extends DataOf<typeof pagesKind> {}

/** A user's access to a repository. */
export type AccessLevel = 'pull' | 'push' | 'admin';

/** Target of a reference. */
export interface RefData {
  /** SHA-1 of the target. */
  sha: string;
  /** Type of the target. */
  type: 'commit' | 'tag';
}

/** A user's star on a repository. */
export interface StarRecord {
  /** Time when the user starred the repository, in ISO 8601. */
  readonly starredAt: string;
  /** Sequence number across the stars of all repositories, to sort stars from the same second. */
  readonly sequence: number;
}

/** @internal */
export const repositoryKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** Login of the owner. */
  owner: required(check.slug()),
  /** Name, without the owner. */
  name: required(check.slug()),
  /** Description. */
  description: field(check.nullText(), (_, { owner, name }) => `The ${name} of ${owner}`),
  /** Whether the repository is private. */
  isPrivate: field(check.flag(), false),
  /** Repository that this repository was forked from, as `owner/name`. */
  forkOf: optional(check.fullName()),
  /** Main programming language. */
  language: field(check.nullText(), 'TypeScript'),
  /** Name of the default branch. */
  defaultBranch: field(check.name(), 'main'),
  ...dated,
  /** Access levels of collaborators, by login. */
  collaborators: converted(
    check.dictionary(check.permission()),
    () => new Map<string, AccessLevel>(),
    {
      decode: (data) => new Map(Object.entries(data)),
      encode: (levels) => Object.fromEntries(levels),
    },
  ),
  /** Pull requests. */
  pulls: children<Pull, PullData>(pullKind),
  /** Releases. */
  releases: children<ReleaseRecord, ReleaseData>(releaseKind),
  /** Files of each branch. */
  branches: internal(() => new Map<string, Tree>()),
  /** Commits by SHA. */
  commits: internal(() => new Map<string, CommitRecord>()),
  /** References by name, such as `heads/main`. */
  refs: internal(() => new Map<string, RefData>()),
  /** Stars by login, in the order they were added (see `addStar`). */
  stargazers: internal(() => new Map<string, StarRecord>()),
  /** Comments on commits. */
  comments: children<CommentRecord, CommentData>(commentKind),
  /** Hooks. */
  hooks: children<HookRecord, HookData>(hookKind),
  /** Downloads. */
  downloads: children<DownloadRecord, DownloadData>(downloadKind),
  /** Pages site. Undefined if there is none. */
  pages: child<PagesRecord, PagesData>(pagesKind),
});

/** A repository. */
export interface Repo extends RecordOf<typeof repositoryKind> {}

/** Properties of a new repository. */
export type NewRepo = Loose<
  Pick<Repo, 'description' | 'isPrivate' | 'forkOf' | 'language' | 'defaultBranch' | 'createdAt'>
> & {
  /** Contents of the first commit, by path. */
  readonly files?: Readonly<Record<string, FileContent>> | undefined;
};
