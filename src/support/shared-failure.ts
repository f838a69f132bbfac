import {
  ApiError,
  type ApiErrorInit,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnexpectedStatusError,
  UnprocessableError,
} from '../errors/index.js';
import type { RequestInfo } from '../response-info.js';
import type { StoredFailure } from '../transport/policy/stores.js';
import { AnswerInfo } from '../transport/response/answer-info.js';

/**
 * How long a failed sign-in applies to all processes, in ms: after rejected credentials, and after other
 * errors.
 */
const [rejectedFor, failedFor] = [30_000, 5000];

/** A failed sign-in in the store: the parts of its error, without secrets. */
interface Shared {
  readonly message: string;
  readonly request: RequestInfo;
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly url: string;
    readonly attempts: number;
  };
  readonly code: string;
  /** `reason` or `kind` of the error. */
  readonly reason: string | undefined;
  /** Milliseconds from when the error was created until the server allows the next attempt. */
  readonly retryAfter: number | undefined;
}

/**
 * Serializes a failed sign-in for the other processes. Undefined if the server sent no response, because
 * only this process's network may be at fault.
 */
export function failureToShare(error: unknown): StoredFailure | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { message, request, response } = error;
  const { code, reason, kind, retryAfter }: Partial<Record<string, unknown>> = { ...error };
  const isRejected = error instanceof AuthenticationError || error instanceof PermissionError;
  const wait =
    error instanceof ServerError && error.retryAt
      ? error.retryAt.getTime() - Date.now()
      : retryAfter;
  const shared = { message, request, response, code, reason: reason ?? kind, retryAfter: wait };
  return { failure: JSON.stringify(shared), lifetime: isRejected ? rejectedFor : failedFor };
}

/** The error of another process's sign-in; undefined if the store returns something else. */
export function sharedError({ failure, lifetime }: StoredFailure): ApiError | undefined {
  try {
    // `as`: a store returns what `failureToShare` wrote; anything else fails the checks below.
    const shared = JSON.parse(failure) as Shared;
    const { request, response } = shared;
    const { operation, method, url } = request;
    const texts = [shared.message, operation, method, url, response.url, response.statusText];
    if (!texts.every((text) => typeof text === 'string')) return undefined;
    if (typeof response.status !== 'number' || typeof response.headers !== 'object')
      return undefined;
    const facts = { ...response, fromCache: false, credentialNames: new Set<string>() };
    const init = { request: { operation, method, url }, response: new AnswerInfo(facts) };
    return errorOf(shared, lifetime, init);
  } catch {
    return undefined;
  }
}

function errorOf(shared: Shared, lifetime: number, init: ApiErrorInit): ApiError {
  const seconds = Math.ceil(lifetime / 1000);
  const message = `${shared.message} (another process tried; the next attempt is made in ${seconds} s)`;
  const { reason, retryAfter } = shared;
  const wait = Math.max(lifetime, (retryAfter ?? 0) - (failedFor - lifetime));
  const at = new Date(Date.now() + wait);
  switch (shared.code) {
    case 'bad_request':
      return new BadRequestError(message, init);
    case 'not_found':
      return new NotFoundError(message, init);
    case 'conflict':
      return new ConflictError(message, init);
    case 'unprocessable':
      return new UnprocessableError(message, init);
    case 'authentication':
      return new AuthenticationError(message, init);
    case 'permission':
      return new PermissionError(message, init, reason === 'login_lockout' ? reason : 'forbidden');
    case 'rate_limit': {
      const kind = reason === 'primary' ? reason : 'secondary';
      return new RateLimitError(message, init, { kind, retryAfter: wait, resetAt: at });
    }
    case 'server':
      return new ServerError(message, init, retryAfter === undefined ? undefined : at);
    default:
      return new UnexpectedStatusError(message, init);
  }
}
