import type { ApiClient } from './api-client.js';
import type { Call } from './call.js';
import type { AuthOptions } from './call-settings.js';
import type { Extension, OwnEndpoints } from './declaration.js';
import { createExtensionMethods, type ExtensionMethod } from './extension.js';
import type { CloseOptions } from './options.js';
import type { ListOptions, Paginated } from './pagination/paginated.js';
import {
  type ApiFamily,
  type AuthScheme,
  createListSpec,
  createResponseSpec,
} from './request/endpoint-properties.js';
import { buildRawRequest, type RawRequest } from './request/raw-request.js';
import type { BuildContext, RequestSpec } from './request/request-spec.js';

/** Parts of a {@link BaseClient} that differ between the APIs. */
export interface ClientParts<Auth> {
  readonly api: ApiClient<Auth>;
  readonly family: ApiFamily;
  readonly added: readonly ExtensionMethod[];
  /**
   * Creates a copy of the client with another API client or other methods. `auth` is undefined if
   * the credentials stay the same.
   */
  readonly derive: (api: ApiClient<Auth>, added: readonly ExtensionMethod[], auth?: Auth) => object;
}

const clientParts = new WeakMap<object, Omit<ClientParts<never>, 'derive'>>();

/**
 * Returns a client's parts, which the OpenAPI generator reads. Undefined if the object isn't a
 * client.
 */
export function readParts(client: object) {
  return clientParts.get(client);
}

/**
 * Methods that the clients of all three APIs share. All other members are private fields, because
 * public names would be unavailable for endpoints that users add.
 */
export abstract class BaseClient<Auth, Schemes extends AuthScheme> {
  readonly #parts: ClientParts<Auth>;

  constructor(parts: ClientParts<Auth>) {
    this.#parts = parts;
    clientParts.set(this, parts);
  }

  /**
   * Sends a request that no method covers. Processes the response like a built-in method. For
   * example, on the support API, `success: false` throws an `OperationFailedError`.
   * @throws {InvalidRequestError} if the path, method or body can't be sent.
   * @example await client.request({ method: 'POST', path: '/markdown', json: { text: '# Hello' }
   * });
   */
  request<T = unknown>(request: RawRequest<T>, options?: AuthOptions<Auth>): Call<T> {
    const { api, family } = this.#parts;
    return sendRaw(
      api,
      family,
      request,
      (context) => buildRawRequest(request, family, context),
      options,
    );
  }

  /**
   * Returns a list that no method covers. `schema` validates each item. Support API lists are paged
   * by `index`, and all other lists by `Link` headers.
   * @throws {InvalidRequestError} (when iterated) if the path, method or body can't be sent.
   * @example for await (const label of client.paginate({ path: '/repos/acme/rocket/labels' }))
   * console.log(label);
   */
  paginate<T = unknown>(
    request: RawRequest<T>,
    options?: AuthOptions<Auth> & ListOptions,
  ): Paginated<T> {
    const { api, family } = this.#parts;
    return api.followLinks(
      'request',
      (context) => buildRawRequest(request, family, context),
      () => createListSpec(request.schema),
      options,
    );
  }

  /**
   * Returns a copy of this client that also has your own endpoints. Declare the endpoints with
   * `endpoint` from `triforge/extend`. Your endpoints have the same checks, errors, retries and
   * masking as the built-in ones. The original client doesn't change.
   * @throws {ConfigurationError} if a declaration is invalid or its name is taken. The message
   * names the declaration.
   * @example const own = client.extend({ issues: { list: endpoint({ path: '/issues', paginate:
   * 'link' }) } });
   */
  extend<const Declared extends OwnEndpoints<Schemes>>(
    endpoints: Declared,
  ): this & Extension<Declared, Auth> {
    const { api, family, added, derive } = this.#parts;
    // `as`: the methods' types are inferred from the declarations.
    return derive(api, [...added, ...createExtensionMethods(endpoints, family)]) as this &
      Extension<Declared, Auth>;
  }

  /**
   * Returns a copy of this client with other credentials. Both clients share sockets and
   * `maxConcurrency`. Each credential has its own rate limit.
   */
  withAuth(auth: Auth): this {
    const { api, added, derive } = this.#parts;
    // `as`: the copy also has the methods added by `extend`.
    return derive(api.withAuth(auth), added, auth) as this;
  }

  /**
   * Forgets all rate limits and pauses that responses reported, and sends the waiting calls. Also
   * applies to clients created by `withAuth` and `extend`. In tests, call this method after you
   * move the emulator's clock. Limits in a shared store (`rateLimit.shared`) aren't reset.
   */
  resetLimits(): void {
    this.#parts.api.transport.resetLimits();
  }

  /**
   * Closes the client. New calls fail immediately. Calls in flight have `gracePeriod` milliseconds
   * to finish. After this time, they fail with a `ConnectionError`, and all connections are closed.
   * Unread streams end immediately. A dispatcher that you passed stays open. Clients created by
   * `withAuth` and `extend` close too.
   * @throws {InvalidRequestError} if `gracePeriod` isn't a number of milliseconds.
   */
  async close(options?: CloseOptions): Promise<void> {
    await this.#parts.api.transport.close(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Sends a request created by `build`. The API family determines how the response is read. */
export function sendRaw<T, Auth>(
  api: ApiClient<Auth>,
  family: ApiFamily,
  request: RawRequest<T>,
  build: (context: BuildContext) => RequestSpec,
  options: AuthOptions<Auth> | undefined,
): Call<T> {
  return api.send('request', build, () => createResponseSpec(request, family), options);
}
