import { sha1 } from '../random.js';

/** A user or organization of the emulator. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Organization';
  siteAdmin: boolean;
  /** For Basic authentication; undefined for organizations. */
  password: string | undefined;
  /** The one-time password that is asked for, where the account has two factors. */
  otp: string | undefined;
}

/** An OAuth token. */
export interface Token {
  readonly token: string;
  readonly login: string;
  scopes: readonly string[];
}

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
  readonly bytes: Buffer;
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

/** A repository. */
export interface Repo {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  description: string | null;
  isPrivate: boolean;
  /** The repository this one was forked from, as `owner/name`. */
  forkOf: string | undefined;
  readonly language: string | null;
  readonly defaultBranch: string;
  readonly createdAt: string;
  updatedAt: string;
  /** Logins with push access besides the owner; admins with `admin`. */
  readonly collaborators: Map<string, 'pull' | 'push' | 'admin'>;
  readonly pulls: Pull[];
  readonly releases: ReleaseRecord[];
  /** Files by path, by branch. */
  readonly branches: Map<string, Map<string, TreeEntry>>;
  /** Logins, in the order they starred it. */
  readonly stargazers: Set<string>;
  /** Names (`heads/main`) with the SHA they point to. */
  readonly refs: Map<string, { sha: string; type: 'commit' | 'tag' }>;
}

/** Everything the hosting API knows. */
export class HostingState {
  readonly accounts = new Map<string, Account>();
  readonly repos = new Map<string, Repo>();
  readonly tokens = new Map<string, Token>();
  /** Old names of repositories, with the new ones. */
  readonly renamed = new Map<string, string>();
  #lastId = 0;

  /** The next id: whole numbers, rising. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  repo(owner: string, name: string): Repo | undefined {
    return this.repos.get(`${owner}/${name}`);
  }

  account(login: string): Account | undefined {
    return this.accounts.get(login);
  }
}

/** The SHA of a blob, as git computes it. */
export function blobSha(bytes: Uint8Array): string {
  return sha1(`blob ${bytes.byteLength}\0`, bytes);
}
