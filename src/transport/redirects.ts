import { RedirectError, type RedirectReason } from '../errors.js';
import type { RequestBody } from './body.js';
import type { Method } from './endpoint.js';
import { headerOf, type RawResponse } from './raw-response.js';
import { showUrl, stripParameters } from './redact.js';
import { describe, type RequestSpec, type Target, targetOf, urlOf } from './request-spec.js';

/** Permanent redirects that were seen, for the client's life; the least recently used are forgotten. */
export class RedirectMemory {
  readonly #targets = new Map<string, Target>();
  readonly #capacity: number;

  constructor(capacity = 500) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#targets.size;
  }

  remember(from: Target, to: Target): void {
    const key = urlOf(from);
    this.#targets.delete(key);
    this.#targets.set(key, to);
    if (this.#targets.size > this.#capacity) {
      const oldest = this.#targets.keys().next();
      if (!oldest.done) this.#targets.delete(oldest.value);
    }
  }

  /** Where a request really goes, over several remembered steps. */
  resolve(from: Target): Target {
    if (this.#targets.size === 0) return from;
    let target = from;
    for (let step = 0; step < 5; step++) {
      const key = urlOf(target);
      const next = this.#targets.get(key);
      if (!next) break;
      this.#targets.delete(key);
      this.#targets.set(key, next);
      target = next;
    }
    return target;
  }
}

/** A redirect that may be followed. */
export interface Hop {
  readonly target: Target;
  readonly method: Method;
  readonly body: RequestBody | undefined;
  /** To be remembered: the resource has moved for good, within its own origin. */
  readonly permanent: boolean;
}

/** Where a request stands when it is redirected. */
export interface RedirectState {
  readonly spec: RequestSpec;
  readonly target: Target;
  readonly method: Method;
  readonly body: RequestBody | undefined;
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
 * Judges a redirect (contract: Errors, Redirects; RFC 9110 section 15.4). 301, 302, 307 and 308 repeat
 * the request verbatim, 303 asks by GET. Pure.
 * @throws {RedirectError}
 */
export function judgeRedirect(answer: RawResponse, state: RedirectState): Hop {
  const { spec, secrets } = state;
  const location = headerOf(answer.headers, 'location');
  const shown = location === undefined ? undefined : showUrl(location, secrets);
  const refuse = (reason: RedirectReason, why: string) =>
    new RedirectError(
      `${spec.operation}: ${answer.status} to ${shown ?? 'nowhere'} was not followed: ${why} [${state.method} ${describe(spec, secrets, state.target).url}]`,
      describe(spec, secrets, state.target),
      reason,
      shown,
      spec.method !== 'GET' &&
        spec.method !== 'HEAD' &&
        (answer.status === 303 || state.method !== spec.method),
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
  if (body?.kind === 'stream' && !body.replayable) {
    throw refuse('not_replayable', 'its body is a stream that can be read only once');
  }
  if (state.visited.has(`${method} ${urlOf(target)}`))
    throw refuse('loop', 'it goes round in a loop');
  if (state.visited.size > state.maxRedirects) {
    throw refuse('too_many', `more than ${state.maxRedirects} redirects`);
  }
  const permanent =
    (answer.status === 301 || answer.status === 308) && target.origin === state.target.origin;
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
