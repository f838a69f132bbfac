/** Content of a path in a branch. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly sha: string }
  | { readonly kind: 'symlink'; readonly target: string; readonly sha: string }
  | {
      readonly kind: 'submodule';
      readonly url: string;
      readonly hosted: boolean;
      readonly sha: string;
    };

/** Entries of a tree, by path. */
export type Tree = Map<string, TreeEntry>;

/** A commit. */
export interface CommitRecord {
  /** SHA-1 of the commit. */
  readonly sha: string;
  /** SHAs of the parent commits. */
  readonly parents: readonly string[];
  /** The commit message. */
  readonly message: string;
  /** Login of the author. */
  readonly login: string;
  /** Time of creation, ISO 8601. */
  readonly date: string;
  /** Files of the commit. */
  readonly tree: ReadonlyMap<string, TreeEntry>;
}

/** One side of a pull request. */
export interface PullSide {
  /** Name of the branch. */
  readonly ref: string;
  /** SHA-1 of the commit. */
  readonly sha: string;
  /** Login of the repository's owner. */
  readonly login: string;
}

/** A pull request. */
export interface Pull {
  /** Numeric id. */
  readonly id: number;
  /** Number in the repository. */
  readonly number: number;
  /** Title. */
  title: string;
  /** Text in Markdown. */
  body: string | null;
  /** State. */
  state: 'open' | 'closed';
  /** Login of the author. */
  readonly login: string;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
  /** Time of closing, ISO 8601; null if open. */
  closedAt: string | null;
  /** Time of the merge, ISO 8601; null if not merged. */
  mergedAt: string | null;
  /** SHA-1 of the merge commit. */
  mergeCommitSha: string | null;
  /** Number of comments. */
  readonly comments: number;
  /** Source branch. */
  readonly head: PullSide;
  /** Target branch. */
  readonly base: PullSide;
}

/** An asset of a release. */
export interface Asset {
  /** Numeric id. */
  readonly id: number;
  /** File name. */
  name: string;
  /** Label to display instead of the name. */
  label: string | null;
  /** Media type, such as `application/zip`. */
  readonly contentType: string;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
  /** Content; undefined if it is larger than 16 MiB, because then only its size and hash are kept. */
  readonly content: Buffer | undefined;
  /** Number of downloads. */
  downloads: number;
  /** Login of the uploader. */
  readonly login: string;
  /** Time of the upload, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
}

/** A release. */
export interface ReleaseRecord {
  /** Numeric id. */
  readonly id: number;
  /** Name of the tag. */
  tagName: string;
  /** Branch or commit from which the tag is created. */
  targetCommitish: string;
  /** Title. */
  name: string | null;
  /** Text in Markdown. */
  body: string | null;
  /** Whether the release is an unpublished draft. */
  draft: boolean;
  /** Whether the release is a prerelease. */
  prerelease: boolean;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Time of publication, ISO 8601; null for a draft. */
  publishedAt: string | null;
  /** Login of the author. */
  readonly login: string;
  /** Files of the release. */
  readonly assets: Asset[];
}

/** A comment on a commit. */
export interface CommentRecord {
  /** Numeric id. */
  readonly id: number;
  /** SHA of the commented commit. */
  readonly sha: string;
  /** Text of the comment in Markdown. */
  body: string;
  /** Path of the commented file; null for a comment on the whole commit. */
  readonly path: string | null;
  /** Line index in the diff. */
  readonly position: number | null;
  /** Line number in the file. */
  readonly line: number | null;
  /** Login of the author. */
  readonly login: string;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
}

/** A hook of a repository. */
export interface HookRecord {
  /** Numeric id. */
  readonly id: number;
  /** Name of the service; `web` for the generic one. */
  readonly name: string;
  /** Events that the hook subscribes to. */
  events: string[];
  /** Whether the hook gets deliveries. */
  active: boolean;
  /** Settings of the hook. */
  config: Record<string, string>;
  /** Response to the last delivery. */
  lastResponse: {
    /** HTTP status; null if there is no response. */
    readonly code: number | null;
    /** Summary of the status. */
    readonly status: string;
    /** Message from the receiver. */
    readonly message: string | null;
  };
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
}

/** A download (deprecated by the service). */
export interface DownloadRecord {
  /** Numeric id. */
  readonly id: number;
  /** File name. */
  readonly name: string;
  /** Description. */
  readonly description: string | null;
  /** Size in bytes. */
  readonly size: number;
  /** Number of downloads. */
  readonly downloads: number;
  /** Media type. */
  readonly contentType: string | null;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
}

/** A build of a Pages site. */
export interface PagesBuildRecord {
  /** Numeric id. */
  readonly id: number;
  /** Status of the build. */
  status: 'building' | 'built' | 'errored' | null;
  /** Reason for the failure. */
  error: string | null;
  /** Login of the user who pushed the commit. */
  readonly login: string;
  /** SHA of the commit. */
  readonly commit: string;
  /** Duration in ms. */
  readonly duration: number;
  /** Start time, ISO 8601. */
  readonly createdAt: string;
  /** End time, ISO 8601. */
  updatedAt: string;
}

/** The Pages site of a repository. */
export interface PagesRecord {
  /** Custom domain of the site. */
  cname: string | null;
  /** Whether the site has a custom 404 page. */
  custom404: boolean;
  /** Builds, oldest first. */
  readonly builds: PagesBuildRecord[];
}

/** A user's star of a repository. */
export interface StarRecord {
  /** Time of the star, ISO 8601. */
  readonly starredAt: string;
  /** Number of the star among those of all repositories, to sort stars of the same second. */
  readonly sequence: number;
}

/** A repository. */
export interface Repo {
  /** Numeric id. */
  readonly id: number;
  /** Login of the owner. */
  readonly owner: string;
  /** Name, without the owner. */
  name: string;
  /** Description. */
  description: string | null;
  /** Whether the repository is private. */
  isPrivate: boolean;
  /** Repository that this one was forked from, as `owner/name`. */
  forkOf: string | undefined;
  /** Main programming language. */
  readonly language: string | null;
  /** Name of the default branch. */
  readonly defaultBranch: string;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
  /** Access levels of collaborators, by login. */
  readonly collaborators: Map<string, 'pull' | 'push' | 'admin'>;
  /** Pull requests. */
  readonly pulls: Pull[];
  /** Releases. */
  readonly releases: ReleaseRecord[];
  /** Files of each branch. */
  readonly branches: Map<string, Tree>;
  /** Commits by SHA. */
  readonly commits: Map<string, CommitRecord>;
  /** References by name, such as `heads/main`. */
  readonly refs: Map<
    string,
    {
      /** SHA-1 of the target. */
      sha: string;
      /** Type of the target. */
      type: 'commit' | 'tag';
    }
  >;
  /** Stars by login, in the order they were added (see `addStar`). */
  readonly stargazers: Map<string, StarRecord>;
  /** Comments on commits. */
  readonly comments: CommentRecord[];
  /** Hooks. */
  readonly hooks: HookRecord[];
  /** Downloads. */
  readonly downloads: DownloadRecord[];
  /** Pages site; undefined if there is none. */
  pages: PagesRecord | undefined;
}
