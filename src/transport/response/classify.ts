import { Readable } from 'node:stream';
import {
  type ApiError,
  type ApiErrorInit,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type RateLimitReason,
  ServerError,
  UnexpectedStatusError,
  UnprocessableError,
  type ValidationProblem,
} from '../../errors/index.js';
import { maskBody, showPage, showText, showWord } from '../../masks/secrets.js';
import type { RequestInfo, ResponseInfo } from '../../response-info.js';
import { getMember, isRecord } from '../../schema/unknown-values.js';
import { computeLimitWait } from '../decisions/retry-decision.js';
import { getHeader, parseRetryAfter } from '../http/headers.js';
import { isForgottenVendor } from '../http/media-type.js';
import type { BufferedResponse, RawResponse } from '../http/raw-response.js';
import { formatMessage } from './failure.js';
import { decodeErrorBody } from './parse-response.js';

/** Data for {@link classify}, in addition to the response. */
export interface RejectionContext {
  readonly request: RequestInfo;
  readonly response: ResponseInfo;
  /** Values to mask. The server may echo them. */
  readonly secrets: readonly string[];
  /** Whether the server may have executed this attempt or an earlier one. */
  readonly mayHaveActed: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Media types that the request accepts. */
  readonly accept: string;
  /** Returns advice if `baseUrl` may have caused a 404. Default: no advice. */
  readonly explainBaseUrl?: ((isPage: boolean) => string | undefined) | undefined;
  /** Explanation of a 401 for the client's kind of credentials. */
  readonly unauthorizedHint?: string | undefined;
  /** Origin that sent the response, if it is untrusted and the call has credentials. */
  readonly untrustedOrigin?: string | undefined;
  /** Maximum wait for the hourly quota in ms. Undefined if calls don't wait for it. */
  readonly maxWait?: number | undefined;
  /** Maximum wait for a secondary limit in ms. Undefined if calls don't wait for it. */
  readonly maxRetryAfter?: number | undefined;
}

/** Creates the error for a response whose status isn't 2xx. */
export function classify(raw: BufferedResponse, context: RejectionContext): ApiError {
  const { request, response, secrets } = context;
  const body = decodeErrorBody(raw.body, raw.headers);
  const said = findMessage(body) ?? response.statusText;
  const errors = parseProblems(body, secrets);
  const init: ApiErrorInit = {
    request,
    response,
    documentationUrl: showPage(getString(body, 'documentation_url'), secrets),
    errors,
    body: () => maskBody(body, secrets),
    mayHaveActed: context.mayHaveActed,
  };
  const problems = errors.map(showProblem).filter((each) => each !== said);
  const line = (note?: string, advice?: string) => {
    const shown = showText(said, secrets);
    const isLast = note === undefined && problems.length === 0;
    // If more text follows, remove a final period, but not an ellipsis.
    const problem = [
      `${raw.status} ${isLast ? shown : shown.replace(/(?<!\.)\.$/, '')}`.trim(),
      problems.length > 0 ? ` (${showText(problems.join('; '), secrets)})` : '',
      note === undefined ? '' : `: ${showText(note, secrets)}`,
    ].join('');
    return formatMessage(request, problem, advice);
  };
  const { explainBaseUrl, untrustedOrigin } = context;
  const foreign =
    untrustedOrigin === undefined
      ? undefined
      : line(
          `the response is from ${untrustedOrigin}, which received no credentials`,
          `If you trust ${untrustedOrigin}, add it to trustedOrigins.`,
        );
  const limit = classifyRateLimit(raw);
  if (limit !== undefined) {
    const retryAfter = computeLimitWait(raw, limit, context.now);
    const resetAt = new Date(context.now + retryAfter);
    const note = `the ${limit} rate limit applies until ${resetAt.toISOString()}`;
    return new RateLimitError(line(note, explainNoWait(limit, retryAfter, context)), {
      ...init,
      reason: limit,
      retryAfter,
      resetAt,
    });
  }
  switch (raw.status) {
    case 400:
      return new BadRequestError(line(), init);
    case 401:
      return requiresOtp(raw)
        ? new AuthenticationError(line(otpNote), {
            ...init,
            reason: 'otp_required',
          })
        : new AuthenticationError(foreign ?? line(context.unauthorizedHint ?? credentialsNote), {
            ...init,
            reason: 'bad_credentials',
          });
    case 403:
      return isLockout(said, init.documentationUrl)
        ? new PermissionError(line(lockoutNote, lockoutAdvice), {
            ...init,
            reason: 'login_lockout',
          })
        : new PermissionError(foreign ?? line(describeMissingScopes(response)), {
            ...init,
            reason: 'forbidden',
          });
    case 404: {
      const scopes = describeMissingScopes(response);
      const note = 'the resource is missing, or hidden from these credentials';
      const why = scopes === undefined ? note : `${note} (${scopes})`;
      const message = foreign ?? line(why, explainBaseUrl?.(isMarkup(body)));
      return new NotFoundError(message, init);
    }
    case 409:
      return new ConflictError(line(), init);
    case 422:
      return new UnprocessableError(line(), init);
    default: {
      if (raw.status < 500) {
        const isVendor = raw.status === 415 && isForgottenVendor(context.accept, raw.headers);
        const advice = isVendor ? "GitHub Enterprise needs vendor: 'github'." : undefined;
        return new UnexpectedStatusError(line(undefined, advice), init);
      }
      const wait = parseRetryAfter(raw.headers, context.now);
      const retryAt = wait === undefined ? undefined : new Date(context.now + wait);
      const advice = retryAt && `Try again at ${retryAt.toISOString()}.`;
      return new ServerError(line(undefined, advice), { ...init, retryAt });
    }
  }
}

const otpNote =
  'a one-time password is required, or the one in `otp` is wrong. Use Basic authentication with `otp`.';

const lockoutNote = 'the login is locked after too many failed attempts';
const lockoutAdvice =
  'Wait before you try again, because the server rejects even valid credentials.';

/** Advice after a 401 if the authorizer provides no hint. */
const credentialsNote = 'the credentials are missing, wrong or expired. Check auth.';

/**
 * Returns a sentence that names the option whose limit the wait exceeds. Undefined if the wait
 * exceeds no limit.
 */
function explainNoWait(
  kind: RateLimitReason,
  wait: number,
  context: RejectionContext,
): string | undefined {
  const isPrimary = kind === 'primary';
  const most = isPrimary ? context.maxWait : context.maxRetryAfter;
  if (most === undefined || wait <= most) return undefined;
  return `The wait exceeds ${isPrimary ? 'rateLimit.maxWait' : 'retry.maxRetryAfter'} (${most} ms).`;
}

function describeMissingScopes(response: ResponseInfo): string | undefined {
  const { granted, accepted } = response.scopes;
  if (granted === undefined && accepted === undefined) return undefined;
  const parts = [
    granted && `granted scopes: ${granted.join(', ') || 'none'}`,
    accepted &&
      (accepted.length > 0 ? `accepted scopes: ${accepted.join(', ')}` : 'no scope is required'),
  ];
  return parts.filter(Boolean).join('; ');
}

/** Maximum number of problems that an error lists. The error's `body` contains all of them. */
const maxProblems = 100;

function parseProblems(body: unknown, secrets: readonly string[]): ValidationProblem[] {
  const errors = listErrors(getMember(body, 'errors'));
  const text = (value: string | undefined) => value && showText(value, secrets);
  const word = (value: string | undefined) => value && showWord(value, secrets);
  return errors.slice(0, maxProblems).map((each: unknown) => {
    if (typeof each !== 'object' || each === null) {
      return { code: 'custom', message: text(String(each)) };
    }
    return {
      resource: word(getString(each, 'resource')),
      field: word(getString(each, 'field')),
      code: word(getString(each, 'code')) ?? 'custom',
      message: text(getString(each, 'message')),
    };
  });
}

/** Converts a list, a string, or an object of messages by field to a list of errors. */
function listErrors(errors: unknown): readonly unknown[] {
  if (Array.isArray(errors)) return errors;
  if (!isRecord(errors)) return typeof errors === 'string' && errors !== '' ? [errors] : [];
  return Object.entries(errors)
    .slice(0, maxProblems)
    .flatMap(([field, said]) =>
      [said].flat().map((each) => ({ field, code: 'custom', message: printText(each) })),
    );
}

/** Returns a string unchanged, and any other value as JSON of limited depth. */
function printText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(maskBody(value, []));
}

function showProblem(problem: ValidationProblem): string {
  const place = [problem.resource, problem.field].filter(Boolean).join('.');
  return [place, problem.code === 'custom' && problem.message ? '' : problem.code, problem.message]
    .filter(Boolean)
    .join(' ');
}

/** Returns a string member of a decoded body. Undefined if there is none. */
function getString(body: unknown, name: string): string | undefined {
  const value = getMember(body, name);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the server's message in a decoded body. Undefined if the body contains no message, or is
 * markup.
 */
function findMessage(body: unknown): string | undefined {
  const message = getMember(body, 'message');
  if (typeof message === 'object' && message !== null) return printText(message);
  const text =
    getString(body, 'message') ?? getString(body, 'error') ?? getString(body, 'statusMessage');
  if (text !== undefined) return text;
  // Markup is unreadable in an error message.
  return typeof body === 'string' && body.trim() !== '' && !isMarkup(body) ? body : undefined;
}

/** Returns whether a decoded body is HTML or XML. */
function isMarkup(body: unknown): boolean {
  return typeof body === 'string' && body.trim().startsWith('<');
}

/** Matches messages that name a rate limit as the reason, regardless of the headers. */
const limitWords =
  /\b(?:secondary|api|primary|hourly) rate limit|\brate limits? (?:was |is |has been )?(?:exceeded|reached|hit)|\bexceeded (?:a|an|the|your|our) [a-z ]{0,30}rate limit|\babuse detection|\btoo many requests|\b(?:requests|calls) (?:per|an?|each|this|in an?) (?:second|minute|hour|day)\b/i;

/** Matches messages that name a missing permission. */
const permissionWords =
  /\b(?:permissions?|privileges?|scopes?|rights?|roles?|admin\w*|owners?|members?|collaborators?|(?:un)?authori[sz]ed|suspended|archived|verify|verified|allow ?list|not accessible|(?:push|pull|read|write|no) access|access (?:is |was )?(?:blocked|restricted|restrictions?))\b/i;

/**
 * Returns the rate limit that rejected a request. Undefined if no limit rejected it. A 403 is a
 * rate limit if its message mentions a rate limit. A 403 is also a rate limit if its headers
 * indicate a limit (no remaining units, or `Retry-After`) and its message mentions no permission.
 * The headers alone aren't enough, because a request without permission can use the quota's last
 * unit.
 */
export function classifyRateLimit(response: RawResponse): RateLimitReason | undefined {
  const { status, headers, statusText } = response;
  if (status !== 403 && status !== 429) return undefined;
  const body =
    response.body instanceof Readable ? undefined : decodeErrorBody(response.body, headers);
  const message = (findMessage(body) ?? `${printText(body)} ${statusText}`).slice(0, 4096);
  if (status === 403 && isLockout(message, getString(body, 'documentation_url'))) return undefined;
  // A mock or a server without limits may report a limit of 0.
  const hasQuota = getHeader(headers, 'x-ratelimit-limit') !== '0';
  const isUsedUp = hasQuota && getHeader(headers, 'x-ratelimit-remaining') === '0';
  const hasHeaders = isUsedUp || getHeader(headers, 'retry-after') !== undefined;
  const isLimit =
    status === 429 || limitWords.test(message) || (hasHeaders && !permissionWords.test(message));
  if (!isLimit) return undefined;
  return isUsedUp ? 'primary' : 'secondary';
}

/** Returns whether a response requires a one-time password, as in `X-<Vendor>-OTP: required; …`. */
export function requiresOtp(response: Pick<RawResponse, 'headers'>): boolean {
  return Object.keys(response.headers).some(
    (name) =>
      /^x-[a-z0-9]+-otp$/.test(name) &&
      /^\s*required\b/i.test(getHeader(response.headers, name) ?? ''),
  );
}

const lockoutWords =
  /\b(?:log-?in|sign-?in|password|authentication) (?:attempts?|failures?)\b|\b(?:failed|invalid) (?:log-?ins|sign-?ins|attempts)\b/i;

/**
 * Returns whether a 403 means that too many logins failed, so the server also rejects valid
 * credentials. Servers use different messages, and some link to the documentation instead.
 */
function isLockout(message: string, documentationUrl: string | undefined): boolean {
  if (/#.*\b(?:failed-login|login-limit|lockout)/i.test(documentationUrl ?? '')) return true;
  return lockoutWords.test(message) && !limitWords.test(message);
}
