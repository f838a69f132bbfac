import { sha1 } from '../random.js';

/** What a path of a branch leads to. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly sha: string }
  | { readonly kind: 'symlink'; readonly target: string; readonly sha: string }
  | {
      readonly kind: 'submodule';
      readonly url: string;
      readonly hosted: boolean;
      readonly sha: string;
    };

/** Entries by path. */
export type Tree = Map<string, TreeEntry>;

/** A commit. */
export interface CommitRecord {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly login: string;
  readonly date: string;
  readonly tree: ReadonlyMap<string, TreeEntry>;
}

/** One side of a pull request. */
export interface PullSide {
  readonly ref: string;
  readonly sha: string;
  readonly login: string;
}

/** A pull request. */
export interface Pull {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  readonly login: string;
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  mergedAt: string | null;
  mergeCommitSha: string | null;
  readonly comments: number;
  readonly head: PullSide;
  readonly base: PullSide;
}

/** An asset of a release. */
export interface Asset {
  readonly id: number;
  name: string;
  label: string | null;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
  /** The content, where it is not over 16 MiB: larger ones are counted and hashed, and not kept. */
  readonly content: Buffer | undefined;
  downloads: number;
  readonly login: string;
  readonly createdAt: string;
  updatedAt: string;
}

/** A release. */
export interface ReleaseRecord {
  readonly id: number;
  tagName: string;
  targetCommitish: string;
  name: string | null;
  body: string | null;
  draft: boolean;
  prerelease: boolean;
  readonly createdAt: string;
  publishedAt: string | null;
  readonly login: string;
  readonly assets: Asset[];
}

/** A comment on a commit. */
export interface CommentRecord {
  readonly id: number;
  readonly sha: string;
  body: string;
  readonly path: string | null;
  readonly position: number | null;
  readonly line: number | null;
  readonly login: string;
  readonly createdAt: string;
  updatedAt: string;
}

/** A hook of a repository. */
export interface HookRecord {
  readonly id: number;
  /** Name of the service; `web` for the generic one. */
  readonly name: string;
  events: string[];
  active: boolean;
  config: Record<string, string>;
  lastResponse: {
    readonly code: number | null;
    readonly status: string;
    readonly message: string | null;
  };
  readonly createdAt: string;
  updatedAt: string;
}

/** A download (deprecated by the service). */
export interface DownloadRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly size: number;
  readonly downloads: number;
  readonly contentType: string | null;
  readonly createdAt: string;
}

/** A build of a Pages site. */
export interface PagesBuildRecord {
  readonly id: number;
  status: 'building' | 'built' | 'errored' | null;
  error: string | null;
  readonly login: string;
  readonly commit: string;
  readonly duration: number;
  readonly createdAt: string;
  updatedAt: string;
}

/** The Pages site of a repository. */
export interface PagesRecord {
  cname: string | null;
  custom404: boolean;
  /** Oldest first. */
  readonly builds: PagesBuildRecord[];
}

/** A repository. */
export interface Repo {
  readonly id: number;
  readonly owner: string;
  name: string;
  description: string | null;
  isPrivate: boolean;
  /** The repository this one was forked from, as `owner/name`. */
  forkOf: string | undefined;
  readonly language: string | null;
  readonly defaultBranch: string;
  readonly createdAt: string;
  updatedAt: string;
  /** Who may do what, besides the owner and teams; by login. */
  readonly collaborators: Map<string, 'pull' | 'push' | 'admin'>;
  readonly pulls: Pull[];
  readonly releases: ReleaseRecord[];
  /** Files by path, by branch. */
  readonly branches: Map<string, Tree>;
  /** By SHA. */
  readonly commits: Map<string, CommitRecord>;
  /** Names (`heads/main`) with the SHA they point to. */
  readonly refs: Map<string, { sha: string; type: 'commit' | 'tag' }>;
  /** Logins, in the order they starred it. */
  readonly stargazers: Set<string>;
  readonly comments: CommentRecord[];
  readonly hooks: HookRecord[];
  readonly downloads: DownloadRecord[];
  pages: PagesRecord | undefined;
}

/** The SHA of a blob, as git computes it. */
export function blobSha(bytes: Uint8Array): string {
  return sha1(`blob ${bytes.byteLength}\0`, bytes);
}
