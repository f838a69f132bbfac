import { inspect } from 'node:util';
import {
  ConnectionError,
  InvalidRequestError,
  OperationFailedError,
  ResponseBodyError,
  type ResponseBodyReason,
  ResponseShapeError,
  TimeoutError,
  type TimeoutReason,
  type TriforgeError,
} from '../../errors/index.js';
import { maskBody, maskSecrets, showText } from '../../masks/secrets.js';
import type { RequestInfo } from '../../response-info.js';
import {
  maxIssues,
  type StandardIssue,
  type StandardSchema,
  showIssues,
} from '../../schema/standard-schema.js';
import { isError } from '../../schema/unknown-values.js';
import { createClosedCause, type Interruption, type Timeouts } from '../dispatch/deadline.js';
import { parseProxyRejection } from '../dispatch/failure-kind.js';
import { isForgottenVendor } from '../http/media-type.js';
import type { Failure } from '../http/raw-response.js';
import type { CallDetails, ResponseSpec } from '../request/endpoint.js';
import type { ResponseDetails } from './response-details.js';

/** Sentence for messages about a request that the server executed. */
export const executedNote = 'The server executed the request.';

/**
 * Joins the parts of a message. If there are several parts, such as a problem and its remedy, each
 * part ends with a period. Returns a single part unchanged.
 */
export function joinSentences(problem: string, ...notes: readonly (string | undefined)[]): string {
  const parts = [problem, ...notes.map((note) => note ?? '')].filter((part) => part !== '');
  if (parts.length < 2) return problem;
  return parts.map((part) => (/[.!?\u2026]$/.test(part) ? part : `${part}.`)).join(' ');
}

export function formatMessage(
  { operation, method, url }: RequestInfo,
  problem: string,
  ...notes: readonly (string | undefined)[]
): string {
  return `${joinSentences(`${operation}: ${problem}`, ...notes)} [${method} ${url}]`;
}

/** Data for {@link createFailureError}, in addition to the failure. */
export interface FailureContext {
  readonly request: RequestInfo;
  readonly timeouts: Timeouts;
  /** Name of the option that contains the base URL. */
  readonly baseUrlOption: string;
  /** Number of attempts. Default: 1. */
  readonly attempts?: number | undefined;
  /** Whether the server may have executed one of the attempts so far. */
  readonly mayHaveActed: boolean;
  /** Whether the request is read-only. If so, messages don't mention whether it was executed. */
  readonly reads: boolean;
  readonly secrets: readonly string[];
  readonly proxy?: string | undefined;
}

/** Creates the error for an attempt without a complete response. */
export function createFailureError(failure: Failure, context: FailureContext): TriforgeError {
  const { request, timeouts, attempts = 1, mayHaveActed } = context;
  const { cause } = failure;
  const acted = describeExecution(context);
  const options = { request, mayHaveActed, cause: maskCause(cause, context.secrets) };
  if (failure.kind === 'invalid_body' && cause instanceof InvalidRequestError) {
    const { field, message } = cause;
    return new InvalidRequestError(
      formatMessage(request, showText(message, context.secrets), acted),
      {
        field,
        cause: maskCause(cause.cause ?? cause, context.secrets),
      },
    );
  }
  const through = context.proxy === undefined ? '' : ` through the proxy ${context.proxy}`;
  switch (failure.kind) {
    case 'timeout_connect':
      return timedOut('connect', `the connection${through} was not established in time`);
    case 'timeout_headers':
      return timedOut('headers', `the server did not respond within ${timeouts.headers} ms`);
    case 'timeout_body':
      return timedOut('body', `the body stalled for ${timeouts.body} ms`);
    case 'truncated':
      return broken('truncated', 'the body was truncated');
    case 'too_large':
      return broken('too_large', 'the body exceeds maxResponseBytes');
    case 'undecodable':
      return broken('undecodable', 'the body could not be decompressed');
    default: {
      const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
      const why = `the connection failed${tries}: ${describeCause(failure, context)}`;
      return new ConnectionError(formatMessage(request, why, acted), options);
    }
  }

  function timedOut(reason: TimeoutReason, what: string): TimeoutError {
    return new TimeoutError(formatMessage(request, what, acted), { ...options, reason });
  }

  function broken(
    reason: 'truncated' | 'too_large' | 'undecodable',
    what: string,
  ): ResponseBodyError {
    const { status = 0 } = failure;
    const isDone = !context.reads && status < 300;
    const why = `${what}: ${describeCause(failure, context)}`;
    const message = formatMessage(request, why, isDone ? executedNote : acted);
    return new ResponseBodyError(message, { ...options, reason, status });
  }
}

/**
 * Creates the error for an interrupted call. If a signal was aborted, returns the signal's reason.
 */
export function createInterruptionError(
  interruption: Interruption,
  context: FailureContext,
): unknown {
  if (interruption.kind === 'aborted') return interruption.reason;
  const { request, mayHaveActed } = context;
  const acted = describeExecution(context);
  if (interruption.kind === 'closed') {
    const cause = createClosedCause();
    const message = formatMessage(request, cause.message, acted);
    return new ConnectionError(message, { request, mayHaveActed, cause });
  }
  const late = `the call did not complete within ${interruption.limit} ms`;
  const message = formatMessage(request, late, acted);
  return new TimeoutError(message, { request, reason: 'total', mayHaveActed });
}

/** Node's error codes for a server that responds to a TLS handshake with plain HTTP. */
const noTls = /^(?:ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$/;

function describeExecution(context: FailureContext): string | undefined {
  if (context.reads) return undefined;
  return context.mayHaveActed
    ? 'The server may have executed the request.'
    : 'The server did not execute the request.';
}

/**
 * Advice for system errors with terse messages. The parameter is the name of the base URL option.
 */
const hints: readonly (readonly [code: RegExp, hint: (option: string) => string])[] = [
  [/^ENOTFOUND$/, (option) => `Check the host name in ${option}.`],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    (option) =>
      `The certificate is for a different host name. Correct ${option}, or set tls: { servername }.`,
  ],
  [
    /^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER|VERIFY)_/,
    () => 'If you trust the certificate authority, pass its certificate in tls: { ca }.',
  ],
];

const brokenConnection = /^(?:UND_ERR_SOCKET|ECONNRESET|HPE_\w+)$/;

function describeCause(failure: Failure, context: FailureContext): string {
  const { baseUrlOption, request, secrets, proxy } = context;
  const { cause } = failure;
  if (!isError(cause)) return 'unknown';
  const refusal = parseProxyRejection(cause);
  if (refusal !== undefined) {
    const who = proxy === undefined ? 'the proxy' : `the proxy ${proxy}`;
    const hint =
      refusal === 407 || refusal === 401
        ? "Pass a valid username and password, as in proxy: 'http://user:password@proxy.example.com:3128'."
        : undefined;
    return joinSentences(`${who} responded with ${refusal}`, hint);
  }
  // The AggregateError for a host with several addresses has an empty message.
  const inner = 'errors' in cause && Array.isArray(cause.errors) ? cause.errors[0] : undefined;
  const text = cause.message || (isError(inner) ? inner.message : '');
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (noTls.test(code)) {
    return `the server does not use TLS on this port (${code}). Check whether the URL should start with http://.`;
  }
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED') {
    return `the server requires a client certificate (${code}). Pass the certificate in tls: { cert, key }.`;
  }
  // Most of Node's messages already contain the code, as in `connect ECONNREFUSED`.
  const containsCode = text.includes(code);
  const shown = showText(containsCode ? text : `${text} (${code})`, secrets);
  const [, hint] = hints.find(([codes]) => codes.test(code)) ?? [];
  if (hint) return joinSentences(shown, hint(baseUrlOption));
  if (
    failure.status === undefined &&
    request.url.startsWith('http:') &&
    brokenConnection.test(code)
  ) {
    const advice = `If the server expects TLS on this port, use https:// in ${baseUrlOption}.`;
    return joinSentences(shown, advice);
  }
  return showText(containsCode ? text : `${code} ${text}`, secrets);
}

/**
 * Returns a cause without secrets. Errors from a user's dispatcher may contain the client's secrets
 * in any field. Errors from undici's parser contain the rest of the response, which may be secret.
 */
function maskCause(cause: unknown, secrets: readonly string[]): unknown {
  if (!isError(cause)) return undefined;
  const shown = inspect(cause, {
    breakLength: Number.POSITIVE_INFINITY,
    depth: 6,
    maxStringLength: null,
    maxArrayLength: null,
  });
  if (!('data' in cause) && maskSecrets(shown, secrets) === shown) return cause;
  const copy = new Error(showText(cause.message, secrets));
  copy.name = cause.name;
  return 'code' in cause && typeof cause.code === 'string'
    ? Object.assign(copy, { code: showText(cause.code, secrets) })
    : copy;
}

export interface ResponseErrorContext {
  readonly call: CallDetails & { readonly response: ResponseDetails };
  readonly responseSpec: Pick<ResponseSpec<unknown>, 'schema'>;
  /** Whether the request is read-only. If so, messages don't mention that it was executed. */
  readonly reads: boolean;
}

/** Creates the error for an unreadable or unexpected body. */
export function createBodyError(
  context: ResponseErrorContext,
  problem: ResponseBodyReason,
  detail: string,
  cause?: unknown,
): ResponseBodyError {
  const { response, secrets } = context.call;
  const request = context.call.describe();
  const why = `the response has status ${response.status}, but ${showText(detail, secrets)}`;
  return new ResponseBodyError(formatMessage(request, why, noteExecution(context)), {
    request,
    reason: problem,
    status: response.status,
    response,
    mayHaveActed: true,
    ...(cause === undefined ? {} : { cause: new Error('invalid JSON') }),
  });
}

/** Creates the error for a 2xx response that reports a failure. */
export function createOperationError(
  context: ResponseErrorContext,
  statusMessage: string | undefined,
  body: unknown,
): OperationFailedError {
  const { response, secrets } = context.call;
  const request = context.call.describe();
  const said = statusMessage === undefined ? undefined : showText(statusMessage, secrets);
  const why = `the server rejected the operation: ${said ?? 'the response contains no reason'}`;
  return new OperationFailedError(formatMessage(request, why), {
    statusMessage: said,
    request,
    response,
    body: () => maskBody(body, secrets),
  });
}

/** Creates the error for a response that doesn't match its model. */
export function createShapeError(
  context: ResponseErrorContext,
  found: ResponseShapeError['issues'],
  data: unknown,
  cause?: unknown,
): ResponseShapeError {
  const { response, secrets } = context.call;
  const issues = maskIssues(found, secrets);
  const request = context.call.describe();
  const model = describeSchema(context.responseSpec.schema);
  const why = `the response does not match ${model}: ${showIssues(issues)}`;
  const { accept } = context.call;
  // Servers ignore a vendor that they don't know. The response then has the default shape.
  const isDefault = /\.(?:v3|beta)\+json|\/vnd\.\w+\+json/.test(accept);
  const isVendor = !isDefault && isForgottenVendor(accept, response.headers);
  const advice = isVendor ? "GitHub Enterprise needs vendor: 'github'." : undefined;
  return new ResponseShapeError(formatMessage(request, why, noteExecution(context), advice), {
    request,
    issues,
    data,
    response,
    ...(cause !== undefined && { cause: maskCause(cause, secrets) }),
  });
}

function noteExecution(context: ResponseErrorContext): string | undefined {
  return context.reads ? undefined : executedNote;
}

export function describeSchema(schema: StandardSchema | undefined): string {
  return typeof schema === 'object' && 'name' in schema ? String(schema.name) : 'its schema';
}

/** Maximum number of segments in an issue's path. */
const maxSegments = 20;

/** Masks secrets in issues, because issues may contain text and names from the server. */
export function maskIssues(
  issues: readonly StandardIssue[],
  secrets: readonly string[],
): StandardIssue[] {
  const shown = (key: PropertyKey) => (typeof key === 'string' ? showText(key, secrets, 100) : key);
  return issues.slice(0, maxIssues).map(({ message, path = [] }) => ({
    message: showText(message, secrets),
    path: path
      .slice(0, maxSegments)
      .map((part) => (typeof part === 'object' ? { key: shown(part.key) } : shown(part))),
  }));
}
