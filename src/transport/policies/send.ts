import { exchange } from '../dispatch/exchange.js';
import type { WireRequest } from '../dispatch/wire-request.js';
import { acceptEncoding } from '../http/content-coding.js';
import { getContentType, type RequestBody } from '../request/body.js';
import type { Credentials } from '../request/credentials.js';
import type { RequestSpec } from '../request/request-spec.js';
import { reportStart } from './attempt-events.js';
import { createStreamError } from './call-errors.js';
import type { PolicySettings } from './context.js';
import type { Send } from './pipeline.js';

/**
 * Creates the innermost step, which adds the credentials and sends one request. The step also
 * reports the start of an attempt.
 */
export function sendRequests(settings: PolicySettings): Send {
  const { channels, dispatchers, maxResponseBytes, publish, userAgent } = settings;
  return (request, context) => {
    // Report the start only once, even if the attempt is redirected or repeated after a 401.
    const { attempt, call, deadline } = context;
    const { target, trusted } = attempt;
    if (attempt.startedAt === undefined) {
      attempt.startedAt = performance.now();
      if (channels.start.hasSubscribers) reportStart(publish, context, request.target);
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
