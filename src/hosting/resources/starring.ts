import type { Call } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { defineEndpoint, exists, list, noContent } from '../../transport/request/endpoint.js';
import {
  filledText,
  oneOf,
  optional,
  type PageInput,
  paging,
} from '../../transport/request/input.js';
import { Repository, User } from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  type RepoInput,
  type RepoListInput,
} from './common.js';

/** Input of {@link Starring.listStarred}. */
export interface ListStarred extends PageInput {
  /**
   * Sort key: the time when the repository was starred (`created`) or last updated (`updated`).
   * Default: `created`.
   */
  readonly sort?: 'created' | 'updated' | undefined;
  /** Sort order. Default: `desc`. */
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

const listStargazers = defineEndpoint<RepoListInput>('GET /repos/{owner}/{repo}/stargazers')({
  operation: 'starring.listStargazers',
  input: { ...inRepo, ...paging },
  response: list(User),
});

const listStarredBy = defineEndpoint<ListStarredBy>('GET /users/{username}/starred')({
  operation: 'starring.listStarredBy',
  input: { username: filledText, ...sorting },
  response: list(Repository),
});

const listStarred = defineEndpoint<ListStarred>('GET /user/starred')({
  operation: 'starring.listStarred',
  input: sorting,
  response: list(Repository),
});

const isStarred = defineEndpoint<RepoInput>('GET /user/starred/{owner}/{repo}')({
  operation: 'starring.isStarred',
  input: inRepo,
  response: exists,
});

const star = defineEndpoint<RepoInput>('PUT /user/starred/{owner}/{repo}')({
  operation: 'starring.star',
  input: inRepo,
  response: noContent,
  retry: 'idempotent',
});

const unstar = defineEndpoint<RepoInput>('DELETE /user/starred/{owner}/{repo}')({
  operation: 'starring.unstar',
  input: inRepo,
  response: noContent,
  retry: 'idempotent',
});

/** A repository's stargazers and a user's starred repositories. */
export class Starring extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/stargazers`
   *
   * Lists the users who starred a repository.
   * @throws {NotFoundError} if the repository doesn't exist.
   * @example for await (const each of hosting.starring.listStargazers({ owner, repo })) console.log(each.login);
   */
  listStargazers(input: RepoListInput, options?: HostingListOptions): Paginated<User> {
    return this.api.list(listStargazers, input, options);
  }

  /**
   * `GET /users/{username}/starred`
   *
   * Lists the repositories that a user starred.
   * @throws {NotFoundError} if the user doesn't exist.
   * @example for await (const each of hosting.starring.listStarredBy({ username: 'mona' })) console.log(each.full_name);
   */
  listStarredBy(input: ListStarredBy, options?: HostingListOptions): Paginated<Repository> {
    return this.api.list(listStarredBy, input, options);
  }

  /**
   * `GET /user/starred`
   *
   * Lists the repositories that the authenticated user starred.
   * @throws {AuthenticationError} if credentials are missing or invalid.
   * @example for await (const each of hosting.starring.listStarred()) console.log(each.full_name);
   */
  listStarred(input: ListStarred = {}, options?: HostingListOptions): Paginated<Repository> {
    return this.api.list(listStarred, input, options);
  }

  /**
   * `GET /user/starred/{owner}/{repo}`
   *
   * Checks whether the authenticated user starred a repository. Also returns false if the
   * repository doesn't exist or is hidden.
   * @example if (await hosting.starring.isStarred({ owner, repo })) console.log('yes');
   */
  isStarred(input: RepoInput, options?: HostingRequestOptions): Call<boolean> {
    return this.api.call(isStarred, input, options);
  }

  /**
   * `PUT /user/starred/{owner}/{repo}`
   *
   * Stars a repository. The call is idempotent, so the client retries it after a connection
   * failure.
   * @example await hosting.starring.star({ owner, repo });
   */
  star(input: RepoInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(star, input, options);
  }

  /**
   * `DELETE /user/starred/{owner}/{repo}`
   *
   * Removes the star from a repository. The call is idempotent, so the client retries it after a
   * connection failure.
   * @example await hosting.starring.unstar({ owner, repo });
   */
  unstar(input: RepoInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(unstar, input, options);
  }
}
