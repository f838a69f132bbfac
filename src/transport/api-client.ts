import { checkOptions, forOneCall } from '../option-names.js';
import type { RateLimit } from '../response-info.js';
import { itemsSchema } from '../schema/items-schema.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { createCall, type JsonCall, perform, withSchema } from './call.js';
import {
  type AuthOptions,
  CallSettingsResolver,
  callNames,
  checkSignal,
  listNames,
} from './call-settings.js';
import { type RequestOptions, resolveConcurrency } from './options.js';
import { LinkPages } from './pagination/link-pages.js';
import { createSliceSchema, OffsetPages, type OffsetSlice } from './pagination/offset-pages.js';
import { type ListOptions, Paginated } from './pagination/paginated.js';
import type { LastCredentials, PreparedCall } from './policies/context.js';
import { destroyUnsent } from './request/body.js';
import type { Authorizer } from './request/credentials.js';
import type { Endpoint, ResponseSpec } from './request/endpoint.js';
import { secretsInHeaders } from './request/extra-inputs.js';
import { checkHeaders } from './request/fields.js';
import { nameOperation } from './request/name-operation.js';
import { type BuildContext, buildRequest, type RequestSpec } from './request/request-spec.js';
import type { CallResult } from './response/response-details.js';
import type { Transport } from './transport.js';

/** Settings that a list adds to its page requests. */
interface PageSettings extends Pick<PreparedCall<unknown>, 'isPrefetch' | 'onHeaders'> {
  readonly signal: AbortSignal;
}

/** Caller's schema for one item of a list. `whole` creates the schema for a page from it. */
interface OwnSchema {
  readonly schema: StandardSchema;
  readonly whole: (schema: StandardSchema) => StandardSchema;
}

export type RequestBuilder<Input> = (
  endpoint: Endpoint<Input, unknown>,
  input: Input,
  context: BuildContext,
) => RequestSpec;

/**
 * Sends the calls of all resources, with the same credentials unless a call sets `auth`. Several
 * API clients can share a transport, for example after `client.withAuth(…)`.
 */
export class ApiClient<Auth> {
  readonly transport: Transport;
  readonly authorizer: Authorizer;
  readonly #createAuthorizer: (auth: Auth) => Authorizer;
  readonly #callSettings: CallSettingsResolver<Auth>;
  readonly #lastCredentials: LastCredentials = { fingerprint: undefined };

  constructor(
    transport: Transport,
    authorizer: Authorizer,
    createAuthorizer: (auth: Auth) => Authorizer,
  ) {
    this.transport = transport;
    this.#createAuthorizer = createAuthorizer;
    this.authorizer = authorizer;
    const { timeouts, retry, validation } = transport.settings;
    const lastCredentials = this.#lastCredentials;
    const defaults = { authorizer, lastCredentials, timeouts, retry, validation };
    this.#callSettings = new CallSettingsResolver(defaults, createAuthorizer);
  }

  /** Rate limit that recent responses reported. Undefined before this client's first request. */
  get rateLimit(): RateLimit | undefined {
    const { fingerprint } = this.#lastCredentials;
    return fingerprint === undefined ? undefined : this.transport.rateLimit(fingerprint);
  }

  /** When the pause of this client's credentials ends, in epoch ms. In the past if there is none. */
  get pausedUntil(): number {
    return this.transport.pausedUntil(this.#lastCredentials.fingerprint ?? '');
  }

  /** Creates a client that uses another credential with the same transport. */
  withAuth(auth: Auth): ApiClient<Auth> {
    return new ApiClient(this.transport, this.#createAuthorizer(auth), this.#createAuthorizer);
  }

  /**
   * Sends a request immediately. Returns a rejected promise if the input is invalid. Never throws.
   * @param build custom request builder. With a custom builder, a failed call destroys the input's
   * streams.
   */
  call<Input extends object, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    options?: AuthOptions<Auth>,
    names: Readonly<Record<string, true>> = callNames,
    build: RequestBuilder<Input> = buildRequest,
  ): JsonCall<Output> {
    const { operation, response } = endpoint;
    return this.send(
      operation,
      (context) => build(endpoint, input, context),
      typeof response === 'function' ? () => response(input) : response,
      options,
      names,
      build === buildRequest ? undefined : input,
    );
  }

  /**
   * Sends a request like {@link call}, but without an endpoint declaration.
   * @param responseSpec rules for the response, or a function that returns them after `build`.
   * @param input input whose streams are destroyed if the call fails.
   */
  send<Output>(
    operation: string,
    build: (context: BuildContext) => RequestSpec,
    responseSpec: ResponseSpec<Output> | (() => ResponseSpec<Output>),
    options?: AuthOptions<Auth>,
    names: Readonly<Record<string, true>> = callNames,
    input?: object,
  ): JsonCall<Output> {
    let prepared: PreparedCall<Output> | undefined;
    let running: Promise<CallResult<Output>>;
    // Not an async function, because it would create one more promise per call.
    try {
      const spec = build(this.#context(options, names));
      prepared = this.#prepare(spec, responseSpec, options);
      running = perform(this.transport, prepared);
    } catch (error) {
      running = Promise.reject(nameOperation(error, operation));
    }
    if (input) destroyUnsent(input, running);
    return createCall(running, prepared);
  }

  /** Creates a list that follows `Link` headers. */
  list<Input extends object, Item>(
    endpoint: Endpoint<Input, Item[]>,
    input: Input,
    options?: AuthOptions<Auth> & ListOptions,
  ): Paginated<Item> {
    const { operation, response } = endpoint;
    return this.followLinks(
      operation,
      (context) => buildRequest(endpoint, input, context),
      typeof response === 'function' ? () => response(input) : response,
      options,
      new Set(Object.keys(endpoint.input)),
    );
  }

  /**
   * Creates a list like {@link list}, but with a custom request builder.
   * @param inputs names of the endpoint's inputs.
   */
  followLinks<Item>(
    operation: string,
    build: (context: BuildContext) => RequestSpec,
    responseSpec: ResponseSpec<Item[]> | (() => ResponseSpec<Item[]>),
    options?: AuthOptions<Auth> & ListOptions,
    inputs: ReadonlySet<string> = new Set(),
  ): Paginated<Item> {
    const { concurrency, trustedOrigins } = this.transport.settings;
    const { credentialParameters } = this.authorizer;
    return new Paginated(
      (schema) => {
        const own = schema === undefined ? undefined : { schema, whole: itemsSchema };
        return new LinkPages(
          operation,
          () => build(this.#context(options, listNames)),
          (spec, page) =>
            perform(this.transport, this.#prepare(spec, responseSpec, options, page, own)),
          { trustedOrigins, credentialParameters, inputs },
        );
      },
      options,
      concurrency,
    );
  }

  /** Creates a list that is paged by a 0-based `index`. */
  listByOffset<Input extends { readonly index?: number | undefined }, Item>(
    endpoint: Endpoint<Input, OffsetSlice<Item>>,
    input: Input,
    options?: AuthOptions<Auth> & ListOptions,
  ): Paginated<Item> {
    return this.followOffsets(
      endpoint.operation,
      // JavaScript callers may pass null, which `buildRequest` rejects.
      () => input?.index,
      // Omit the initial index of 0 unless the caller set it.
      (index, context) =>
        buildRequest(
          endpoint,
          index === 0 && input?.index === undefined ? input : { ...input, index },
          context,
        ),
      () => resolveResponseSpec(endpoint, input),
      options,
    );
  }

  /** Creates a list like {@link listByOffset}, but with a custom request builder. */
  followOffsets<Item>(
    operation: string,
    start: () => number | undefined,
    build: (index: number, context: BuildContext) => RequestSpec,
    responseSpec: () => ResponseSpec<OffsetSlice<Item>>,
    options?: AuthOptions<Auth> & ListOptions,
  ): Paginated<Item> {
    return new Paginated(
      (schema) => {
        const own = schema === undefined ? undefined : { schema, whole: createSliceSchema };
        return new OffsetPages(
          operation,
          start() ?? 0,
          (index) => build(index, this.#context(options, listNames)),
          (spec, page) =>
            perform(this.transport, this.#prepare(spec, responseSpec, options, page, own)),
        );
      },
      options,
      this.transport.settings.concurrency,
    );
  }

  /**
   * Creates the context for building requests.
   * @throws {InvalidRequestError} if an option is unknown or invalid, or a header can't be sent.
   */
  #context(
    options: (RequestOptions & Pick<ListOptions, 'concurrency'>) | undefined,
    names: Readonly<Record<string, true>>,
  ): BuildContext {
    if (options !== undefined) {
      forOneCall(() => {
        checkOptions(options, names);
        resolveConcurrency(options.concurrency);
      });
    }
    const { base, media, accept, headers, secrets } = this.transport.settings;
    const own = options?.headers === undefined ? undefined : checkHeaders(options.headers);
    return {
      base,
      media,
      accept,
      headers: own ? mergeHeaders(headers, own) : headers,
      secrets: own ? [...secrets, ...secretsInHeaders(own)] : secrets,
      extra: options?.extra,
      optionNames: names,
      credentialParameters: this.authorizer.credentialParameters,
    };
  }

  /** @throws {InvalidRequestError} if an option or the caller's schema is invalid. */
  #prepare<Output>(
    spec: RequestSpec,
    responseSpec: ResponseSpec<Output> | (() => ResponseSpec<Output>),
    options: AuthOptions<Auth> | undefined,
    page?: PageSettings,
    own?: OwnSchema,
  ): PreparedCall<Output> {
    const { defaults } = this.#callSettings;
    const declared = typeof responseSpec === 'function' ? responseSpec() : responseSpec;
    const further = page ? [page.signal] : [];
    return {
      spec,
      responseSpec: own ? withSchema(declared, own.schema, own.whole) : declared,
      isDecoded: false,
      signals: options?.signal ? [checkSignal(options.signal), ...further] : further,
      isPrefetch: page?.isPrefetch,
      onHeaders: page?.onHeaders,
      ...(options === undefined ? defaults : forOneCall(() => this.#callSettings.resolve(options))),
    };
  }
}

/**
 * Base class of all resources. Its client is private, so printing a resource doesn't show the
 * client.
 */
export abstract class Resource<Auth> {
  readonly #api: ApiClient<Auth>;

  constructor(api: ApiClient<Auth>) {
    this.#api = api;
  }

  protected get api(): ApiClient<Auth> {
    return this.#api;
  }
}

export function resolveResponseSpec<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
): ResponseSpec<Output> {
  return typeof endpoint.response === 'function' ? endpoint.response(input) : endpoint.response;
}

/** Merges the client's headers with a call's headers, which take precedence. */
function mergeHeaders(shared: BuildContext['headers'], own: BuildContext['headers']) {
  const given = new Set(own.map(([name]) => name));
  return [...shared.filter(([name]) => !given.has(name)), ...own];
}
