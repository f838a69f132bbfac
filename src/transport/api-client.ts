import { checkOptions, forOneCall } from '../option-names.js';
import type { RateLimit } from '../response-info.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import {
  type AuthOptions,
  callNames,
  checkSignal,
  listNames,
  SettingsOfCalls,
} from './call-settings.js';
import { type RequestOptions, type ResultOf, resolveConcurrency } from './options.js';
import { judgedBy } from './own-schema.js';
import { linkFetcher } from './pagination/link-pages.js';
import { type OffsetSlice, offsetFetcher, sliceSchema } from './pagination/offset-pages.js';
import { type ListOptions, Paginated } from './pagination/paginated.js';
import type { PreparedCall } from './prepared-call.js';
import { destroyUnsent } from './request/body.js';
import type { Authorizer } from './request/credentials.js';
import type { Answer, Endpoint } from './request/endpoint.js';
import { secretsInHeaders } from './request/extra-inputs.js';
import { checkHeaders } from './request/fields.js';
import { itemsSchema } from './request/raw-request.js';
import { type BuildContext, buildRequest, type RequestSpec } from './request/request-spec.js';
import { type Answered, type Call, callOf } from './response/answer-info.js';
import type { Transport } from './transport.js';

/** What a list adds to the requests of its pages. */
interface PageHooks {
  readonly signal: AbortSignal;
  readonly isAhead: PreparedCall<unknown>['isAhead'];
  readonly arrived?: PreparedCall<unknown>['arrived'];
}

/**
 * What resources call through: one credential over a transport that others may share.
 * `client.withAuth(…)` is another one over the same transport.
 */
export class ApiClient<Auth> {
  readonly transport: Transport;
  readonly authorizer: Authorizer;
  readonly #authorizerOf: (auth: Auth) => Authorizer;
  readonly #calls: SettingsOfCalls<Auth>;
  /** Of the last request; empty for one without credentials. */
  #lastFingerprint: string | undefined;

  constructor(
    transport: Transport,
    authorizer: Authorizer,
    authorizerOf: (auth: Auth) => Authorizer,
  ) {
    this.transport = transport;
    this.#authorizerOf = authorizerOf;
    this.authorizer = {
      queryNames: authorizer.queryNames,
      refusalNote: authorizer.refusalNote,
      credentials: (requirement, signal) => {
        const given = authorizer.credentials(requirement, signal);
        if (given instanceof Promise) {
          return given.then((credentials) => {
            this.#lastFingerprint = credentials?.fingerprint ?? '';
            return credentials;
          });
        }
        this.#lastFingerprint = given?.fingerprint ?? '';
        return given;
      },
      ...(authorizer.renew && { renew: authorizer.renew.bind(authorizer) }),
    };
    this.#calls = new SettingsOfCalls(this.authorizer, authorizerOf, transport.settings);
  }

  /** The budget as the last answers told; undefined before this client's first request. */
  get rateLimit(): RateLimit | undefined {
    const last = this.#lastFingerprint;
    return last === undefined ? undefined : this.transport.rateLimit(last);
  }

  /** Another credential over the same transport. */
  withAuth(auth: Auth): ApiClient<Auth> {
    return new ApiClient(this.transport, this.#authorizerOf(auth), this.#authorizerOf);
  }

  /** Sends at once. Bad input rejects, and never throws. */
  call<Input extends object, Output, S>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    options?: AuthOptions<Auth, S>,
    names: Readonly<Record<string, true>> = callNames,
  ): Call<ResultOf<S, Output>> {
    return this.send(
      (context) => buildRequest(endpoint, input, context),
      () => answerOf(endpoint, input),
      options,
      names,
    );
  }

  /**
   * {@link call} for a request that is built differently.
   * @param input may contain the caller's streams, which are destroyed if the call fails.
   */
  send<Output, S>(
    build: (context: BuildContext) => RequestSpec,
    answer: () => Answer<Output>,
    options?: AuthOptions<Auth, S>,
    names: Readonly<Record<string, true>> = callNames,
    input?: object,
  ): Call<ResultOf<S, Output>> {
    const own = () => judged<ResultOf<S, Output>>(options, answer(), itself);
    const running = this.#send(build, own, options, names);
    if (input) destroyUnsent(input, running);
    return callOf(running);
  }

  /** A list that follows `Link` headers. */
  list<Input extends object, Item, S>(
    endpoint: Endpoint<Input, Item[]>,
    input: Input,
    options?: AuthOptions<Auth, S> & ListOptions,
  ): Paginated<ResultOf<S, Item>> {
    return this.listOf(
      (context) => buildRequest(endpoint, input, context),
      () => answerOf(endpoint, input),
      options,
      new Set(Object.keys(endpoint.input)),
    );
  }

  /** {@link list} for a request that is built differently. @param inputs names of the endpoint's own inputs. */
  listOf<Item, S>(
    build: (context: BuildContext) => RequestSpec,
    answer: () => Answer<Item[]>,
    options?: AuthOptions<Auth, S> & ListOptions,
    inputs: ReadonlySet<string> = new Set(),
  ): Paginated<ResultOf<S, Item>> {
    type Page = ResultOf<S, Item>[];
    const first = () => build(this.#listContext(options));
    const own = () => judged<Page>(options, answer(), itemsSchema);
    return new Paginated(
      () =>
        linkFetcher(first, (spec, page) => this.#perform(spec, own(), options, page), {
          isTrusted: (origin) => this.transport.settings.trustedOrigins.has(origin),
          credentialNames: this.authorizer.queryNames,
          inputs,
        }),
      options,
      this.transport.settings.concurrency,
    );
  }

  /** A list whose pages begin at an `index` (0-based). */
  listByOffset<Input extends { readonly index?: number | undefined }, Item, S>(
    endpoint: Endpoint<Input, OffsetSlice<Item>>,
    input: Input,
    options?: AuthOptions<Auth, S> & ListOptions,
  ): Paginated<ResultOf<S, Item>> {
    return this.listByOffsetOf(
      () => input.index,
      // The first page of an unset index sends none: what is unset is not sent.
      (index, context) =>
        buildRequest(
          endpoint,
          index === 0 && input.index === undefined ? input : { ...input, index },
          context,
        ),
      () => answerOf(endpoint, input),
      options,
    );
  }

  /** {@link listByOffset} for a request that is built differently. */
  listByOffsetOf<Item, S>(
    start: () => number | undefined,
    build: (index: number, context: BuildContext) => RequestSpec,
    answer: () => Answer<OffsetSlice<Item>>,
    options?: AuthOptions<Auth, S> & ListOptions,
  ): Paginated<ResultOf<S, Item>> {
    type Page = OffsetSlice<ResultOf<S, Item>>;
    const own = () => judged<Page>(options, answer(), sliceSchema);
    return new Paginated(
      () =>
        offsetFetcher(
          start() ?? 0,
          (index) => build(index, this.#listContext(options)),
          (spec, page) => this.#perform(spec, own(), options, page),
        ),
      options,
      this.transport.settings.concurrency,
    );
  }

  #listContext(options: (RequestOptions<unknown> & ListOptions) | undefined): BuildContext {
    const context = this.#context(options, listNames);
    const concurrency = options?.concurrency;
    if (concurrency !== undefined) forOneCall(() => resolveConcurrency(concurrency));
    return context;
  }

  /** What requests are built with. @throws {InvalidRequestError} an option that is not known, a header field that can't be sent. */
  #context(
    options: RequestOptions<unknown> | undefined,
    names: Readonly<Record<string, true>>,
  ): BuildContext {
    if (options !== undefined) forOneCall(() => checkOptions(options, names));
    const { base, media, accept, headers, secrets } = this.transport.settings;
    const own = options?.headers === undefined ? undefined : checkHeaders(options.headers);
    return {
      base,
      media,
      accept,
      headers: own ? headersOf(headers, own) : headers,
      secrets: own ? [...secrets, ...secretsInHeaders(own)] : secrets,
      extra: options?.extra,
      credentialNames: this.authorizer.queryNames,
    };
  }

  /** Not an async function, which would cost every call a promise more. */
  #send<Output>(
    build: (context: BuildContext) => RequestSpec,
    answer: () => Answer<Output>,
    options: AuthOptions<Auth, unknown> | undefined,
    names: Readonly<Record<string, true>>,
  ): Promise<Answered<Output>> {
    try {
      return this.#perform(build(this.#context(options, names)), answer(), options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #perform<Output>(
    spec: RequestSpec,
    answer: Answer<Output>,
    options: AuthOptions<Auth, unknown> | undefined,
    page?: PageHooks,
  ): Promise<Answered<Output>> {
    const { defaults } = this.#calls;
    const further = page ? [page.signal] : [];
    return this.transport.perform({
      spec,
      answer,
      signals: options?.signal ? [checkSignal(options.signal), ...further] : further,
      isAhead: page?.isAhead,
      arrived: page?.arrived,
      ...(options === undefined ? defaults : forOneCall(() => this.#calls.of(options))),
    });
  }
}

/** The methods of one resource; what they call through is not shown where a client is printed. */
export abstract class Resource<Auth> {
  readonly #api: ApiClient<Auth>;

  constructor(api: ApiClient<Auth>) {
    this.#api = api;
  }

  protected get api(): ApiClient<Auth> {
    return this.#api;
  }
}

/** What an endpoint answers to this input. */
export function answerOf<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
): Answer<Output> {
  return typeof endpoint.answer === 'function' ? endpoint.answer(input) : endpoint.answer;
}

/** The answer of a call; where its options have a schema, that judges it. */
function judged<Result>(
  options: RequestOptions<unknown> | undefined,
  answer: Answer<unknown>,
  whole: (schema: StandardSchema) => StandardSchema,
): Answer<Result> {
  const schema = options?.schema;
  // `as`: without a schema the result is the endpoint's own.
  return schema === undefined ? (answer as Answer<Result>) : judgedBy(schema, answer, whole);
}

function itself(schema: StandardSchema): StandardSchema {
  return schema;
}

/** Those of all calls, and those of one call, which win. */
function headersOf(shared: BuildContext['headers'], own: BuildContext['headers']) {
  const given = new Set(own.map(([name]) => name));
  return [...shared.filter(([name]) => !given.has(name)), ...own];
}
