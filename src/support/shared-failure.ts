import {
  ApiError,
  type ApiErrorInit,
  AuthenticationError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnexpectedStatusError,
} from '../errors/index.js';
import type { RequestInfo } from '../response-info.js';
import type { StoredFailure } from '../transport/policy/stores.js';
import { AnswerInfo } from '../transport/response/answer-info.js';

/** How long rejected credentials hold for all processes, and how long other error responses, in ms. */
const [rejectedFor, failedFor] = [30_000, 5000];

/** A failed sign-in in the store: what its error is made of, without secrets. */
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
  readonly lockout: boolean;
  /** Milliseconds since the epoch. */
  readonly retryAt: number | undefined;
}

/**
 * A failed sign-in for the other processes; undefined if the server sent no response: then the fault may
 * be of this process's network alone.
 */
export function failureToShare(error: unknown): StoredFailure | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { message, request, response } = error;
  const code = 'code' in error ? error.code : undefined;
  const isRejected = error instanceof AuthenticationError || error instanceof PermissionError;
  const lockout = error instanceof PermissionError && error.reason === 'login_lockout';
  const at = retryAtOf(error);
  const failure = JSON.stringify({ message, request, response, code, lockout, retryAt: at });
  return { failure, lifetime: isRejected ? rejectedFor : failedFor };
}

function retryAtOf(error: ApiError): number | undefined {
  const at = error instanceof RateLimitError ? error.resetAt : undefined;
  return (error instanceof ServerError ? error.retryAt : at)?.getTime();
}

/** The error of another process's sign-in; undefined if the store returns something else. */
export function sharedError({ failure, lifetime }: StoredFailure): ApiError | undefined {
  try {
    // `as`: a store returns what `failureToShare` wrote; anything else is missing what is checked below.
    const shared = JSON.parse(failure) as Shared;
    const { request, response } = shared;
    const { operation, method, url } = request;
    const texts = [shared.message, operation, method, url, response.url, response.statusText];
    if (!texts.every((text) => typeof text === 'string')) return undefined;
    if (typeof response.status !== 'number' || typeof response.headers !== 'object')
      return undefined;
    const facts = { ...response, fromCache: false, credentialNames: new Set<string>() };
    const init = { request: { operation, method, url }, response: new AnswerInfo(facts) };
    return errorOf(shared, Math.ceil(lifetime / 1000), init);
  } catch {
    return undefined;
  }
}

function errorOf(shared: Shared, seconds: number, init: ApiErrorInit): ApiError {
  const message = `${shared.message} (another process tried; the next attempt is made in ${seconds} s)`;
  const at = shared.retryAt === undefined ? undefined : new Date(shared.retryAt);
  switch (shared.code) {
    case 'authentication':
      return new AuthenticationError(message, init);
    case 'permission':
      return new PermissionError(message, init, shared.lockout ? 'login_lockout' : 'forbidden');
    case 'rate_limit':
      return new RateLimitError(message, init, 'secondary', at);
    case 'server':
      return new ServerError(message, init, at);
    default:
      return new UnexpectedStatusError(message, init);
  }
}
