import {
  type ApiError,
  type ApiErrorInit,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type RateLimitKind,
  ServerError,
  UnexpectedStatusError,
  UnprocessableError,
  type ValidationProblem,
} from '../../errors/index.js';
import type { RequestInfo, ResponseInfo } from '../../response-info.js';
import { memberOf } from '../../schema/unknown-values.js';
import { headerOf } from '../http/header-fields.js';
import type { RawResponse } from '../http/raw-response.js';
import { scrub, scrubBody, showText, showWord } from '../http/redact.js';
import { askedWait } from '../policy/retry.js';
import { decodeErrorBody } from './parse-response.js';

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

/** Turns an answer that is no success into its error. */
export function classify(
  answer: RawResponse & { readonly body: Buffer },
  context: ErrorContext,
): ApiError {
  const { request, response, secrets } = context;
  const body = decodeErrorBody(answer.body, answer.headers);
  const said = messageOf(body) ?? response.statusText;
  const errors = problemsOf(body, secrets);
  const init: ApiErrorInit = {
    request,
    response,
    documentationUrl: pageOf(body, secrets),
    errors,
    body: () => scrubBody(body, secrets),
    mayHaveActed: context.mayHaveActed,
  };
  const line = (note?: string) =>
    [
      `${request.operation}: ${answer.status} ${showText(said, secrets)}`.trim(),
      errors.length > 0 ? ` (${showText(errors.map(showProblem).join('; '), secrets)})` : '',
      note === undefined ? '' : `: ${showText(note, secrets)}`,
      ` [${request.method} ${request.url}]`,
    ].join('');
  const wait = askedWait(answer, context.now);
  const retryAt = wait === undefined ? undefined : new Date(context.now + wait);
  const limit = limitKind(answer);
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
      return isLockout(said, init.documentationUrl)
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
        : new UnexpectedStatusError(line(), init);
  }
}

/** What a server says when a rate limit refuses a request. */
const limitWords =
  /\b(?:secondary|api|primary|hourly) rate limit|\brate limits? (?:was |is |has been )?(?:exceeded|reached|hit)|\bexceeded (?:a|an|the|your|our) [a-z ]{0,30}rate limit|\babuse detection|\btoo many requests/i;

/**
 * Which rate limit refused the request; undefined where it was none. A 403 is one only
 * where it says so, or says nothing but its header fields: one beside a budget that it has just used up,
 * or with a `Retry-After`, may refuse for another reason.
 */
export function limitKind(answer: RawResponse): RateLimitKind | undefined {
  if (answer.status !== 403 && answer.status !== 429) return undefined;
  const body =
    answer.body instanceof Buffer ? decodeErrorBody(answer.body, answer.headers) : undefined;
  const message = messageOf(body) ?? (typeof body === 'string' ? body.slice(0, 4096) : '');
  if (isLockout(message, stringAt(body, 'documentation_url'))) return undefined;
  if (answer.status === 403 && message !== '' && !limitWords.test(message)) return undefined;
  if (headerOf(answer.headers, 'x-ratelimit-remaining') === '0') return 'primary';
  const told = answer.status === 429 || headerOf(answer.headers, 'retry-after') !== undefined;
  return told || message !== '' ? 'secondary' : undefined;
}

/** The challenge for a one-time password: `X-<Vendor>-OTP: required; …`. */
export function otpWanted(answer: Pick<RawResponse, 'headers'>): boolean {
  return Object.keys(answer.headers).some(
    (name) =>
      /^x-[a-z0-9]+-otp$/.test(name) &&
      /^\s*required\b/i.test(headerOf(answer.headers, name) ?? ''),
  );
}

function scopeNote(response: ResponseInfo): string | undefined {
  const { granted, accepted } = response.scopes;
  if (granted === undefined && accepted === undefined) return undefined;
  const show = (scopes: readonly string[] | undefined) => scopes?.join(', ') || 'none';
  return `granted scopes: ${show(granted)}; accepted scopes: ${show(accepted)}`;
}

function stringAt(body: unknown, name: string): string | undefined {
  const value = memberOf(body, name);
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

/** More of them are read in the body, by whoever wants them. */
const mostProblems = 100;

function problemsOf(body: unknown, secrets: readonly string[]): ValidationProblem[] {
  const errors = memberOf(body, 'errors');
  if (!Array.isArray(errors)) return [];
  const text = (value: string | undefined) => value && showText(value, secrets);
  const word = (value: string | undefined) => value && showWord(value, secrets);
  return errors.slice(0, mostProblems).map((each: unknown) => {
    if (typeof each !== 'object' || each === null) {
      return { code: 'custom', message: text(String(each)) };
    }
    return {
      resource: word(stringAt(each, 'resource')),
      field: word(stringAt(each, 'field')),
      code: word(stringAt(each, 'code')) ?? 'custom',
      message: text(stringAt(each, 'message')),
    };
  });
}

function pageOf(body: unknown, secrets: readonly string[]): string | undefined {
  const url = stringAt(body, 'documentation_url');
  return url && url.length <= 2000 ? scrub(url, secrets) : undefined;
}

function showProblem(problem: ValidationProblem): string {
  const place = [problem.resource, problem.field].filter(Boolean).join('.');
  return [place, problem.code === 'custom' && problem.message ? '' : problem.code, problem.message]
    .filter(Boolean)
    .join(' ');
}

const aboutLogins =
  /\blog[- ]?ins?\b|\bsign[- ]?ins?\b|\b(?:authentications?|passwords?|credentials?)\b/i;
const aboutAttempts = /\b(?:attempts?|tries|failed|failures?)\b/i;
const aboutAnEnd = /\b(?:max(?:imum)?|exceed(?:ed|s)?|too many|limit|lock(?:ed|out)|blocked)\b/i;

/**
 * Whether a 403 says that too many logins failed, after which valid credentials are
 * refused too. No words for it are fixed, and servers differ: it is known by what it speaks
 * of, or by the section of the documentation that it leads to.
 */
export function isLockout(message: string, documentationUrl: string | undefined): boolean {
  if (/#.*\b(?:failed-login|login-limit|lockout)/i.test(documentationUrl ?? '')) return true;
  if (/\brate limit\b/i.test(message)) return false;
  if (/too many (?:failed|invalid) attempts/i.test(message)) return true;
  return [aboutLogins, aboutAttempts, aboutAnEnd].every((words) => words.test(message));
}
