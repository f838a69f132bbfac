import type { ApiClient, Call } from './api-client.js';
import { type AuthOptions, callNames, listNames } from './options.js';
import type { ListOptions, Paginated } from './pagination/paginated.js';
import type { ResponseSpec } from './request/endpoint.js';
import {
  type ApiFamily,
  buildRouteRequest,
  createListSpec,
  createResponseSpec,
  type RequiredVariable,
  type ResponseType,
  type Route,
  type RouteInputs,
  type RouteOptions,
  type RouteResult,
  type RouteResultOptions,
} from './request/route.js';

/** Parts of a {@link BaseClient} that differ between the APIs. */
export interface ClientParts<Auth> {
  readonly api: ApiClient<Auth>;
  readonly family: ApiFamily;
  /** Creates a copy of the client with another API client and other credentials. */
  readonly derive: (api: ApiClient<Auth>, auth: Auth) => object;
}

/** Arguments after the route. `inputs` can be omitted if the route has no required variables. */
export type RouteArguments<R extends string, Options> = [RequiredVariable<R>] extends [never]
  ? [inputs?: RouteInputs<R>, options?: Options]
  : [inputs: RouteInputs<R>, options?: Options];

/** Options for a request that no method covers. */
export type RequestRouteOptions<Auth, T, Type extends ResponseType> = AuthOptions<Auth> &
  RouteResultOptions<T, Type>;

/** Options for a list that no method covers. */
export type PaginateRouteOptions<Auth, T> = AuthOptions<Auth> &
  ListOptions &
  Omit<RouteOptions<T>, 'encoding' | 'idempotent'>;

const requestNames: Readonly<Record<string, true>> = {
  ...callNames,
  schema: true,
  responseType: true,
  encoding: true,
  idempotent: true,
  secret: true,
};

export const paginateNames: Readonly<Record<string, true>> = {
  ...listNames,
  schema: true,
  secret: true,
};

/** Methods that the clients of all three APIs share. */
export abstract class BaseClient<Auth> {
  readonly #parts: ClientParts<Auth>;

  constructor(parts: ClientParts<Auth>) {
    this.#parts = parts;
  }

  /**
   * Sends a request that no method covers. `route` is an HTTP method and a path. `inputs` contains
   * the values of the path's variables. Other inputs are sent in the query of a GET or HEAD, and in
   * the body otherwise. The response is processed as in a built-in method. For example, on the
   * support API, `success: false` throws an `OperationFailedError`.
   * @throws {InvalidRequestError} if an input or an option is invalid.
   * @example const repository = await client.request(
   *   'GET /repos/{owner}/{repo}',
   *   { owner: 'acme', repo: 'rocket' },
   *   { schema: z.object({ full_name: z.string() }) },
   * );
   */
  request<const R extends Route, T = unknown, Type extends ResponseType = 'json'>(
    route: R,
    ...given: RouteArguments<R, RequestRouteOptions<Auth, T, Type>>
  ): Call<RouteResult<R, T, Type>> {
    const [input = {}, options = {}] = given;
    const { api, family } = this.#parts;
    return api.call(
      {
        operation: 'request',
        build: (inputs, context) => buildRouteRequest(route, inputs, options, family, context),
        response: () =>
          // `as`: the response has the type that the route and the options determine.
          createResponseSpec(route, options, family) as ResponseSpec<RouteResult<R, T, Type>>,
      },
      input,
      options,
      requestNames,
    );
  }

  /**
   * Returns a list that no method covers. `inputs` contains the values of the path's variables.
   * Other inputs are sent in the query. The `schema` option validates each item. Support API lists
   * are paged by `index`, and all other lists by `Link` headers.
   * @throws {InvalidRequestError} (when iterated) if an input or an option is invalid.
   * @example for await (const label of client.paginate(
   *   'GET /repos/{owner}/{repo}/labels',
   *   { owner: 'acme', repo: 'rocket', per_page: 100 },
   *   { schema: z.object({ name: z.string() }) },
   * )) console.log(label.name);
   */
  paginate<const R extends `GET ${string}`, T = unknown>(
    route: R,
    ...given: RouteArguments<R, PaginateRouteOptions<Auth, T>>
  ): Paginated<T> {
    const [input = {}, options = {}] = given;
    const { api, family } = this.#parts;
    return api.list(
      {
        operation: 'request',
        build: (inputs, context) => buildRouteRequest(route, inputs, options, family, context),
        response: () => createListSpec(options.schema),
      },
      input,
      options,
      paginateNames,
    );
  }

  /**
   * Returns a copy of this client with other credentials. Both clients share sockets and
   * `maxConcurrency`. Each credential has its own rate limit.
   */
  withAuth(auth: Auth): this {
    const { api, derive } = this.#parts;
    // `as`: `derive` creates a client of the same class.
    return derive(api.withAuth(auth), auth) as this;
  }

  /**
   * Closes the client and its connections. Calls in flight and new calls fail with a
   * `ConnectionError`, and open streams with a `ResponseBodyError`, so await your calls first. A
   * dispatcher that you passed stays open. Clients created by `withAuth` close too.
   */
  async close(): Promise<void> {
    await this.#parts.api.transport.close();
  }

  /** Closes the client, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
