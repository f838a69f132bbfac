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
  /** SHA-1 of the commit. */
  readonly sha: string;
  /** SHAs of the commits before it. */
  readonly parents: readonly string[];
  /** The commit message. */
  readonly message: string;
  /** Who made it. */
  readonly login: string;
  /** When it was made. */
  readonly date: string;
  /** SHA-1 of its tree. */
  readonly tree: ReadonlyMap<string, TreeEntry>;
}

/** One side of a pull request. */
export interface PullSide {
  /** Name of the branch. */
  readonly ref: string;
  /** SHA-1 of its commit. */
  readonly sha: string;
  /** Owner of the repository. */
  readonly login: string;
}

/** A pull request. */
export interface Pull {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** Number in its repository. */
  readonly number: number;
  /** Title. */
  title: string;
  /** Text, as Markdown. */
  body: string | null;
  /** Open or closed. */
  state: 'open' | 'closed';
  /** Who opened it. */
  readonly login: string;
  /** When it was opened. */
  readonly createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
  /** When it was closed. */
  closedAt: string | null;
  /** When it was merged. */
  mergedAt: string | null;
  /** SHA-1 of the merge commit. */
  mergeCommitSha: string | null;
  /** How many comments it has. */
  readonly comments: number;
  /** Where the changes are. */
  readonly head: PullSide;
  /** Where it is to be merged. */
  readonly base: PullSide;
}

/** An asset of a release. */
export interface Asset {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** File name. */
  name: string;
  /** Shown instead of the name. */
  label: string | null;
  /** Media type, as `application/zip`. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
  /** The content, where it is not over 16 MiB: larger ones are counted and hashed, and not kept. */
  readonly content: Buffer | undefined;
  /** How often it was downloaded. */
  downloads: number;
  /** Who uploaded it. */
  readonly login: string;
  /** When it was uploaded. */
  readonly createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
}

/** A release. */
export interface ReleaseRecord {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** Name of its tag. */
  tagName: string;
  /** Branch or commit that the tag is made from. */
  targetCommitish: string;
  /** Title. */
  name: string | null;
  /** Text, as Markdown. */
  body: string | null;
  /** Whether it is not published yet. */
  draft: boolean;
  /** Whether it is not ready for production. */
  prerelease: boolean;
  /** When it was made. */
  readonly createdAt: string;
  /** When it was published; null for a draft. */
  publishedAt: string | null;
  /** Who made it. */
  readonly login: string;
  /** Its files. */
  readonly assets: Asset[];
}

/** A comment on a commit. */
export interface CommentRecord {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** Commit that it is about. */
  readonly sha: string;
  /** Text of the comment, as Markdown. */
  body: string;
  /** File that it is about. */
  readonly path: string | null;
  /** Line of the diff. */
  readonly position: number | null;
  /** Line of the file. */
  readonly line: number | null;
  /** Who wrote it. */
  readonly login: string;
  /** When it was written. */
  readonly createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
}

/** A hook of a repository. */
export interface HookRecord {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** Name of the service; `web` for the generic one. */
  readonly name: string;
  /** Events that it wants. */
  events: string[];
  /** Whether it is delivered to. */
  active: boolean;
  /** Settings of the hook. */
  config: Record<string, string>;
  /** How the last delivery was answered. */
  lastResponse: {
    /** HTTP status. */
    readonly code: number | null;
    /** One word for it. */
    readonly status: string;
    /** What the receiver said. */
    readonly message: string | null;
  };
  /** When it was made. */
  readonly createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
}

/** A download (deprecated by the service). */
export interface DownloadRecord {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** File name. */
  readonly name: string;
  /** What it is. */
  readonly description: string | null;
  /** Size in bytes. */
  readonly size: number;
  /** How often it was downloaded. */
  readonly downloads: number;
  /** Media type. */
  readonly contentType: string | null;
  /** When it was made. */
  readonly createdAt: string;
}

/** A build of a Pages site. */
export interface PagesBuildRecord {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** How it went. */
  status: 'building' | 'built' | 'errored' | null;
  /** Why it failed. */
  error: string | null;
  /** Who pushed what was built. */
  readonly login: string;
  /** Commit that was built. */
  readonly commit: string;
  /** How long it took, in milliseconds. */
  readonly duration: number;
  /** When it began. */
  readonly createdAt: string;
  /** When it ended. */
  updatedAt: string;
}

/** The Pages site of a repository. */
export interface PagesRecord {
  /** Host name of the site's own. */
  cname: string | null;
  /** Whether the site has a 404 page of its own. */
  custom404: boolean;
  /** Oldest first. */
  readonly builds: PagesBuildRecord[];
}

/** A star that a user gave a repository. */
export interface StarRecord {
  /** When it was given. */
  readonly starredAt: string;
  /** Number of this star among those of all repositories. Orders stars of the same second. */
  readonly sequence: number;
}

/** A repository. */
export interface Repo {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** Login of the owner. */
  readonly owner: string;
  /** Name, without the owner. */
  name: string;
  /** What it is. */
  description: string | null;
  /** Whether only members can see it. */
  isPrivate: boolean;
  /** The repository this one was forked from, as `owner/name`. */
  forkOf: string | undefined;
  /** Main programming language. */
  readonly language: string | null;
  /** Name of the default branch. */
  readonly defaultBranch: string;
  /** When it was made. */
  readonly createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
  /** Who may do what, besides the owner and teams; by login. */
  readonly collaborators: Map<string, 'pull' | 'push' | 'admin'>;
  /** Its pull requests. */
  readonly pulls: Pull[];
  /** Its releases. */
  readonly releases: ReleaseRecord[];
  /** Files by path, by branch. */
  readonly branches: Map<string, Tree>;
  /** By SHA. */
  readonly commits: Map<string, CommitRecord>;
  /** Names (`heads/main`) with the SHA they point to. */
  readonly refs: Map<
    string,
    {
      /** SHA-1 of what it points to. */
      sha: string;
      /** Kind of what it points to. */
      type: 'commit' | 'tag';
    }
  >;
  /** Stars by login, in the order they were given: see `addStar`. */
  readonly stargazers: Map<string, StarRecord>;
  /** Comments on its commits. */
  readonly comments: CommentRecord[];
  /** Its hooks. */
  readonly hooks: HookRecord[];
  /** Files offered for download. */
  readonly downloads: DownloadRecord[];
  /** Its pages site; undefined where there is none. */
  pages: PagesRecord | undefined;
}
