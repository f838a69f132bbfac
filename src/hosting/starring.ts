import type { Call } from '../transport/call.js';
import { endpoint, list, membership, nothing } from '../transport/endpoint.js';
import { filledText, oneOf, optional, type PageInput, paging } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import {
  type HostingCaller,
  type HostingListOptions,
  type HostingRequestOptions,
  inRepo,
  type RepoInput,
  type RepoListInput,
} from './caller.js';
import { Repository, User } from './models/index.js';

/** Input of {@link Starring.listStarred}. */
export interface ListStarred extends PageInput {
  /** When it was starred, or last updated. Default `created`. */
  readonly sort?: 'created' | 'updated' | undefined;
  /** Default `desc`. */
  readonly direction?: 'asc' | 'desc' | undefined;
}

/** Input of {@link Starring.listStarredBy}. */
export interface ListStarredBy extends ListStarred {
  /** Login of the user. */
  readonly username: string;
}

const sorting = {
  sort: optional(oneOf('created', 'updated')),
  direction: optional(oneOf('asc', 'desc')),
  ...paging,
};

const listStargazers = endpoint<RepoListInput>()({
  operation: 'starring.listStargazers',
  method: 'GET',
  path: '/repos/{owner}/{repo}/stargazers',
  input: { ...inRepo, ...paging },
  answer: list(User),
});

const listStarredBy = endpoint<ListStarredBy>()({
  operation: 'starring.listStarredBy',
  method: 'GET',
  path: '/users/{username}/starred',
  input: { username: filledText, ...sorting },
  answer: list(Repository),
});

const listStarred = endpoint<ListStarred>()({
  operation: 'starring.listStarred',
  method: 'GET',
  path: '/user/starred',
  input: sorting,
  answer: list(Repository),
});

const isStarred = endpoint<RepoInput>()({
  operation: 'starring.isStarred',
  method: 'GET',
  path: '/user/starred/{owner}/{repo}',
  input: inRepo,
  answer: membership,
});

const star = endpoint<RepoInput>()({
  operation: 'starring.star',
  method: 'PUT',
  path: '/user/starred/{owner}/{repo}',
  input: inRepo,
  answer: nothing,
  replayable: true,
});

const unstar = endpoint<RepoInput>()({
  operation: 'starring.unstar',
  method: 'DELETE',
  path: '/user/starred/{owner}/{repo}',
  input: inRepo,
  answer: nothing,
  replayable: true,
});

/** Starring (contract section "Starring"). */
export class Starring {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  /** Users who starred a repository. @throws {NotFoundError} */
  listStargazers(input: RepoListInput, options?: HostingListOptions): Paginated<User> {
    return this.#caller.list(listStargazers, input, options);
  }

  /** Repositories that a user starred. @throws {NotFoundError} unknown user. */
  listStarredBy(input: ListStarredBy, options?: HostingListOptions): Paginated<Repository> {
    return this.#caller.list(listStarredBy, input, options);
  }

  /** Repositories that the authenticated user starred. @throws {AuthenticationError} without credentials. */
  listStarred(input: ListStarred = {}, options?: HostingListOptions): Paginated<Repository> {
    return this.#caller.list(listStarred, input, options);
  }

  /** Whether the authenticated user starred a repository; false also where it is missing or hidden. */
  isStarred(input: RepoInput, options?: HostingRequestOptions): Call<boolean> {
    return this.#caller.call(isStarred, input, options);
  }

  /** Stars a repository. Safe to repeat, and repeated after a failed connection. */
  star(input: RepoInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(star, input, options);
  }

  /** Takes a star back. Safe to repeat, and repeated after a failed connection. */
  unstar(input: RepoInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(unstar, input, options);
  }
}
