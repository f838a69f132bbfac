import { defineList, type Model } from '../../schema/model.js';
import type { Call } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import {
  defineEndpoint,
  exists,
  json,
  noContent,
  type ResponseSpec,
} from '../../transport/request/endpoint.js';
import {
  filledText,
  oneOf,
  optional,
  type PageInput,
  paging,
} from '../../transport/request/input.js';
import { Repository, Stargazer, StarredRepository, User } from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  inVariant,
  type RepoInput,
  type RepoListInput,
} from './common.js';

/**
 * Media type variant of stars. With `star`, each item includes `starred_at`. Undefined selects the
 * server's default, which omits `starred_at`.
 */
export type StarMediaType = 'star' | undefined;

/** Option that adds the time of each star to a list. */
export interface StarVariant<Variant extends StarMediaType> {
  /**
   * Media type. With `star`, each item contains `starred_at` and either `user` or `repo`. Default:
   * each item is the user or repository itself.
   */
  readonly mediaType?: Variant;
}

/** Type of a star for a media type variant. */
export type StarIn<Variant extends StarMediaType, Plain, Timed> = Variant extends 'star'
  ? Timed
  : Plain;

/** Input of {@link Starring.listStargazers}. */
export interface ListStargazers<Variant extends StarMediaType = StarMediaType>
  extends RepoListInput,
    StarVariant<Variant> {}

/** Input of {@link Starring.listStarred}. */
export interface ListStarred<Variant extends StarMediaType = StarMediaType>
  extends PageInput,
    StarVariant<Variant> {
  /**
   * Sort key: the time when the repository was starred (`created`) or last updated (`updated`).
   * Default: `created`.
   */
  readonly sort?: 'created' | 'updated' | undefined;
  /** Sort order. Default: `desc`. */
  readonly direction?: 'asc' | 'desc' | undefined;
}

/** Input of {@link Starring.listStarredBy}. */
export interface ListStarredBy<Variant extends StarMediaType = StarMediaType>
  extends ListStarred<Variant> {
  /** Login of the user. */
  readonly username: string;
}

type WithVariant = StarVariant<StarMediaType>;

const variant = { mediaType: optional(oneOf('star')) };

function listIn<Plain, Timed>(plain: Model<Plain>, timed: Model<Timed>) {
  return ({ mediaType }: WithVariant): ResponseSpec<(Plain | Timed)[]> => {
    const one: Model<Plain | Timed> = mediaType === 'star' ? timed : plain;
    return json(defineList(one));
  };
}

const starred = listIn(Repository, StarredRepository);

const sorting = {
  ...variant,
  sort: optional(oneOf('created', 'updated')),
  direction: optional(oneOf('asc', 'desc')),
  ...paging,
};

const listStargazers = defineEndpoint<ListStargazers>('GET /repos/{owner}/{repo}/stargazers')({
  operation: 'starring.listStargazers',
  ...inVariant(),
  input: { ...inRepo, ...variant, ...paging },
  response: listIn(User, Stargazer),
});

const listStarredBy = defineEndpoint<ListStarredBy>('GET /users/{username}/starred')({
  operation: 'starring.listStarredBy',
  ...inVariant(),
  input: { username: filledText, ...sorting },
  response: starred,
});

const listStarred = defineEndpoint<ListStarred>('GET /user/starred')({
  operation: 'starring.listStarred',
  ...inVariant(),
  input: sorting,
  response: starred,
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
   * Lists the users who starred a repository. With `mediaType: 'star'`, each item contains
   * `starred_at` and `user`.
   * @throws {NotFoundError} if the repository doesn't exist or is hidden from the caller.
   * @example for await (const each of hosting.starring.listStargazers({ owner, repo })) console.log(each.login);
   */
  listStargazers<Variant extends StarMediaType = undefined>(
    input: ListStargazers<Variant>,
    options?: HostingListOptions,
  ): Paginated<StarIn<Variant, User, Stargazer>> {
    // `as`: the type of the items depends on the requested variant.
    const found = this.api.list(listStargazers, input, options);
    return found as Paginated<StarIn<Variant, User, Stargazer>>;
  }

  /**
   * `GET /users/{username}/starred`
   *
   * Lists the repositories that a user starred. With `mediaType: 'star'`, each item contains
   * `starred_at` and `repo`.
   * @throws {NotFoundError} if the user doesn't exist.
   * @example for await (const each of hosting.starring.listStarredBy({ username: 'mona' })) console.log(each.full_name);
   */
  listStarredBy<Variant extends StarMediaType = undefined>(
    input: ListStarredBy<Variant>,
    options?: HostingListOptions,
  ): Paginated<StarIn<Variant, Repository, StarredRepository>> {
    // `as`: the type of the items depends on the requested variant.
    const found = this.api.list(listStarredBy, input, options);
    return found as Paginated<StarIn<Variant, Repository, StarredRepository>>;
  }

  /**
   * `GET /user/starred`
   *
   * Lists the repositories that the authenticated user starred. With `mediaType: 'star'`, each item
   * contains `starred_at` and `repo`.
   * @throws {AuthenticationError} if credentials are missing or invalid.
   * @example for await (const each of hosting.starring.listStarred()) console.log(each.full_name);
   */
  listStarred<Variant extends StarMediaType = undefined>(
    input: ListStarred<Variant> = {},
    options?: HostingListOptions,
  ): Paginated<StarIn<Variant, Repository, StarredRepository>> {
    // `as`: the type of the items depends on the requested variant.
    const found = this.api.list(listStarred, input, options);
    return found as Paginated<StarIn<Variant, Repository, StarredRepository>>;
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
   * Stars a repository. The call is idempotent, so the client retries it after a temporary
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
   * temporary failure.
   * @example await hosting.starring.unstar({ owner, repo });
   */
  unstar(input: RepoInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(unstar, input, options);
  }
}
