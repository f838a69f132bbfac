import { InvalidRequestError } from '../errors.js';
import type { RateLimit } from '../response-info.js';
import { type Call, callOf, type ResponseHolder } from './call.js';
import type { Authorizer } from './credentials.js';
import type { Answer, Endpoint } from './endpoint.js';
import type { Job } from './job.js';
import { linkFetcher } from './link-pages.js';
import {
  checkHeaders,
  type RequestOptions,
  resolveRetry,
  resolveTimeouts,
  resolveValidation,
} from './options.js';
import type { PageFetcher } from './page.js';
import { type ListOptions, Paginated } from './paginated.js';
import { buildRequest, type RequestSpec } from './request-spec.js';
import type { Transport } from './transport.js';

/** Request options of a family: `auth` overrides the client's credentials for one call. */
export interface AuthOptions<Auth> extends RequestOptions {
  readonly auth?: Auth | undefined;
}

/** What a crawl adds to the requests of its pages. */
export interface CrawlHooks {
  readonly signal: AbortSignal;
  readonly arrived?: Job<unknown>['arrived'];
}

/** A spec that was built, or is still to be. */
type SpecSource = (headers: RequestSpec['headers']) => RequestSpec;

/**
 * What resources call through: one credential over a transport that others may share.
 * `client.withAuth(…)` is another caller over the same transport.
 */
export class Caller<Auth> {
  readonly transport: Transport;
  readonly authorizer: Authorizer;
  readonly #authorizerOf: (auth: Auth) => Authorizer;
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
  }

  /** The budget as the last answers told; undefined before this caller's first request. */
  get rateLimit(): RateLimit | undefined {
    const last = this.#lastFingerprint;
    return last === undefined ? undefined : this.transport.rateLimit(last);
  }

  /** Another credential over the same transport. */
  withAuth(auth: Auth): Caller<Auth> {
    return new Caller(this.transport, this.#authorizerOf(auth), this.#authorizerOf);
  }

  /** Sends at once. Bad input rejects, and never throws. */
  call<Input extends object, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    options?: AuthOptions<Auth>,
  ): Call<Output> {
    return this.send(
      (headers) => this.#build(endpoint, input, headers),
      (spec) => answerOf(endpoint, input, spec),
      options,
    );
  }

  /** A list that follows `Link` headers. */
  list<Input extends object, Item>(
    endpoint: Endpoint<Input, Item[]>,
    input: Input,
    options?: AuthOptions<Auth> & ListOptions,
  ): Paginated<Item> {
    const first: SpecSource = (headers) => this.#build(endpoint, input, headers);
    return this.listOf(first, (spec) => answerOf(endpoint, input, spec), options);
  }

  /** {@link call} for a request that is built otherwise. */
  send<Output>(
    source: SpecSource,
    answer: (spec: RequestSpec) => Answer<Output>,
    options?: AuthOptions<Auth>,
  ): Call<Output> {
    const holder: ResponseHolder = { response: undefined };
    return callOf(this.#run(source, answer, options, holder), holder);
  }

  /** {@link list} for a request that is built otherwise. */
  listOf<Item>(
    source: SpecSource,
    answer: (spec: RequestSpec) => Answer<Item[]>,
    options?: AuthOptions<Auth> & ListOptions,
  ): Paginated<Item> {
    const first = () => source(checkHeaders(options?.headers));
    return this.pages(
      () =>
        linkFetcher(
          first,
          (spec, signal, holder, arrived) =>
            this.run(spec, answer(spec), options, holder, { signal, arrived }),
          {
            isTrusted: (origin) => this.transport.settings.trustedOrigins.has(origin),
            credentialNames: this.authorizer.queryNames,
          },
        ),
      options,
    );
  }

  /** A list over any way of turning pages. */
  pages<Item>(begin: () => PageFetcher<Item>, options?: ListOptions): Paginated<Item> {
    return new Paginated(begin, options);
  }

  /** Runs one built request. */
  run<Output>(
    spec: RequestSpec,
    answer: Answer<Output>,
    options: AuthOptions<Auth> | undefined,
    holder: ResponseHolder,
    crawl?: CrawlHooks,
  ): Promise<Output> {
    const { settings } = this.transport;
    const signal = checkSignal(options?.signal);
    const further = crawl ? [crawl.signal] : [];
    const job: Job<Output> = {
      spec,
      answer,
      authorizer: options?.auth === undefined ? this.authorizer : this.#authorizerOf(options.auth),
      signals: signal ? [signal, ...further] : further,
      timeouts: resolveTimeouts(options?.timeout, settings.timeouts),
      retry: resolveRetry(options?.retry, settings.retry),
      validation: resolveValidation(options?.validation, settings.validation),
      arrived: crawl?.arrived,
    };
    return this.transport.perform(job, holder);
  }

  #run<Output>(
    source: SpecSource,
    answer: (spec: RequestSpec) => Answer<Output>,
    options: AuthOptions<Auth> | undefined,
    holder: ResponseHolder,
  ): Promise<Output> {
    try {
      const spec = source(checkHeaders(options?.headers));
      return this.run(spec, answer(spec), options, holder);
    } catch (error) {
      // Not an async function, which would cost every call a promise more.
      return Promise.reject(error);
    }
  }

  #build<Input extends object, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    headers: RequestSpec['headers'],
  ): RequestSpec {
    const { base, media, accept } = this.transport.settings;
    return buildRequest(endpoint, input, { base, media, accept, headers });
  }
}

function answerOf<Input, Output>(
  endpoint: Endpoint<Input, Output>,
  input: Input,
  _spec: RequestSpec,
): Answer<Output> {
  return typeof endpoint.answer === 'function' ? endpoint.answer(input) : endpoint.answer;
}

function checkSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal;
  throw new InvalidRequestError('signal: expected an AbortSignal', 'signal');
}
