import { createHash } from 'node:crypto';
import { sha1 } from '../random.js';
import type { FileContent } from './git.js';
import type {
  Asset,
  CommentRecord,
  DownloadRecord,
  HookRecord,
  PagesBuildRecord,
  Pull,
  ReleaseRecord,
  Repo,
} from './repo-state.js';

/** The same type with optional, read-only properties. */
export type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Id and creation time of a new record. */
export interface Origin {
  readonly id: number;
  /** The emulator's time in the API's format. */
  readonly now: string;
}

/** Properties of a new repository. */
export type RepoInput = Loose<
  Pick<Repo, 'description' | 'isPrivate' | 'forkOf' | 'language' | 'defaultBranch' | 'createdAt'>
> & {
  /** Contents of the first commit, by path. */
  readonly files?: Readonly<Record<string, FileContent>> | undefined;
};
/** Properties of a new pull request. */
export type PullInput = Loose<Omit<Pull, 'id' | 'number'>>;
/** Properties of a new release. */
export type ReleaseInput = Loose<Omit<ReleaseRecord, 'id' | 'tagName' | 'assets'>>;
/** Properties of a new asset. Set `size` and `sha256` if the content itself is not kept. */
export type AssetInput = Loose<
  Pick<Asset, 'content' | 'contentType' | 'label' | 'login' | 'size' | 'sha256'>
>;
/** Properties of a new comment. `sha` defaults to the head of the default branch. */
export type CommentInput = Loose<Omit<CommentRecord, 'id' | 'body' | 'updatedAt'>>;
/** Properties of a new hook. */
export type HookInput = Loose<Pick<HookRecord, 'name' | 'events' | 'active'>>;
/** Properties of a new download. */
export type DownloadInput = Loose<Omit<DownloadRecord, 'id' | 'name'>>;
/** Properties of a new Pages build. */
export type PagesBuildInput = Loose<
  Pick<PagesBuildRecord, 'status' | 'error' | 'login' | 'duration' | 'createdAt'>
>;

function chooseHead(repo: Repo): string {
  return repo.refs.get(`heads/${repo.defaultBranch}`)?.sha ?? '';
}

export function newRepo({ id, now }: Origin, owner: string, name: string, input: RepoInput): Repo {
  const { description = `The ${name} of ${owner}`, language = 'TypeScript' } = input;
  const createdAt = input.createdAt ?? now;
  return {
    id,
    owner,
    name,
    description,
    isPrivate: input.isPrivate ?? false,
    forkOf: input.forkOf,
    language,
    defaultBranch: input.defaultBranch ?? 'main',
    createdAt,
    updatedAt: createdAt,
    collaborators: new Map(),
    pulls: [],
    releases: [],
    branches: new Map(),
    commits: new Map(),
    refs: new Map(),
    stargazers: new Map(),
    comments: [],
    hooks: [],
    downloads: [],
    pages: undefined,
  };
}

export function newPull({ id, now }: Origin, repo: Repo, input: PullInput): Pull {
  const number = repo.pulls.reduce((most, pull) => Math.max(most, pull.number), 0) + 1;
  const createdAt = input.createdAt ?? now;
  const side = (ref: string) => ({ ref, login: repo.owner, sha: sha1(ref, String(number)) });
  return {
    id,
    number,
    title: input.title ?? `Pull request ${number}`,
    body: input.body ?? null,
    state: input.state ?? 'open',
    login: input.login ?? repo.owner,
    createdAt,
    updatedAt: input.updatedAt ?? createdAt,
    closedAt: input.closedAt ?? (input.state === 'closed' ? createdAt : null),
    mergedAt: input.mergedAt ?? null,
    mergeCommitSha: input.mergeCommitSha ?? null,
    comments: input.comments ?? 0,
    head: input.head ?? side(`topic-${number}`),
    base: input.base ?? { ...side(repo.defaultBranch), sha: chooseHead(repo) },
  };
}

export function newRelease(
  { id, now }: Origin,
  repo: Repo,
  tagName: string,
  input: ReleaseInput,
): ReleaseRecord {
  const createdAt = input.createdAt ?? now;
  const draft = input.draft ?? false;
  return {
    id,
    tagName,
    targetCommitish: input.targetCommitish ?? repo.defaultBranch,
    name: input.name ?? null,
    body: input.body ?? null,
    draft,
    prerelease: input.prerelease ?? false,
    createdAt,
    publishedAt: input.publishedAt ?? (draft ? null : createdAt),
    login: input.login ?? repo.owner,
    assets: [],
  };
}

export function newAsset(
  { id, now }: Origin,
  name: string,
  login: string,
  input: AssetInput,
): Asset {
  const content = input.content ?? (input.size === undefined ? Buffer.alloc(0) : undefined);
  const sha256 = () =>
    createHash('sha256')
      .update(content ?? '')
      .digest('hex');
  return {
    id,
    name,
    label: input.label ?? null,
    contentType: input.contentType ?? 'application/octet-stream',
    size: input.size ?? content?.length ?? 0,
    sha256: input.sha256 ?? sha256(),
    content,
    downloads: 0,
    login: input.login ?? login,
    createdAt: now,
    updatedAt: now,
  };
}

export function newComment(
  { id, now }: Origin,
  repo: Repo,
  body: string,
  input: CommentInput,
): CommentRecord {
  const createdAt = input.createdAt ?? now;
  return {
    id,
    sha: input.sha ?? chooseHead(repo),
    body,
    path: input.path ?? null,
    position: input.position ?? null,
    line: input.line ?? null,
    login: input.login ?? repo.owner,
    createdAt,
    updatedAt: createdAt,
  };
}

export function newHook(
  { id, now }: Origin,
  config: Readonly<Record<string, string>>,
  input: HookInput,
): HookRecord {
  return {
    id,
    name: input.name ?? 'web',
    events: [...(input.events ?? ['push'])],
    active: input.active ?? true,
    config: { ...config },
    lastResponse: { code: null, status: 'unused', message: null },
    createdAt: now,
    updatedAt: now,
  };
}

export function newDownload(
  { id, now }: Origin,
  name: string,
  input: DownloadInput,
): DownloadRecord {
  return {
    id,
    name,
    description: input.description ?? null,
    size: input.size ?? 1024,
    downloads: input.downloads ?? 0,
    contentType: input.contentType ?? null,
    createdAt: input.createdAt ?? now,
  };
}

export function newPagesBuild(
  { id, now }: Origin,
  repo: Repo,
  input: PagesBuildInput,
): PagesBuildRecord {
  const createdAt = input.createdAt ?? now;
  return {
    id,
    status: input.status === undefined ? 'built' : input.status,
    error: input.error ?? null,
    login: input.login ?? repo.owner,
    commit: chooseHead(repo),
    duration: input.duration ?? 2000,
    createdAt,
    updatedAt: createdAt,
  };
}
