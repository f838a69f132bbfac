import type { Deadline } from '../dispatch/deadline.js';
import { type ExchangeLimits, exchange } from '../dispatch/exchange.js';
import type { Dispatchers } from '../dispatch/own-dispatchers.js';
import { buildWireRequest } from '../dispatch/wire-request.js';
import type { AttemptResult } from '../http/raw-response.js';
import { showNamedUrl } from '../http/redact.js';
import type { RequestBody } from '../request/body.js';
import { BoundedMap } from '../request/bounded-map.js';
import type { Authorizer, Credentials } from '../request/credentials.js';
import type { Publish } from '../request/diagnostics.js';
import type { Method } from '../request/endpoint.js';
import { invalidInput } from '../request/input.js';
import { describe, type RequestSpec, type Target, urlOf } from '../request/request-spec.js';
import { judgeRedirect, leaksTo } from './judge-redirect.js';
import { isReplayable } from './retry.js';

/** Whose permanent redirects are meant: what one credential or method is told holds for no other. */
export interface RedirectScope {
  /** A fingerprint of the credentials. */
  readonly credential: string;
  readonly method: Method;
}

/** Permanent redirects that were seen, for the client's life; the least recently used are forgotten. */
export class RedirectMemory {
  readonly #targets: BoundedMap<string, Target>;

  constructor(capacity = 500) {
    this.#targets = new BoundedMap(capacity);
  }

  get size(): number {
    return this.#targets.size;
  }

  remember(from: Target, to: Target, scope: RedirectScope): void {
    this.#targets.set(keyOf(from, scope), to);
    // What was renamed and got its old name back is there again.
    this.#targets.delete(keyOf(to, scope));
  }

  /** Where a request really goes, over several remembered steps. */
  resolve(from: Target, scope: RedirectScope): Target {
    if (this.#targets.size === 0) return from;
    let target = from;
    for (let step = 0; step < 5; step++) {
      const key = keyOf(target, scope);
      const next = this.#targets.get(key);
      if (!next) break;
      this.#targets.set(key, next);
      target = next;
    }
    return target;
  }
}

/** HEAD asks for what GET gets. */
function keyOf(target: Target, { credential, method }: RedirectScope): string {
  return `${method === 'HEAD' ? 'GET' : method} ${credential} ${urlOf(target)}`;
}

/** True for the statuses that ask to go elsewhere. */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** What following needs besides the request: the client's shared parts. */
export interface FollowContext {
  readonly dispatchers: Dispatchers;
  readonly publish: Publish;
  readonly memory: RedirectMemory;
  readonly maxRedirects: number;
  readonly userAgent: string;
  readonly isTrusted: (origin: string) => boolean;
  /** Trusted origins of plain http that got no credentials yet. */
  readonly plainOrigins: Set<string>;
  /** Secrets of all requests of the client, besides its credentials: in its headers and its proxy. */
  readonly secrets: readonly string[];
}

/** One attempt of a call, over its redirects. */
export interface FollowedResponse {
  readonly outcome: AttemptResult;
  /** The place that answered, or that was asked last. */
  readonly target: Target;
  /** Whether the place is on a trusted origin, and no other origin led to it. */
  readonly trusted: boolean;
  /** A 303 said that the request was done; the outcome is that of asking for its result. */
  readonly executed: boolean;
  /** Whether the last request of the attempt contained a one-time password. */
  readonly sentOtp?: boolean | undefined;
  /** The server said 304, and the outcome is what is kept. */
  readonly fromCache?: boolean | undefined;
  /** Puts the answer into the cache where its body was found good; to be called in any case. */
  readonly keep?: ((good?: boolean) => Promise<void>) | undefined;
  /** Everything that must not show in what is said of this attempt. */
  readonly secrets: readonly string[];
}

/** What following needs of the credentials' side. */
export interface FollowAuthorizer extends Pick<Authorizer, 'queryNames'> {
  readonly renew?: Authorizer['renew'] | undefined;
  /** Secrets of earlier attempts: a function may return other credentials for each attempt. */
  readonly earlierSecrets: readonly string[];
}

/**
 * authorize → dispatch → follow redirects. Credentials go to trusted origins only, and to none after a
 * redirect from another origin. A 401 that the authorizer can handle (an expired session, a one-time
 * password) repeats the request once, or twice if the first new credentials came from a store.
 * @throws {RedirectError}
 * @throws {InvalidRequestError} a URL on an origin that is not trusted contains the client's credentials.
 */
export async function follow(
  context: FollowContext,
  spec: RequestSpec,
  authorizer: FollowAuthorizer,
  given: Credentials | undefined,
  limits: ExchangeLimits,
  scope: Deadline,
  signal: AbortSignal | undefined,
): Promise<FollowedResponse> {
  const whose = { credential: given?.fingerprint ?? '', method: spec.method };
  let target = context.memory.resolve(spec.target, whose);
  let trusted = context.isTrusted(target.origin);
  let method: Method = spec.method;
  let body: RequestBody | undefined = spec.body;
  let credentials = given;
  let renewals = 0;
  const own = [...(credentials?.secrets ?? []), ...authorizer.earlierSecrets];
  let secrets = [...spec.secrets, ...own];
  if (!trusted) checkNamed(target, [...context.secrets, ...own]);
  const isSecret = credentials !== undefined || spec.secrets.length > context.secrets.length;
  const visited = new Set<string>();
  for (;;) {
    if (context.plainOrigins.size > 0 && trusted && isSecret) warnOnce(context, target.origin);
    const dispatcher = context.dispatchers.of(target.origin, trusted);
    const outcome = await exchange(
      dispatcher instanceof Promise ? await dispatcher : dispatcher,
      buildWireRequest({
        spec,
        target,
        method,
        body,
        credentials: trusted ? credentials : undefined,
        foreign: !trusted,
        userAgent: context.userAgent,
      }),
      limits,
      scope,
    );
    const executed = method !== spec.method;
    const sentOtp = trusted && credentials?.hasOtp;
    const followed = { outcome, target, trusted, secrets, executed, sentOtp };
    if (outcome.failed) return followed;
    const isRefused = outcome.status === 401 && trusted;
    const mayRenew = isRefused && renewals < (credentials?.mayBeStale ? 2 : 1);
    if (mayRenew && authorizer.renew && isReplayable(body)) {
      renewals++;
      const fresh = await authorizer.renew(credentials, outcome, signal);
      if (!fresh) return followed;
      credentials = fresh;
      secrets = [...secrets, ...fresh.secrets];
      continue;
    }
    if (!isRedirect(outcome.status)) return followed;
    visited.add(`${method} ${urlOf(target)}`);
    const hop = judgeRedirect(outcome, {
      spec,
      target,
      method,
      body,
      trusted,
      visited,
      maxRedirects: context.maxRedirects,
      isTrusted: context.isTrusted,
      credentialNames: authorizer.queryNames,
      secrets,
    });
    context.publish('triforge:redirect', () => ({
      request: describe(spec, secrets, target),
      status: outcome.status,
      location: showNamedUrl(urlOf(hop.target), secrets),
    }));
    if (hop.permanent) context.memory.remember(target, hop.target, { ...whose, method });
    ({ target, method, body, trusted } = hop);
  }
}

function warnOnce({ plainOrigins, publish }: FollowContext, origin: string): void {
  if (plainOrigins.delete(origin)) publish('triforge:plain-http', () => ({ origin }));
}

/**
 * Checks a URL on another origin, which a server named or which was copied from a response.
 * @throws {InvalidRequestError}
 */
function checkNamed(target: Target, secrets: readonly string[]): void {
  if (!leaksTo(target, secrets)) return;
  throw invalidInput(
    'path',
    `the URL contains the client's credentials, and its origin is not among trustedOrigins`,
  );
}
