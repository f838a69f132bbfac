import {
  type ApiError,
  type ApiErrorInit,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  OtherApiError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
  type ValidationProblem,
} from '../errors.js';
import type { RequestInfo, ResponseInfo } from '../response-info.js';
import { decodeErrorBody } from './decode.js';
import { headerOf, type RawResponse } from './raw-response.js';
import { scrub, showText } from './redact.js';
import { parseRetryAfter } from './retry-after.js';

/** What {@link classify} reads besides the answer itself. */
export interface ErrorContext {
  readonly request: RequestInfo;
  readonly response: ResponseInfo;
  /** Values that must not show, though the server may echo them. */
  readonly secrets: readonly string[];
  /** The server may have executed it, now or in an earlier attempt. */
  readonly mayHaveActed: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What a 401 means for the kind of credentials that were used. */
  readonly authNote?: string | undefined;
}

/** Turns an answer that is no success into its error (contract: Errors). */
export function classify(
  answer: RawResponse & { readonly body: Buffer },
  context: ErrorContext,
): ApiError {
  const { request, response, secrets } = context;
  const body = scrubbed(decodeErrorBody(answer.body, answer.headers), secrets);
  const said = messageOf(body) ?? response.statusText;
  const errors = problemsOf(body);
  const init: ApiErrorInit = {
    request,
    response,
    documentationUrl: stringAt(body, 'documentation_url'),
    errors,
    body,
    mayHaveActed: context.mayHaveActed,
  };
  const line = (note?: string) =>
    [
      `${request.operation}: ${answer.status} ${showText(said, secrets)}`.trim(),
      errors.length > 0 ? ` (${showText(errors.map(showProblem).join('; '), secrets)})` : '',
      note === undefined ? '' : `: ${showText(note, secrets)}`,
      ` [${request.method} ${request.url}]`,
    ].join('');
  const retryAt = retryTime(answer, context.now);
  const limit = limitKind(answer, said);
  if (limit !== undefined) {
    const resetAt = limit === 'primary' ? (response.rateLimit?.reset ?? retryAt) : retryAt;
    return new RateLimitError(
      line(`${limit} rate limit${resetAt ? `, until ${resetAt.toISOString()}` : ''}`),
      init,
      limit,
      resetAt,
    );
  }
  switch (answer.status) {
    case 400:
      return new BadRequestError(line(), init);
    case 401:
      return otpWanted(answer)
        ? new AuthenticationError(
            line('a one-time password is required: give `otp` with Basic authentication'),
            init,
            'otp_required',
          )
        : new AuthenticationError(line(context.authNote), init);
    case 403:
      return isLockout(said)
        ? new PermissionError(
            line('locked out after too many failed logins; valid credentials are refused too'),
            init,
            'login_lockout',
          )
        : new PermissionError(line(scopeNote(response)), init);
    case 404:
      return new NotFoundError(
        line(
          ['missing, or hidden from this credential', scopeNote(response)]
            .filter(Boolean)
            .join('; '),
        ),
        init,
      );
    case 409:
      return new ConflictError(line(), init);
    case 422:
      return new UnprocessableError(line(), init);
    default:
      return answer.status >= 500
        ? new ServerError(line(retryAt && `come back at ${retryAt.toISOString()}`), init, retryAt)
        : new OtherApiError(line(), init);
  }
}

/** Which rate limit refused the request; undefined where it was none (contract: Limits). */
export function limitKind(answer: RawResponse, said?: string): 'primary' | 'secondary' | undefined {
  if (answer.status !== 403 && answer.status !== 429) return undefined;
  const message =
    said ??
    (answer.body instanceof Buffer
      ? messageOf(decodeErrorBody(answer.body, answer.headers))
      : '') ??
    '';
  if (isLockout(message)) return undefined;
  if (headerOf(answer.headers, 'x-ratelimit-remaining') === '0') return 'primary';
  if (answer.status === 429 || headerOf(answer.headers, 'retry-after') !== undefined) {
    return 'secondary';
  }
  return /\b(?:secondary rate limit|abuse detection|rate limit exceeded)/i.test(message)
    ? 'secondary'
    : undefined;
}

/** The challenge for a one-time password: `X-<Vendor>-OTP: required; …`. */
export function otpWanted(answer: Pick<RawResponse, 'headers'>): boolean {
  return Object.keys(answer.headers).some(
    (name) =>
      /^x-[a-z0-9]+-otp$/.test(name) &&
      /^\s*required\b/i.test(headerOf(answer.headers, name) ?? ''),
  );
}

function isLockout(message: string): boolean {
  return /maximum number of login attempts|too many (?:failed|invalid) (?:login|attempts)/i.test(
    message,
  );
}

function retryTime(answer: RawResponse, now: number): Date | undefined {
  const wait = parseRetryAfter(
    headerOf(answer.headers, 'retry-after'),
    now,
    headerOf(answer.headers, 'date'),
  );
  return wait === undefined ? undefined : new Date(now + wait);
}

function scopeNote(response: ResponseInfo): string | undefined {
  const { granted, accepted } = response.scopes;
  if (granted === undefined && accepted === undefined) return undefined;
  const show = (scopes: readonly string[] | undefined) => scopes?.join(', ') || 'none';
  return `granted scopes: ${show(granted)}; accepted scopes: ${show(accepted)}`;
}

function at(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? Reflect.get(body, name)
    : undefined;
}

function stringAt(body: unknown, name: string): string | undefined {
  const value = at(body, name);
  return typeof value === 'string' ? value : undefined;
}

function messageOf(body: unknown): string | undefined {
  const message =
    stringAt(body, 'message') ?? stringAt(body, 'error') ?? stringAt(body, 'statusMessage');
  if (message !== undefined) return message;
  // Markup says nothing in one line: the reason phrase says more.
  return typeof body === 'string' && body.trim() !== '' && !body.trim().startsWith('<')
    ? body
    : undefined;
}

function problemsOf(body: unknown): ValidationProblem[] {
  const errors = at(body, 'errors');
  if (!Array.isArray(errors)) return [];
  return errors.map((each: unknown) => {
    if (typeof each !== 'object' || each === null) return { code: 'custom', message: String(each) };
    return {
      resource: stringAt(each, 'resource'),
      field: stringAt(each, 'field'),
      code: stringAt(each, 'code') ?? 'custom',
      message: stringAt(each, 'message'),
    };
  });
}

function showProblem(problem: ValidationProblem): string {
  const place = [problem.resource, problem.field].filter(Boolean).join('.');
  return [place, problem.code === 'custom' && problem.message ? '' : problem.code, problem.message]
    .filter(Boolean)
    .join(' ');
}

/** Deeper than any honest error body: what lies below is left out. */
const deepest = 100;

/** A server's body with our own secrets replaced, wherever it echoes them. */
export function scrubbed(body: unknown, secrets: readonly string[], depth = 0): unknown {
  if (secrets.length === 0) return body;
  if (typeof body === 'string') return scrub(body, secrets);
  if (typeof body !== 'object' || body === null) return body;
  if (depth === deepest) return '…';
  const inner = (value: unknown) => scrubbed(value, secrets, depth + 1);
  if (Array.isArray(body)) return body.map(inner);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [scrub(name, secrets), inner(value)]),
  );
}
