import {
  ApiError,
  type ApiErrorInit,
  AuthenticationError,
  PermissionError,
  RateLimitError,
  RedirectError,
  type RedirectReason,
  ResponseBodyError,
  type ResponseBodyReason,
  ResponseShapeError,
  ServerError,
  type TriforgeError,
} from '../errors/index.js';
import type { RequestInfo } from '../response-info.js';
import type { StandardIssue } from '../schema/standard-schema.js';
import { isRecord } from '../schema/unknown-values.js';
import { createStatusError } from '../transport/response/classify.js';
import { ResponseDetails } from '../transport/response/response-details.js';
import type { StoredFailure } from '../transport/stores/stores.js';

/**
 * Times in ms for which all processes reuse a failed sign-in, after rejected credentials and after
 * other errors.
 */
const [rejectedFor, failedFor] = [30_000, 5000];

/** Error from a failed sign-in, without secrets. Stored for other processes. */
interface Shared {
  readonly message: string;
  readonly request: RequestInfo;
  /** Response that caused the failure. Undefined for a redirect. */
  readonly response:
    | {
        readonly status: number;
        readonly statusText: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly url: string;
        readonly attempts: number;
      }
    | undefined;
  readonly code: string;
  readonly reason: string | undefined;
  /** Target of a redirect, masked. */
  readonly location: string | undefined;
  /** Differences between the response and its model. */
  readonly issues: readonly StandardIssue[] | undefined;
  /** Milliseconds from the error's creation until the server allows the next attempt. */
  readonly retryAfter: number | undefined;
}

/**
 * Serializes a failed sign-in for the other processes. Returns undefined if no complete response
 * arrived, because only this process's network may be at fault.
 */
export function failureToShare(error: unknown): StoredFailure | undefined {
  if (!isOfServer(error)) return undefined;
  const { message, request } = error;
  const { code, reason, location, issues, retryAfter }: Partial<Record<string, unknown>> = {
    ...error,
  };
  const isRejected = error instanceof AuthenticationError || error instanceof PermissionError;
  const wait =
    error instanceof ServerError && error.retryAt
      ? error.retryAt.getTime() - Date.now()
      : retryAfter;
  const shared = {
    message,
    request,
    response: error instanceof RedirectError ? undefined : error.response,
    code,
    reason,
    location,
    issues,
    retryAfter: wait,
  };
  return { failure: JSON.stringify(shared), lifetime: isRejected ? rejectedFor : failedFor };
}

function isOfServer(
  error: unknown,
): error is ApiError | RedirectError | ResponseShapeError | ResponseBodyError {
  if (error instanceof ResponseBodyError) return error.response !== undefined;
  return (
    error instanceof ApiError ||
    error instanceof RedirectError ||
    error instanceof ResponseShapeError
  );
}

/**
 * Recreates the error from another process's failed sign-in. Undefined if the stored value is
 * invalid, or if its lifetime is too long because the store's clock was set back.
 */
export function sharedError({ failure, lifetime }: StoredFailure): TriforgeError | undefined {
  if (lifetime > 2 * rejectedFor) return undefined;
  try {
    // `as`: a store returns what `failureToShare` wrote. The checks below reject any other value.
    const shared = JSON.parse(failure) as Shared;
    const { response } = shared;
    const { operation, method, url } = shared.request;
    const request = { operation, method, url };
    const texts = [shared.message, operation, method, url];
    if (!texts.every((text) => typeof text === 'string')) return undefined;
    const seconds = Math.ceil(lifetime / 1000);
    const message = `${shared.message} (reported by another process, next attempt in ${seconds} s)`;
    if (shared.code === 'redirect') {
      // `as`: an unknown reason is harmless.
      return new RedirectError(message, {
        request,
        reason: shared.reason as RedirectReason,
        location: shared.location,
        mayHaveActed: false,
      });
    }
    if (typeof response?.status !== 'number' || typeof response.headers !== 'object')
      return undefined;
    if (typeof response.url !== 'string' || typeof response.statusText !== 'string')
      return undefined;
    const facts = { ...response, fromCache: false, credentialParameters: new Set<string>() };
    return rebuildError({ ...shared, message }, lifetime, {
      request,
      response: new ResponseDetails(facts),
    });
  } catch {
    return undefined;
  }
}

function rebuildError(
  shared: Shared,
  lifetime: number,
  init: ApiErrorInit,
): TriforgeError | undefined {
  const { message, reason, issues, retryAfter } = shared;
  const { request, response } = init;
  const wait = Math.max(lifetime, (retryAfter ?? 0) - (failedFor - lifetime));
  const at = new Date(Date.now() + wait);
  switch (shared.code) {
    case 'authentication':
      return new AuthenticationError(message, init);
    case 'permission':
      return new PermissionError(message, {
        ...init,
        reason: reason === 'login_lockout' ? reason : 'forbidden',
      });
    case 'rate_limit': {
      const limit = reason === 'primary' ? reason : 'secondary';
      return new RateLimitError(message, {
        ...init,
        reason: limit,
        retryAfter: wait,
        resetAt: at,
      });
    }
    case 'response_body':
      if (typeof reason !== 'string') return undefined;
      // `as`: an unknown reason is harmless.
      return new ResponseBodyError(message, {
        request,
        reason: reason as ResponseBodyReason,
        status: response.status,
        response,
      });
    case 'response_shape':
      if (!areIssues(issues)) return undefined;
      return new ResponseShapeError(message, { request, issues, data: undefined, response });
    default:
      return createStatusError(message, init, retryAfter === undefined ? undefined : at);
  }
}

function areIssues(issues: unknown): issues is readonly StandardIssue[] {
  if (!Array.isArray(issues)) return false;
  return issues.every(
    (issue) =>
      isRecord(issue) &&
      typeof issue.message === 'string' &&
      (issue.path === undefined || Array.isArray(issue.path)),
  );
}
