import { channel } from 'node:diagnostics_channel';
import { revealsSecret, showUrl } from '../../masks/secrets.js';
import { resolveRedirect } from '../decisions/resolve-redirect.js';
import type { WireRequest } from '../dispatch/dispatcher.js';
import { exchange } from '../dispatch/exchange.js';
import { acceptEncoding } from '../http/content-coding.js';
import { getContentType, type RequestBody } from '../request/body.js';
import { BoundedMap } from '../request/bounded-map.js';
import type { Credentials } from '../request/credentials.js';
import type { Method } from '../request/endpoint.js';
import { createInputError } from '../request/input.js';
import {
  describeRequest,
  formatUrl,
  type RequestSpec,
  type Target,
} from '../request/request-spec.js';
import { reportStart } from './attempts.js';
import { createStreamError } from './call-errors.js';
import type { Policy, PolicySettings, Send, Step } from './context.js';

function createRedirectKey(target: Target, credential: string, method: Method): string {
  return `${method === 'HEAD' ? 'GET' : method} ${credential} ${formatUrl(target)}`;
}

/** Statuses of redirects that the client can follow. */
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects. Credentials are sent only to trusted origins, and never after a redirect from
 * an untrusted origin. Rejects with a `RedirectError` if a redirect isn't followed. Rejects with an
 * `InvalidRequestError` if a URL on an untrusted origin contains the client's credentials.
 */
export function redirect(settings: PolicySettings): Policy {
  const { trustedOrigins } = settings;
  /** Targets of permanent redirects. The oldest redirects are dropped first. */
  const permanent = new BoundedMap<string, Target>(500);
  return (next: Send): Send =>
    async function followRedirects(request, context) {
      const { attempt } = context;
      const { identity } = attempt;
      let current = attempt.step ? continueRequest(request, attempt.step) : request;
      if (attempt.step) {
        attempt.trusted = attempt.step.trusted;
      } else {
        const { method, target: from } = request;
        const key = permanent.size > 0 ? createRedirectKey(from, identity, method) : '';
        const target = permanent.get(key);
        if (target) current = { ...request, target };
        attempt.trusted = trustedOrigins.has(current.target.origin);
        if (!attempt.trusted) checkNamedUrl(current.target, settings.secrets, context.ownSecrets);
      }
      for (;;) {
        const { target, method, body } = current;
        attempt.target = target;
        const response = await next(current, context);
        if (response.failed || !redirects.has(response.status)) return response;
        const visited = new Set(attempt.step?.visited).add(`${method} ${formatUrl(target)}`);
        const { secrets } = context;
        const hop = resolveRedirect(response, {
          spec: request,
          target,
          method,
          body,
          trusted: attempt.trusted,
          visited,
          maxRedirects: settings.maxRedirects,
          trustedOrigins,
          credentialParameters: context.credentialParameters,
          secrets,
          hasCredentialsInUrl: Boolean(attempt.credentials?.parameters),
          mayHaveActed: context.mayHaveActed,
        });
        settings.publish('triforge:redirect', () => ({
          request: describeRequest(request, secrets, target),
          status: response.status,
          location: showUrl(formatUrl(hop.target), secrets),
        }));
        if (hop.permanent) {
          permanent.set(createRedirectKey(target, identity, method), hop.target);
          // Forget a redirect from the new target, because the resource may be renamed back.
          permanent.delete(createRedirectKey(hop.target, identity, method));
        }
        attempt.step = { ...hop, visited };
        attempt.trusted = hop.trusted;
        attempt.executed = hop.method !== request.method;
        current = continueRequest(request, hop);
      }
    };
}

function continueRequest(request: RequestSpec, { target, method, body }: Omit<Step, 'visited'>) {
  return { ...request, target, method, body };
}

/**
 * Rejects a URL on an untrusted origin if it contains the client's secrets. The URL comes from a
 * server, or the caller copied it from a response.
 * @throws {InvalidRequestError} if the URL contains a secret.
 */
function checkNamedUrl(target: Target, ...secrets: readonly (readonly string[])[]): void {
  if (!revealsSecret(formatUrl(target), secrets.flat())) return;
  throw createInputError(
    'route',
    "must not contain the client's credentials, because the origin is not in trustedOrigins",
  );
}

const started = channel('triforge:request:start');

/**
 * Creates the innermost step, which adds the credentials and sends one request. The step also
 * reports the start of an attempt.
 */
export function sendRequests(settings: PolicySettings): Send {
  const { dispatchers, log, maxResponseBytes, publish, userAgent } = settings;
  return (request, context) => {
    // Report the start only once, even if the attempt is redirected or repeated after a 401.
    const { attempt, call, deadline } = context;
    const { target, trusted } = attempt;
    if (attempt.startedAt === undefined) {
      attempt.startedAt = performance.now();
      if (log || started.hasSubscribers) reportStart(publish, context, request.target);
    }
    const { kind } = call.responseSpec;
    const wire = buildWireRequest(
      request,
      trusted ? attempt.credentials : undefined,
      trusted,
      userAgent,
    );
    const limits = {
      headersTimeout: call.timeouts.headers,
      bodyTimeout: call.timeouts.body,
      maxBytes: maxResponseBytes,
      stream: kind === 'stream' ? createStreamError.bind(undefined, context) : undefined,
    };
    const dispatcher = dispatchers.single ?? dispatchers.select(target.origin, trusted);
    return dispatcher instanceof Promise
      ? dispatcher.then((loaded) => exchange(loaded, wire, limits, deadline))
      : exchange(dispatcher, wire, limits, deadline);
  };
}

/** Headers that may be sent to an untrusted origin. */
const crossOriginHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'range',
  'if-range',
]);

/**
 * Builds an outgoing request. Pure function.
 * @param trusted whether the origin gets the caller's headers.
 */
export function buildWireRequest(
  request: RequestSpec,
  credentials: Credentials | undefined,
  trusted: boolean,
  userAgent: string,
): WireRequest {
  const headers: string[] = ['user-agent', userAgent, 'accept-encoding', acceptEncoding];
  let accept: string | undefined = request.accept;
  let contentType = request.body && getContentType(request.body);
  for (const [name, value] of request.headers) {
    if (name === 'content-type') contentType = undefined;
    if (!trusted && !crossOriginHeaders.has(name)) continue;
    if (name === 'accept') accept = undefined;
    // Replace the defaults, which are the first entries in `headers`.
    if (name === 'user-agent') headers[1] = value;
    else if (name === 'accept-encoding') headers[3] = value;
    else headers.push(name, value);
  }
  if (accept !== undefined) headers.push('accept', accept);
  let { path } = request.target;
  let body: RequestBody | undefined = request.body;
  if (credentials) {
    for (const name in credentials.headers) headers.push(name, credentials.headers[name] ?? '');
    const { parameters, parametersIn } = credentials;
    if (parameters !== '' && body?.kind === 'form' && parametersIn === 'form_or_query') {
      body = { kind: 'form', text: body.text === '' ? parameters : `${body.text}&${parameters}` };
    } else if (parameters !== '') {
      path += `${path.includes('?') ? '&' : '?'}${parameters}`;
    }
  }
  if (contentType !== undefined) headers.push('content-type', contentType);
  return { origin: request.target.origin, path, method: request.method, headers, body };
}
