import type { Call, JsonCall } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import {
  defineEndpoint,
  exists,
  json,
  list,
  unspecified,
} from '../../transport/request/endpoint.js';
import {
  createInputError,
  filledText,
  integer,
  nullable,
  oneOf,
  optional,
  type PageInput,
  paging,
  text,
} from '../../transport/request/input.js';
import { MergeResult, PullCommit, PullFile, PullRequest } from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  type RepoInput,
} from './common.js';

/** Input of {@link Pulls.list}. */
export interface ListPulls extends RepoInput, PageInput {
  /** State of the pull requests to list. Default: `open`. */
  readonly state?: 'open' | 'closed' | 'all' | undefined;
  /** Head branch to filter by, as `user:ref-name`. */
  readonly head?: string | undefined;
  /** Base branch to filter by. */
  readonly base?: string | undefined;
  /**
   * Sort key. `popularity` sorts by number of comments. `long-running` sorts by age and lists only
   * pull requests updated in the last month. Default: `created`.
   */
  readonly sort?: 'created' | 'updated' | 'popularity' | 'long-running' | undefined;
  /** Sort order. Default: `desc` if `sort` is `created` or omitted, otherwise `asc`. */
  readonly direction?: 'asc' | 'desc' | undefined;
}

/** Input that identifies a pull request. */
export interface PullInput extends RepoInput {
  /** Number of the pull request in its repository. */
  readonly number: number;
}

/** Input that identifies a pull request and selects a page of one of its lists. */
export interface PullListInput extends PullInput, PageInput {}

/** Input of {@link Pulls.create}, with either a title or an issue to turn into a pull request. */
export interface CreatePull extends RepoInput {
  /** Branch that contains the changes: `branch`, or `user:branch` for a fork. */
  readonly head: string;
  /** Branch to merge into. */
  readonly base: string;
  /** Title of the pull request. Required unless `issue` is set. */
  readonly title?: string | undefined;
  /** Description in Markdown. */
  readonly body?: string | null | undefined;
  /** Number of the issue to turn into a pull request. Can't be combined with `title` or `body`. */
  readonly issue?: number | undefined;
}

/** Input of {@link Pulls.update}. */
export interface UpdatePull extends PullInput {
  /** Title of the pull request. */
  readonly title?: string | undefined;
  /** Description in Markdown. */
  readonly body?: string | null | undefined;
  /** New state. `closed` closes the pull request, and `open` reopens it. */
  readonly state?: 'open' | 'closed' | undefined;
}

/** Input of {@link Pulls.merge}. */
export interface MergePull extends PullInput {
  /** Text to append to the merge commit's message. */
  readonly commit_message?: string | undefined;
  /**
   * SHA that the head branch must point to. If the branch has moved, the server responds with 409
   * (`ConflictError`).
   */
  readonly sha?: string | undefined;
}

const inPull = { ...inRepo, number: integer(1) };

const listPulls = defineEndpoint<ListPulls>('GET /repos/{owner}/{repo}/pulls')({
  operation: 'pulls.list',
  input: {
    ...inRepo,
    state: optional(oneOf('open', 'closed', 'all')),
    head: optional(filledText),
    base: optional(filledText),
    sort: optional(oneOf('created', 'updated', 'popularity', 'long-running')),
    direction: optional(oneOf('asc', 'desc')),
    ...paging,
  },
  response: list(PullRequest),
});

const getPull = defineEndpoint<PullInput>('GET /repos/{owner}/{repo}/pulls/{number}')({
  operation: 'pulls.get',
  input: inPull,
  response: json(PullRequest),
});

const createPull = defineEndpoint<CreatePull>('POST /repos/{owner}/{repo}/pulls')({
  operation: 'pulls.create',
  input: {
    ...inRepo,
    title: optional(filledText),
    body: optional(nullable(text)),
    issue: optional(integer(1)),
    head: filledText,
    base: filledText,
  },
  check: ({ title, body, issue }) => {
    if (issue === undefined && title === undefined) {
      throw createInputError('title', 'is required unless issue is set', 'pulls.create');
    }
    if (issue !== undefined && (title !== undefined || (body !== undefined && body !== null))) {
      const why = 'must not be combined with title or body, which are copied from the issue';
      throw createInputError('issue', why, 'pulls.create');
    }
  },
  response: unspecified(json(PullRequest)),
});

const updatePull = defineEndpoint<UpdatePull>('PATCH /repos/{owner}/{repo}/pulls/{number}')({
  operation: 'pulls.update',
  input: {
    ...inPull,
    title: optional(filledText),
    body: optional(nullable(text)),
    state: optional(oneOf('open', 'closed')),
  },
  response: unspecified(json(PullRequest)),
});

const listCommits = defineEndpoint<PullListInput>(
  'GET /repos/{owner}/{repo}/pulls/{number}/commits',
)({
  operation: 'pulls.listCommits',
  input: { ...inPull, ...paging },
  response: unspecified(list(PullCommit)),
});

const listFiles = defineEndpoint<PullListInput>('GET /repos/{owner}/{repo}/pulls/{number}/files')({
  operation: 'pulls.listFiles',
  input: { ...inPull, ...paging },
  response: unspecified(list(PullFile)),
});

const isPullMerged = defineEndpoint<PullInput>('GET /repos/{owner}/{repo}/pulls/{number}/merge')({
  operation: 'pulls.isMerged',
  input: inPull,
  response: exists,
});

const mergePull = defineEndpoint<MergePull>('PUT /repos/{owner}/{repo}/pulls/{number}/merge')({
  operation: 'pulls.merge',
  input: { ...inPull, commit_message: optional(text), sha: optional(filledText) },
  response: unspecified(json(MergeResult)),
});

/**
 * A repository's pull requests. Their comments are part of the issue comments API, which the client
 * doesn't cover.
 */
export class Pulls extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/pulls`
   *
   * Lists a repository's pull requests. By default, returns only open pull requests.
   * @throws {NotFoundError} if the repository doesn't exist or is hidden from the caller.
   * @example for await (const each of hosting.pulls.list({ owner, repo })) console.log(each);
   */
  list(input: ListPulls, options?: HostingListOptions): Paginated<PullRequest> {
    return this.api.list(listPulls, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/pulls/{number}`
   *
   * Returns a pull request.
   * @throws {NotFoundError} if the pull request doesn't exist.
   * @example const { title } = await hosting.pulls.get({ owner, repo, number: 1 });
   */
  get(input: PullInput, options?: HostingRequestOptions): JsonCall<PullRequest> {
    return this.api.call(getPull, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/pulls`
   *
   * Creates a pull request.
   * @throws {InvalidRequestError} if `title` and `issue` are both missing, or `issue` is combined
   * with `title` or `body`.
   * @throws {UnprocessableError} if a branch doesn't exist, the branches have no differences, or
   * the pull request already exists.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example await hosting.pulls.create({ owner, repo, title: 'Faster start', head: 'mona:fast', base: 'main' });
   */
  create(input: CreatePull, options?: HostingRequestOptions): JsonCall<PullRequest> {
    return this.api.call(createPull, input, options);
  }

  /**
   * `PATCH /repos/{owner}/{repo}/pulls/{number}`
   *
   * Updates a pull request's title, body or state.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example await hosting.pulls.update({ owner, repo, number: 1, state: 'closed' });
   */
  update(input: UpdatePull, options?: HostingRequestOptions): JsonCall<PullRequest> {
    return this.api.call(updatePull, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/pulls/{number}/commits`
   *
   * Lists a pull request's commits.
   * @remarks The API doesn't specify the type of the list's items, so the client accepts items of
   * any type.
   * @example for await (const each of hosting.pulls.listCommits({ owner, repo, number: 1 })) console.log(each);
   */
  listCommits(input: PullListInput, options?: HostingListOptions): Paginated<PullCommit> {
    return this.api.list(listCommits, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/pulls/{number}/files`
   *
   * Lists the files that a pull request changes.
   * @remarks The API doesn't specify the type of the list's items, so the client accepts items of
   * any type.
   * @example for await (const each of hosting.pulls.listFiles({ owner, repo, number: 1 })) console.log(each);
   */
  listFiles(input: PullListInput, options?: HostingListOptions): Paginated<PullFile> {
    return this.api.list(listFiles, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/pulls/{number}/merge`
   *
   * Checks whether a pull request is merged.
   * @example if (await hosting.pulls.isMerged({ owner, repo, number: 1 })) console.log('yes');
   */
  isMerged(input: PullInput, options?: HostingRequestOptions): Call<boolean> {
    return this.api.call(isPullMerged, input, options);
  }

  /**
   * `PUT /repos/{owner}/{repo}/pulls/{number}/merge`
   *
   * Merges a pull request. The client never retries a merge that the server may have executed.
   * @throws {UnexpectedStatusError} if the pull request can't be merged (405).
   * @throws {ConflictError} if the head branch no longer points to `sha` (409).
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example await hosting.pulls.merge({ owner, repo, number: 1 });
   */
  merge(input: MergePull, options?: HostingRequestOptions): JsonCall<MergeResult> {
    return this.api.call(mergePull, input, options);
  }
}
