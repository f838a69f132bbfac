import { RedirectError, type RedirectReason } from '../../errors/index.js';
import type { AbortScope } from '../dispatch/abort-scope.js';
import { type ExchangeLimits, exchange } from '../dispatch/exchange.js';
import type { Dispatchers } from '../dispatch/own-dispatchers.js';
import { buildWireRequest } from '../dispatch/wire-request.js';
import { headerOf, urlFieldOf } from '../http/header-fields.js';
import type { AttemptResult, RawResponse } from '../http/raw-response.js';
import { showUrl, stripParameters } from '../http/redact.js';
import type { RequestBody } from '../request/body.js';
import { BoundedMap } from '../request/bounded-map.js';
import type { Authorizer, Credentials } from '../request/credentials.js';
import type { Publish } from '../request/diagnostics.js';
import type { Method } from '../request/endpoint.js';
import {
  describe,
  type RequestSpec,
  type Target,
  targetOf,
  urlOf,
} from '../request/request-spec.js';
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

/** Whether a permanent redirect may be kept: it was not given for one moment or one reader. */
function isMemorable({ headers, status }: RawResponse): boolean {
  if (status !== 301 && status !== 308) return false;
  const control = headerOf(headers, 'cache-control') ?? '';
  const vary = headerOf(headers, 'vary') ?? '';
  return (
    !/\b(?:no-store|private)\b/i.test(control) &&
    !/(?:^|,)\s*(?:authorization\s*(?:,|$)|\*)/i.test(vary)
  );
}

/** A redirect that may be followed. */
export interface Hop {
  readonly target: Target;
  readonly method: Method;
  readonly body: RequestBody | undefined;
  /** To be remembered: the resource has moved for good, within its own origin or to a trusted one. */
  readonly permanent: boolean;
}

/** Where a request stands when it is redirected. */
export interface RedirectState extends Omit<Hop, 'permanent'> {
  readonly spec: RequestSpec;
  /** Every `METHOD url` asked so far. */
  readonly visited: ReadonlySet<string>;
  readonly maxRedirects: number;
  readonly isTrusted: (origin: string) => boolean;
  readonly credentialNames: ReadonlySet<string>;
  readonly secrets: readonly string[];
}

/** True for the statuses that ask to go elsewhere. */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * Judges a redirect (RFC 9110 section 15.4). 301, 302, 307 and 308 repeat
 * the request verbatim, 303 asks by GET. Pure.
 * @throws {RedirectError}
 */
export function judgeRedirect(answer: RawResponse, state: RedirectState): Hop {
  const { spec, secrets } = state;
  const location = urlFieldOf(answer.headers, 'location');
  const shown = location === undefined ? undefined : showUrl(location, secrets);
  const refuse = (reason: RedirectReason, why: string) =>
    new RedirectError(
      `${spec.operation}: ${answer.status} to ${shown ?? 'nowhere'} was not followed: ${why} [${state.method} ${describe(spec, secrets, state.target).url}]`,
      describe(spec, secrets, state.target),
      reason,
      shown,
      spec.retry !== 'safe' && (answer.status === 303 || state.method !== spec.method),
    );
  const base = urlOf(state.target);
  if (location === undefined || !URL.canParse(location, base)) {
    throw refuse('bad_location', 'its Location is missing or no URL');
  }
  const url = new URL(location, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuse('bad_location', 'it is neither http nor https');
  }
  if (url.protocol === 'http:' && state.target.origin.startsWith('https:')) {
    throw refuse('insecure', 'it goes from https down to http');
  }
  const target = withoutCredentials(targetOf(url), state);
  const seeOther = answer.status === 303 && state.method !== 'HEAD';
  const method = seeOther ? 'GET' : state.method;
  const body = seeOther ? undefined : state.body;
  if (body && target.origin !== state.target.origin && !state.isTrusted(target.origin)) {
    throw refuse('cross_origin_body', 'a body is never sent to another origin');
  }
  if (!isReplayable(body)) {
    throw refuse('not_replayable', 'its body is a stream that can be read only once');
  }
  if (state.visited.has(`${method} ${urlOf(target)}`))
    throw refuse('loop', 'it goes round in a loop');
  if (state.visited.size > state.maxRedirects) {
    throw refuse('too_many', `more than ${state.maxRedirects} redirects`);
  }
  const known = state.isTrusted(state.target.origin) && state.isTrusted(target.origin);
  const permanent = isMemorable(answer) && (known || target.origin === state.target.origin);
  return { target, method, body, permanent };
}

/** Our own credentials do not travel in a `Location`, whoever wrote them there. */
function withoutCredentials(target: Target, state: RedirectState): Target {
  const { origin } = target;
  if (state.isTrusted(origin)) {
    return { origin, path: stripParameters(target.path, state.credentialNames) };
  }
  const held = new Set<string>();
  for (const [name, value] of new URL(urlOf(target)).searchParams) {
    if (state.secrets.includes(value)) held.add(name);
  }
  return { origin, path: stripParameters(target.path, held) };
}

/** What following needs besides the request: the client's shared parts. */
export interface FollowContext {
  readonly dispatchers: Dispatchers;
  readonly publish: Publish;
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
  /** Puts the answer into the cache where its body was found good; to be called in any case. */
  readonly keep?: ((good?: boolean) => Promise<void>) | undefined;
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
    const dispatcher = context.dispatchers.of(target.origin);
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
    context.publish('triforge:redirect', () => ({
      request: describe(spec, secrets, target),
      status: outcome.status,
      location: showUrl(urlOf(hop.target), secrets),
    }));
    if (hop.permanent) context.memory.remember(target, hop.target, { ...whose, method });
    ({ target, method, body } = hop);
  }
}
