import { InvalidRequestError } from '../errors.js';
import type { Call } from '../transport/call.js';
import { endpoint, json, list, membership } from '../transport/endpoint.js';
import {
  filledText,
  integer,
  oneOf,
  optional,
  type PageInput,
  paging,
  text,
} from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import {
  type HostingCaller,
  type HostingListOptions,
  type HostingRequestOptions,
  inRepo,
  type RepoInput,
} from './caller.js';
import { MergeResult, PullCommit, PullFile, PullRequest } from './models/index.js';

/** Input of {@link Pulls.list}. */
export interface ListPulls extends RepoInput, PageInput {
  /** Default `open`. */
  readonly state?: 'open' | 'closed' | 'all' | undefined;
  /** Only pulls from this head, as `user:ref-name`. */
  readonly head?: string | undefined;
  /** Only pulls into this branch. */
  readonly base?: string | undefined;
  /** `popularity` is the number of comments; `long-running` is the age, of pulls updated in the last month. Default `created`. */
  readonly sort?: 'created' | 'updated' | 'popularity' | 'long-running' | undefined;
  /** Default `desc` when sort is `created` or absent, otherwise `asc`. */
  readonly direction?: 'asc' | 'desc' | undefined;
}

/** Names a pull request. */
export interface PullInput extends RepoInput {
  readonly number: number;
}

/** Names a pull request and a page of a list in it. */
export interface PullListInput extends PullInput, PageInput {}

/** Input of {@link Pulls.create}: a new title, or an issue to turn into a pull request. */
export interface CreatePull extends RepoInput {
  /** Required unless `issue` is given. */
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Number of the issue to turn into a pull request; excludes `title` and `body`. */
  readonly issue?: number | undefined;
  /** Branch with the changes: `branch`, or `user:branch` from a fork. */
  readonly head: string;
  /** Branch to merge into. */
  readonly base: string;
}

/** Input of {@link Pulls.update}. */
export interface UpdatePull extends PullInput {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly state?: 'open' | 'closed' | undefined;
}

/** Input of {@link Pulls.merge}. */
export interface MergePull extends PullInput {
  readonly commit_message?: string | undefined;
  /** SHA that the head must have; another one is a 409 `ConflictError`. */
  readonly sha?: string | undefined;
}

const inPull = { ...inRepo, number: integer(1) };

const listPulls = endpoint<ListPulls>()({
  operation: 'pulls.list',
  method: 'GET',
  path: '/repos/{owner}/{repo}/pulls',
  input: {
    ...inRepo,
    state: optional(oneOf('open', 'closed', 'all')),
    head: optional(filledText),
    base: optional(filledText),
    sort: optional(oneOf('created', 'updated', 'popularity', 'long-running')),
    direction: optional(oneOf('asc', 'desc')),
    ...paging,
  },
  answer: list(PullRequest),
});

const getPull = endpoint<PullInput>()({
  operation: 'pulls.get',
  method: 'GET',
  path: '/repos/{owner}/{repo}/pulls/{number}',
  input: inPull,
  answer: json(PullRequest),
});

const createPull = endpoint<CreatePull>()({
  operation: 'pulls.create',
  method: 'POST',
  path: '/repos/{owner}/{repo}/pulls',
  input: {
    ...inRepo,
    title: optional(filledText),
    body: optional(text),
    issue: optional(integer(1)),
    head: filledText,
    base: filledText,
  },
  check: ({ title, body, issue }) => {
    if (issue === undefined && title === undefined) {
      throw new InvalidRequestError('pulls.create: title: expected a title, or an issue', 'title');
    }
    if (issue !== undefined && (title !== undefined || body !== undefined)) {
      throw new InvalidRequestError(
        'pulls.create: issue: excludes title and body, which are the issue’s own',
        'issue',
      );
    }
  },
  answer: json(PullRequest),
});

const updatePull = endpoint<UpdatePull>()({
  operation: 'pulls.update',
  method: 'PATCH',
  path: '/repos/{owner}/{repo}/pulls/{number}',
  input: {
    ...inPull,
    title: optional(filledText),
    body: optional(text),
    state: optional(oneOf('open', 'closed')),
  },
  answer: json(PullRequest),
});

const listPullCommits = endpoint<PullListInput>()({
  operation: 'pulls.listCommits',
  method: 'GET',
  path: '/repos/{owner}/{repo}/pulls/{number}/commits',
  input: { ...inPull, ...paging },
  answer: list(PullCommit),
});

const listPullFiles = endpoint<PullListInput>()({
  operation: 'pulls.listFiles',
  method: 'GET',
  path: '/repos/{owner}/{repo}/pulls/{number}/files',
  input: { ...inPull, ...paging },
  answer: list(PullFile),
});

const isPullMerged = endpoint<PullInput>()({
  operation: 'pulls.isMerged',
  method: 'GET',
  path: '/repos/{owner}/{repo}/pulls/{number}/merge',
  input: inPull,
  answer: membership,
});

const mergePull = endpoint<MergePull>()({
  operation: 'pulls.merge',
  method: 'PUT',
  path: '/repos/{owner}/{repo}/pulls/{number}/merge',
  input: { ...inPull, commit_message: optional(text), sha: optional(filledText) },
  answer: json(MergeResult),
});

/** Pull requests (contract section "Pull requests"). Their comments belong to the issue comments interface. */
export class Pulls {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  /** Pull requests of a repository, open ones unless `state` says otherwise. @throws {NotFoundError} unknown or hidden repository. */
  list(input: ListPulls, options?: HostingListOptions): Paginated<PullRequest> {
    return this.#caller.list(listPulls, input, options);
  }

  /** One pull request. @throws {NotFoundError} */
  get(input: PullInput, options?: HostingRequestOptions): Call<PullRequest> {
    return this.#caller.call(getPull, input, options);
  }

  /**
   * Opens a pull request. @throws {UnprocessableError} no changes, or one that exists already.
   * @remarks Outside the service contract; public v3 documentation.
   */
  create(input: CreatePull, options?: HostingRequestOptions): Call<PullRequest> {
    return this.#caller.call(createPull, input, options);
  }

  /**
   * Changes title, body or state.
   * @remarks Outside the service contract; public v3 documentation.
   */
  update(input: UpdatePull, options?: HostingRequestOptions): Call<PullRequest> {
    return this.#caller.call(updatePull, input, options);
  }

  /**
   * Commits of a pull request.
   * @remarks Outside the service contract; public v3 documentation.
   */
  listCommits(input: PullListInput, options?: HostingListOptions): Paginated<PullCommit> {
    return this.#caller.list(listPullCommits, input, options);
  }

  /**
   * Files that a pull request changes.
   * @remarks Outside the service contract; public v3 documentation.
   */
  listFiles(input: PullListInput, options?: HostingListOptions): Paginated<PullFile> {
    return this.#caller.list(listPullFiles, input, options);
  }

  /**
   * Whether it was merged.
   * @remarks Outside the service contract; public v3 documentation.
   */
  isMerged(input: PullInput, options?: HostingRequestOptions): Call<boolean> {
    return this.#caller.call(isPullMerged, input, options);
  }

  /**
   * Merges. Never sent twice.
   * @throws {OtherApiError} 405: not mergeable. @throws {ConflictError} 409: the head has moved from `sha`.
   * @remarks Outside the service contract; public v3 documentation.
   */
  merge(input: MergePull, options?: HostingRequestOptions): Call<MergeResult> {
    return this.#caller.call(mergePull, input, options);
  }
}
