import { maskUrl, showUrl, stripParameters } from '../../masks/secrets.js';
import type { RequestInfo } from '../../response-info.js';
import type { RedirectTarget } from '../decisions/resolve-redirect.js';
import type { RetrySettings } from '../decisions/retry-decision.js';
import type { Deadline, Timeouts } from '../dispatch/deadline.js';
import type { Dispatchers } from '../dispatch/dispatcher.js';
import type { HttpResponse, RawResponse, ResponseHead } from '../http/raw-response.js';
import type { LimitedRequest, Permit } from '../limits/rate-limiter.js';
import type { Authorizer, Credentials } from '../request/credentials.js';
import type { EventLog, Publish } from '../request/diagnostics.js';
import type { CallDetails, ResponseSpec } from '../request/endpoint.js';
import {
  describeRequest,
  formatUrl,
  type RequestSpec,
  type Target,
} from '../request/request-spec.js';
import type { ValidationMode } from '../response/parse-response.js';
import { ResponseDetails } from '../response/response-details.js';

/** The credentials that a client last used. */
export interface LastCredentials {
  /** Empty if the last request had no credentials. Undefined before the first request. */
  fingerprint: string | undefined;
}

/** One call, ready to be sent. */
export interface PreparedCall<T> {
  readonly spec: RequestSpec;
  /**
   * Rules for reading the response. `as(schema)` replaces the rules, unless the response is already
   * decoded.
   */
  responseSpec: ResponseSpec<T>;
  isDecoded: boolean;
  readonly authorizer: Authorizer;
  /**
   * Record of the client's last credentials, which the call updates. Undefined for a call that
   * overrides the client's credentials.
   */
  readonly lastCredentials?: LastCredentials | undefined;
  readonly signals: readonly AbortSignal[];
  readonly timeouts: Timeouts;
  readonly retry: RetrySettings;
  readonly validation: ValidationMode | undefined;
  /** Called with a successful response before it is decoded. The function's result is awaited. */
  readonly onHeaders?: ((response: ResponseDetails) => Promise<unknown> | undefined) | undefined;
}

/** Client settings that policies and errors use. */
export interface PolicySettings {
  readonly publish: Publish;
  readonly log: EventLog | undefined;
  readonly dispatchers: Dispatchers;
  readonly userAgent: string;
  readonly trustedOrigins: ReadonlySet<string>;
  /**
   * Secrets in the client's headers and proxy URL. They must never be shown. Excludes the
   * credentials in `auth`.
   */
  readonly secrets: readonly string[];
  /** Name of the option that contains the base URL, for error messages. */
  readonly baseUrlOption: string;
  /**
   * Returns advice if `baseUrl` may have caused a 404. `isPage`: whether the response's body is
   * HTML.
   */
  readonly explainBaseUrl: (isPage: boolean) => string | undefined;
  readonly maxRedirects: number;
  readonly maxResponseBytes: number;
  readonly onLimit: 'throw' | 'wait';
  readonly maxWait: number;
  /**
   * Fingerprint of the client's certificate, which is part of the keys in shared stores. Empty
   * without a certificate.
   */
  readonly certificate: string;
  /** Milliseconds since the epoch, for times that servers and users see. Replaced in tests. */
  readonly now: () => number;
  /** Monotonic clock in milliseconds, for waits and windows. Replaced in tests. */
  readonly clock: () => number;
  /** Random number from 0 to 1. Replaced in tests. */
  readonly random: () => number;
}

/**
 * Default for {@link PolicySettings.clock}. Looks up `performance.now` in each call so that fake
 * timers also apply to existing clients.
 */
export function readMonotonicClock(): number {
  return performance.now();
}

/**
 * The last request of an attempt, after redirects. A repeat after a 401 continues from this
 * request.
 */
export interface Step extends Omit<RedirectTarget, 'permanent'> {
  /** Every `METHOD url` of this attempt that was redirected. */
  readonly visited: ReadonlySet<string>;
}

/** State of one attempt. Each attempt of a call starts with a new state. */
export class Attempt {
  /** Start time from `performance.now()`. Undefined until the attempt is sent. */
  startedAt: number | undefined = undefined;
  /** Credentials for the next request. Sent to trusted origins only. */
  credentials: Credentials | undefined = undefined;
  /** Fingerprint of the credentials. Empty if there are none. */
  identity = '';
  /** Whether the credentials came from a promise. */
  awaitedCredentials = false;
  /**
   * Whether the credentials replace credentials that a 401 rejected. If so, the client must not
   * request credentials again.
   */
  renewed = false;
  permit: Permit | undefined = undefined;
  /** The last response that was passed to a hook. */
  received: RawResponse | undefined = undefined;
  /** Whether `target` is on a trusted origin, and no untrusted origin redirected to it. */
  trusted = true;
  /** Last request of the attempt. Set once the attempt has been redirected. */
  step: Step | undefined = undefined;
  /** Whether a 303 reported that the request was executed. */
  executed = false;
  /** Whether the server responded with 304, so the response comes from the cache. */
  fromCache = false;

  /**
   * @param number attempt number, starting at 1.
   * @param target target of the last request.
   */
  constructor(
    readonly number: number,
    public target: Target,
  ) {}
}

/** A call's data and state, which its policies read and update. */
export class CallContext implements CallDetails, LimitedRequest {
  readonly call: PreparedCall<unknown>;
  readonly settings: PolicySettings;
  readonly deadline: Deadline;
  /** Query parameters that contain credentials. */
  readonly credentialParameters: ReadonlySet<string>;
  /** The call's request. `readFiles` adds the bodies that are read from files. */
  request: RequestSpec;
  attempt: Attempt;
  /** Whether the server may have executed an attempt. */
  mayHaveActed = false;
  /** Response without the body, because the body would stay in memory. */
  head: ResponseHead | undefined = undefined;
  /** Called once it is known whether the response could be decoded. */
  settled: ((good: boolean) => void) | undefined = undefined;
  readonly operation: string;
  readonly exemptFromLimits: boolean;
  readonly writes: boolean;
  readonly maxPause: number;
  #ownSecrets: readonly string[];
  #secrets: readonly string[] | undefined = undefined;
  #response: ResponseDetails | undefined = undefined;

  constructor(call: PreparedCall<unknown>, settings: PolicySettings, deadline: Deadline) {
    const { retry, spec } = call;
    this.call = call;
    this.settings = settings;
    this.deadline = deadline;
    this.credentialParameters = call.authorizer.credentialParameters;
    this.request = spec;
    this.attempt = new Attempt(1, spec.target);
    this.operation = spec.operation;
    this.exemptFromLimits = spec.exemptFromLimits;
    this.writes = spec.method !== 'GET' && spec.method !== 'HEAD';
    this.maxPause = retry.limit === 0 ? 0 : retry.maxRetryAfter;
    this.#ownSecrets = call.authorizer.fixed?.secrets ?? [];
  }

  /**
   * All values to mask: the request's secrets and the secrets in the credentials of all attempts.
   */
  get secrets(): readonly string[] {
    this.#secrets ??= [...this.request.secrets, ...this.#ownSecrets];
    return this.#secrets;
  }

  /** Media types that the request accepts. The caller's `accept` header takes precedence. */
  get accept(): string {
    const { accept, headers } = this.request;
    return headers.find(([name]) => name === 'accept')?.[1] ?? accept;
  }

  /** Secrets in the credentials of all attempts. */
  get ownSecrets(): readonly string[] {
    return this.#ownSecrets;
  }

  /** Response details. @throws {TypeError} if the response hasn't arrived yet. */
  get response(): ResponseDetails {
    if (this.#response) return this.#response;
    const { attempt, head, secrets, credentialParameters } = this;
    const { target, trusted } = attempt;
    if (!head) throw new TypeError('no response has arrived');
    this.#response = new ResponseDetails({
      status: head.status,
      statusText: head.statusText,
      headers: head.headers,
      by: { origin: target.origin, trusted },
      // A URL on an untrusted origin may be signed, so its query is masked.
      url: () =>
        trusted
          ? maskUrl(stripParameters(formatUrl(target), credentialParameters), secrets)
          : showUrl(formatUrl(target), secrets),
      fromCache: attempt.fromCache,
      attempts: attempt.number,
      credentialParameters,
      secrets,
      credentials: this.#ownSecrets,
    });
    return this.#response;
  }

  /**
   * Returns the request description that errors and events contain.
   * @param target target after redirects. Default: the request's target.
   */
  describe(target?: Target): RequestInfo {
    return describeRequest(this.request, this.secrets, target);
  }

  /** Sets the credentials for the next request. */
  use(credentials: Credentials | undefined): void {
    const { lastCredentials } = this.call;
    const identity = credentials?.fingerprint ?? '';
    if (lastCredentials) lastCredentials.fingerprint = identity;
    this.attempt.credentials = credentials;
    this.attempt.identity = identity;
    if (credentials && credentials.secrets !== this.#ownSecrets) this.mask(credentials.secrets);
  }

  /** Adds values to mask in this call's errors, events and responses. */
  mask(values: readonly string[]): void {
    this.#secrets = undefined;
    if (this.#ownSecrets.length === 0) {
      this.#ownSecrets = values;
      return;
    }
    const fresh = values.filter((value) => !this.#ownSecrets.includes(value));
    if (fresh.length > 0) this.#ownSecrets = [...fresh, ...this.#ownSecrets];
  }

  /** Reads the request's files and adds them to the request. */
  async readFiles(): Promise<void> {
    const read = await this.request.read?.();
    this.request = { ...this.request, ...read };
    this.#secrets = undefined;
  }

  startNextAttempt(): void {
    this.attempt = new Attempt(this.attempt.number + 1, this.request.target);
  }

  /** Reports whether the response could be decoded. Later reports are ignored. */
  settle(good: boolean): void {
    const { settled } = this;
    this.settled = undefined;
    settled?.(good);
  }
}

/** Sends a request. Resolves to its outcome. Rejects only if the call can't continue. */
export type Send = (request: RequestSpec, context: CallContext) => Promise<HttpResponse>;

/** One step of the pipeline, which wraps the inner steps. Called once per client. */
export type Policy = (next: Send) => Send;

/** Wraps policies around `send`. The first policy is the outermost. */
export function compose(policies: readonly (Policy | undefined)[], send: Send): Send {
  return policies.reduceRight<Send>((next, policy) => policy?.(next) ?? next, send);
}
