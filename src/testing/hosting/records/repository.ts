import * as check from '../../checks.js';
import {
  child,
  children,
  converted,
  field,
  internal,
  type Loose,
  optional,
  type RecordOf,
  record,
  required,
} from '../../record.js';
import { type CommentData, type CommentRecord, commentKind } from './comment.js';
import { type DownloadData, type DownloadRecord, downloadKind } from './download.js';
import { type HookData, type HookRecord, hookKind } from './hook.js';
import { type PagesData, type PagesRecord, pagesKind } from './pages.js';
import { type Pull, type PullData, pullKind } from './pull.js';
import { type ReleaseData, type ReleaseRecord, releaseKind } from './release.js';
import { dated } from './shared-fields.js';
import type { CommitRecord, FileContent, Tree } from './tree.js';

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
