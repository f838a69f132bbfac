import type { Dispatcher } from 'undici';
import type { AbortScope } from '../dispatch/abort-scope.js';
import { type ExchangeLimits, exchange } from '../dispatch/exchange.js';
import { buildWireRequest } from '../dispatch/wire-request.js';
import type { AttemptResult } from '../http/raw-response.js';
import { showUrl } from '../http/redact.js';
import type { RequestBody } from '../request/body.js';
import type { Authorizer, Credentials } from '../request/credentials.js';
import { publish } from '../request/diagnostics.js';
import type { Method } from '../request/endpoint.js';
import { describe, type RequestSpec, type Target, urlOf } from '../request/request-spec.js';
import { isRedirect, judgeRedirect, type RedirectMemory } from './redirects.js';
import { isReplayable } from './retry.js';

/** What following needs besides the request: the client's shared parts. */
export interface FollowContext {
  readonly dispatcher: Dispatcher;
  readonly memory: RedirectMemory;
  readonly maxRedirects: number;
  readonly userAgent: string;
  readonly isTrusted: (origin: string) => boolean;
}

/** One attempt of a call, over its redirects. */
export interface FollowedResponse {
  readonly outcome: AttemptResult;
  /** The place that answered, or that was asked last. */
  readonly target: Target;
  /** The place is on a trusted origin. */
  readonly trusted: boolean;
  /** A 303 said that the request was done; the outcome is that of asking for its result. */
  readonly executed: boolean;
  /** The server said 304, and the outcome is what is kept. */
  readonly fromCache?: boolean | undefined;
  /** Puts the answer into the cache; to be called once its body was found good. */
  readonly keep?: (() => void) | undefined;
  /** Everything that must not show in what is said of this attempt. */
  readonly secrets: readonly string[];
}

/**
 * authorize → dispatch → follow redirects. Credentials go to trusted origins only; a 401 that the
 * authorizer can answer (an expired session, a one-time password) repeats the request once.
 * @throws {RedirectError}
 */
export async function follow(
  context: FollowContext,
  spec: RequestSpec,
  authorizer: Pick<Authorizer, 'queryNames' | 'renew'>,
  given: Credentials | undefined,
  limits: ExchangeLimits,
  scope: AbortScope,
  signal: AbortSignal | undefined,
): Promise<FollowedResponse> {
  const whose = { credential: given?.fingerprint ?? '', method: spec.method };
  let target = context.memory.resolve(spec.target, whose);
  let method: Method = spec.method;
  let body: RequestBody | undefined = spec.body;
  let credentials = given;
  let renewed = false;
  let secrets = [...spec.secrets, ...(credentials?.secrets ?? [])];
  const visited = new Set<string>();
  for (;;) {
    const trusted = context.isTrusted(target.origin);
    const outcome = await exchange(
      context.dispatcher,
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
    const followed = { outcome, target, trusted, secrets, executed: method !== spec.method };
    if (outcome.failed) return followed;
    if (outcome.status === 401 && trusted && authorizer.renew && !renewed && isReplayable(body)) {
      renewed = true;
      const fresh = await scope.until(authorizer.renew(credentials, outcome, signal));
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
      visited,
      maxRedirects: context.maxRedirects,
      isTrusted: context.isTrusted,
      credentialNames: authorizer.queryNames,
      secrets,
    });
    publish('triforge:redirect', () => ({
      request: describe(spec, secrets, target),
      status: outcome.status,
      location: showUrl(urlOf(hop.target), secrets),
    }));
    if (hop.permanent) context.memory.remember(target, hop.target, { ...whose, method });
    ({ target, method, body } = hop);
  }
}
