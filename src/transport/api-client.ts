import { checkOptions, forOneCall } from '../option-names.js';
import type { RateLimit, ResponseInfo } from '../response-info.js';
import { isStandardSchema, itemsSchema, type StandardSchema } from '../schema/standard-schema.js';
import { describeKind } from '../schema/unknown-values.js';
import { Deadline } from './dispatch/deadline.js';
import { ResponseStream } from './dispatch/response-stream.js';
import type { RawResponse } from './http/raw-response.js';
import {
  type AuthOptions,
  callNames,
  checkSignal,
  listNames,
  type RequestOptions,
  resolveConcurrency,
  resolveRetry,
  resolveTimeouts,
  resolveValidation,
} from './options.js';
import { LinkPages } from './pagination/link-pages.js';
import type { PageFetcher } from './pagination/page-walker.js';
import { type ListOptions, Paginated } from './pagination/paginated.js';
import {
  createCallFailureError,
  createInterruptedError,
  createRejectedError,
  waitUnlessInterrupted,
} from './policies/call-errors.js';
import { CallContext, type LastCredentials, type PreparedCall } from './policies/context.js';
import { destroyUnsent } from './request/body.js';
import type { Authorizer } from './request/credentials.js';
import type { Endpoint, ResponseSpec } from './request/endpoint.js';
import { checkHeaders, mergeHeaders, secretsInHeaders } from './request/fields.js';
import { createInputError, nameOperation } from './request/input.js';
import { type BuildContext, buildRequest, type RequestSpec } from './request/request-spec.js';
import { parseResponse } from './response/parse-response.js';
import type { CallResult, ResponseDetails, WithResponse } from './response/response-details.js';
import type { Transport } from './transport.js';

/** Settings for a page's request, in addition to the list's settings. */
interface PageSending extends Pick<PreparedCall<unknown>, 'onHeaders'> {
  readonly signal: AbortSignal;
}

interface PageSettings extends PageSending {
  /** Caller's schema for one item, which replaces the endpoint's model. */
  readonly schema: StandardSchema | undefined;
  /** Creates the schema for a page from the schema for one item. */
  readonly whole: (schema: StandardSchema) => StandardSchema;
}

/** Endpoint whose requests need more than its declaration, such as an upload or a route. */
interface CustomEndpoint<Input, Output>
  extends Pick<Endpoint<Input, Output>, 'operation' | 'response'> {
  /** @throws {InvalidRequestError} if the input or an option is invalid. */
  readonly build: (input: Input, context: BuildContext) => RequestSpec;
  /** Whether to destroy the input's streams if the call fails. Default: false. */
  readonly destroysStreams?: boolean | undefined;
}

export type AnyEndpoint<Input, Output> = Endpoint<Input, Output> | CustomEndpoint<Input, Output>;

/** Settings that a call can override. */
type CallSettings = Pick<
  PreparedCall<unknown>,
  'authorizer' | 'lastCredentials' | 'timeouts' | 'retry' | 'validation'
>;

/**
 * Sends every resource's calls with the same credentials, unless a call sets `auth`. Several API
 * clients can share a transport, for example after `client.withAuth(…)`.
 */
export class ApiClient<Auth> {
  // Private, so that printing or serializing an API client doesn't show the credentials.
  readonly #transport: Transport;
  readonly #createAuthorizer: (auth: Auth) => Authorizer;
  readonly #lastCredentials: LastCredentials = { fingerprint: undefined };
  /** Settings for calls without options. */
  readonly #defaults: CallSettings;
  /**
   * Cached authorizers for calls with their own `auth`. All pages of a list share an authorizer.
   */
  readonly #authorizers = new WeakMap<object, Authorizer>();

  constructor(
    transport: Transport,
    authorizer: Authorizer,
    createAuthorizer: (auth: Auth) => Authorizer,
  ) {
    this.#transport = transport;
    this.#createAuthorizer = createAuthorizer;
    const { timeouts, retry, validation } = transport.settings;
    const lastCredentials = this.#lastCredentials;
    this.#defaults = { authorizer, lastCredentials, timeouts, retry, validation };
  }

  get transport(): Transport {
    return this.#transport;
  }

  get authorizer(): Authorizer {
    return this.#defaults.authorizer;
  }

  /** Rate limit that recent responses reported. Undefined before this client's first request. */
  get rateLimit(): RateLimit | undefined {
    const { fingerprint } = this.#lastCredentials;
    return fingerprint === undefined ? undefined : this.#transport.rateLimit(fingerprint);
  }

  /** Creates an API client with the same transport but different credentials. */
  withAuth(auth: Auth): ApiClient<Auth> {
    return new ApiClient(this.#transport, this.#createAuthorizer(auth), this.#createAuthorizer);
  }

  /**
   * Sends a request immediately. Returns a rejected promise if the input is invalid. Never throws.
   * @param optionNames names of the accepted options. Default: options that every call accepts.
   */
  call<Input extends object, Output>(
    endpoint: AnyEndpoint<Input, Output>,
    input: Input,
    options?: AuthOptions<Auth>,
    optionNames: Readonly<Record<string, true>> = callNames,
  ): JsonCall<Output> {
    let prepared: PreparedCall<Output> | undefined;
    let running: Promise<CallResult<Output>>;
    // Not async, because an async function would create one more promise per call.
    try {
      const spec = this.#build(endpoint, input, options, optionNames);
      prepared = this.#prepare(endpoint, input, spec, options);
      running = perform(this.#transport, prepared);
    } catch (error) {
      running = Promise.reject(nameOperation(error, endpoint.operation));
    }
    if ('destroysStreams' in endpoint && endpoint.destroysStreams) destroyUnsent(input, running);
    return createCall(running, prepared);
  }

  /** Creates a list that follows `Link` headers. */
  list<Input extends object, Item>(
    endpoint: AnyEndpoint<Input, Item[]>,
    input: Input,
    options?: AuthOptions<Auth> & ListOptions,
    optionNames: Readonly<Record<string, true>> = listNames,
  ): Paginated<Item> {
    const { trustedOrigins } = this.#transport.settings;
    const { credentialParameters } = this.#defaults.authorizer;
    const inputs = new Set('input' in endpoint ? Object.keys(endpoint.input) : []);
    const context = { trustedOrigins, credentialParameters, inputs };
    return this.createList(endpoint, input, options, optionNames, itemsSchema, (build, send) => {
      return new LinkPages(endpoint.operation, build, send, context);
    });
  }

  /**
   * Creates a list.
   * @param whole creates the schema for a page from the caller's schema for one item.
   * @param createFetcher creates the fetcher for one iteration. Its arguments are two functions:
   * `build` builds the request for a page's input (default: the list's input), and `send` sends it.
   */
  createList<Input extends object, Slice, Item>(
    endpoint: AnyEndpoint<Input, Slice>,
    input: Input,
    options: (AuthOptions<Auth> & ListOptions) | undefined,
    optionNames: Readonly<Record<string, true>>,
    whole: PageSettings['whole'],
    createFetcher: (
      build: (page?: Input) => RequestSpec,
      send: (spec: RequestSpec, page: PageSending) => Promise<CallResult<Slice>>,
    ) => PageFetcher<Item>,
  ): Paginated<Item> {
    const build = (page = input) => this.#build(endpoint, page, options, optionNames);
    return new Paginated(
      (schema) =>
        createFetcher(build, (spec, page) => {
          const settings = { ...page, schema, whole };
          const call = this.#prepare(endpoint, input, spec, options, settings);
          return perform(this.#transport, call);
        }),
      options,
      this.#transport.settings.concurrency,
    );
  }

  /**
   * Builds a request without any I/O.
   * @throws {InvalidRequestError} if an input or an option is unknown or invalid, or a header can't
   * be sent.
   */
  #build<Input extends object, Output>(
    endpoint: AnyEndpoint<Input, Output>,
    input: Input,
    options: (RequestOptions & Pick<ListOptions, 'concurrency'>) | undefined,
    names: Readonly<Record<string, true>>,
  ): RequestSpec {
    if (options !== undefined) {
      forOneCall(() => {
        checkOptions(options, names);
        resolveConcurrency(options.concurrency);
      });
    }
    const { base, media, accept, headers, secrets } = this.#transport.settings;
    const own = options?.headers === undefined ? undefined : checkHeaders(options.headers);
    const context: BuildContext = {
      base,
      media,
      accept,
      headers: own ? mergeHeaders(headers, own) : headers,
      secrets: own ? [...secrets, ...secretsInHeaders(own)] : secrets,
      optionNames: names,
      credentialParameters: this.#defaults.authorizer.credentialParameters,
    };
    return 'build' in endpoint
      ? endpoint.build(input, context)
      : buildRequest(endpoint, input, context);
  }

  /** @throws {InvalidRequestError} if an option is invalid. */
  #prepare<Input, Output>(
    { response }: AnyEndpoint<Input, Output>,
    input: Input,
    spec: RequestSpec,
    options: AuthOptions<Auth> | undefined,
    page?: PageSettings,
  ): PreparedCall<Output> {
    const given = typeof response === 'function' ? response(input) : response;
    const further = page ? [page.signal] : [];
    return {
      spec,
      responseSpec: page?.schema === undefined ? given : withSchema(given, page.schema, page.whole),
      isDecoded: false,
      signals: options?.signal ? [checkSignal(options.signal), ...further] : further,
      onHeaders: page?.onHeaders,
      ...(options === undefined ? this.#defaults : forOneCall(() => this.#resolve(options))),
    };
  }

  /**
   * Resolves a call's settings. Unset options fall back to the client's settings.
   * @throws {ConfigurationError} if an option is invalid.
   */
  #resolve({ auth, timeout, retry, validation }: AuthOptions<Auth>): CallSettings {
    const defaults = this.#defaults;
    return {
      authorizer: auth === undefined ? defaults.authorizer : this.#authorizerFor(auth),
      lastCredentials: auth === undefined ? defaults.lastCredentials : undefined,
      timeouts: resolveTimeouts(timeout, defaults.timeouts),
      retry: resolveRetry(retry, defaults.retry),
      validation: resolveValidation(validation, defaults.validation),
    };
  }

  #authorizerFor(auth: Auth): Authorizer {
    const isObject = typeof auth === 'function' || (typeof auth === 'object' && auth !== null);
    if (!isObject) return this.#createAuthorizer(auth);
    const known = this.#authorizers.get(auth);
    if (known) return known;
    const made = this.#createAuthorizer(auth);
    this.#authorizers.set(auth, made);
    return made;
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

/**
 * Native promise that every method returns, except the list methods. The call starts immediately,
 * even if you don't await it.
 */
export interface Call<T> extends Promise<T> {
  /** Resolves to the result together with the response's status, headers, rate limit and scopes. */
  withResponse(): Promise<WithResponse<T>>;
}

/** A {@link Call} whose response is JSON. `Missing` is the result of a 404 that isn't an error. */
export interface JsonCall<T, Missing = never> extends Call<T> {
  /**
   * Validates the response with your schema instead of the method's model. Accepts any Standard
   * Schema (zod, valibot, arktype) or a triforge model. The result is the schema's output. Call
   * `as` before any `await`, and await the promise that it returns. The original promise then
   * rejects.
   * @throws {InvalidRequestError} (rejects) if `schema` isn't a schema, or the response is already
   * decoded. The promise rejects immediately, but the request is sent anyway.
   * @throws {ResponseShapeError} (rejects) if the response doesn't match `schema`, regardless of
   * `validation`.
   * @example await hosting.pulls.get({ owner, repo, number: 1 }).as(z.object({ title: z.string()
   * }));
   */
  as<Output>(schema: StandardSchema<Output>): JsonCall<Output | Missing, Missing>;
}

/**
 * A call's result. The response details are created on first access, because most calls don't use
 * them. Not an object literal with a getter, because V8 keeps such an object, and thus the
 * response's body, alive until the next full garbage collection.
 */
class PerformedCall<T> implements CallResult<T> {
  readonly #context: CallContext;

  constructor(
    readonly data: T,
    context: CallContext,
  ) {
    this.#context = context;
  }

  get response(): ResponseDetails {
    return this.#context.response;
  }
}

/** Sends a call through the client's policies and decodes the response. */
export async function perform<T>(
  { inFlight, send, settings }: Transport,
  call: PreparedCall<T>,
): Promise<CallResult<T>> {
  const { total, totalIncludesLimits } = call.timeouts;
  const deadline = new Deadline(call.signals, total, totalIncludesLimits);
  const context = new CallContext(call, settings, deadline);
  inFlight.addCall(deadline);
  try {
    if (call.spec.read) await waitUnlessInterrupted(context, context.readFiles());
    const raw = await send(context.request, context);
    if (raw.failed) throw createCallFailureError(context, raw);
    call.isDecoded = true;
    context.head = { status: raw.status, statusText: raw.statusText, headers: raw.headers };
    if (raw.status < 200 || raw.status > 299) rejectStatus(call.responseSpec, context, raw);
    // The server has executed the call, so later errors must report `mayHaveActed`.
    context.mayHaveActed = true;
    if (raw.body instanceof ResponseStream) raw.body.handOut(call.signals, inFlight);
    const sent = call.onHeaders?.(context.response);
    if (sent) await sent;
    const data = parseResponse({
      responseSpec: call.responseSpec,
      raw,
      call: context,
      validation: call.validation,
      writes: context.writes,
      publish: settings.publish,
      reads: call.spec.retry === 'safe',
    });
    // Only a caller's schema or an endpoint's mapping can be asynchronous.
    const settled = data instanceof Promise ? await waitUnlessInterrupted(context, data) : data;
    if (context.settled) context.settle(true);
    return new PerformedCall(settled, context);
  } catch (error) {
    throw nameOperation(error, context.operation);
  } finally {
    if (context.settled) context.settle(false);
    inFlight.removeCall(deadline);
  }
}

/** @throws {ApiError} unless a 404 is an expected result. */
function rejectStatus(
  responseSpec: ResponseSpec<unknown>,
  context: CallContext,
  raw: RawResponse,
): void {
  if (raw.status >= 400 && context.deadline.interruption) throw createInterruptedError(context);
  const isMissing =
    raw.status === 404 && (responseSpec.kind === 'exists' || responseSpec.nullOn404 === true);
  if (!isMissing) throw createRejectedError(context, raw);
}

/**
 * Adds a call's methods to the promise for a running request. A subclass of Promise would lose the
 * caller's line in stack traces. An unhandled failure causes only one unhandled rejection.
 * @param call call whose model `as` replaces. Undefined if there is no model.
 */
export function createCall<T>(
  running: Promise<WithResponse<T>>,
  call?: PreparedCall<unknown>,
): JsonCall<T> {
  const responseSpec = call?.responseSpec;
  const data = running.then((settled) => {
    if (call?.responseSpec !== responseSpec) {
      const why = "this call's schema was replaced. Await the promise that as() returned.";
      throw createInputError('as', why);
    }
    return settled.data;
  });
  return Object.assign(data, {
    async withResponse(): Promise<WithResponse<T>> {
      const result = await data;
      const { response } = await running;
      return { data: result, response };
    },
    as<Output>(schema: StandardSchema<Output>): JsonCall<Output> {
      // The caller handles the promise that `as` returns, so ignore this rejection.
      data.catch(() => undefined);
      let validated = running;
      try {
        if (call?.isDecoded) {
          throw createInputError(
            'as',
            "must be called before the response is decoded. Call as() on the method's result, before any await.",
          );
        }
        if (call) call.responseSpec = withSchema(call.responseSpec, schema);
      } catch (error) {
        validated = Promise.reject(error);
      }
      // `as`: the schema validates the response.
      return createCall(
        validated as Promise<WithResponse<unknown>> as Promise<WithResponse<Output>>,
        call,
      );
    },
  });
}

/**
 * Replaces an endpoint's model with the caller's schema.
 * @param whole wraps the caller's schema, for example if the schema validates one item of a list.
 * Default: no wrapping.
 * @throws {InvalidRequestError} if `schema` isn't a schema, or the response isn't JSON.
 */
function withSchema<T>(
  responseSpec: ResponseSpec<T>,
  schema: StandardSchema,
  whole: (schema: StandardSchema) => StandardSchema = (each) => each,
): ResponseSpec<T> {
  if (!isStandardSchema(schema)) {
    throw createInputError(
      'as',
      `must be a Standard Schema, such as zod's z.object({ … }) (got ${describeKind(schema)})`,
    );
  }
  if (responseSpec.kind !== 'json') {
    throw createInputError('as', 'must not be called on a method whose response is not JSON');
  }
  // A 404 that isn't an error has no output.
  const map = (value: unknown, { status }: ResponseInfo) => (status === 404 ? null : value);
  const own = { schema: whole(schema), map, isStrict: true, unspecified: false };
  // `as`: the result has the type of the schema's output.
  return { ...responseSpec, ...own } as ResponseSpec<T>;
}
