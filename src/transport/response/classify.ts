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
import type { RequestInfo, ResponseInfo } from '../../response-info.js';
import { getMember } from '../../schema/unknown-values.js';
import type { RawResponse } from '../http/raw-response.js';
import { scrubBody, showPage, showText, showWord } from '../http/redact.js';
import { askedWait, limitWait } from '../policy/retry-decision.js';
import { decodeErrorBody } from './parse-response.js';
import { findMessage, isLockout, limitKind, otpWanted, stringAt } from './refusal.js';

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
  readonly unauthorizedHint?: string | undefined;
  /** Whether the request contained a one-time password. Default: false. */
  readonly sentOtp?: boolean | undefined;
  /** Longest wait for the hourly budget, in ms; undefined if calls don't wait for it. */
  readonly maxWait?: number | undefined;
  /** Longest wait for a secondary limit, in ms; undefined if calls don't wait for it. */
  readonly maxRetryAfter?: number | undefined;
}

/** Turns an answer that is no success into its error. */
export function classify(
  answer: RawResponse & { readonly body: Buffer },
  context: ErrorContext,
): ApiError {
  const { request, response, secrets } = context;
  const body = decodeErrorBody(answer.body, answer.headers);
  const said = findMessage(body) ?? response.statusText;
  const errors = parseProblems(body, secrets);
  const init: ApiErrorInit = {
    request,
    response,
    documentationUrl: showPage(stringAt(body, 'documentation_url'), secrets),
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
  const limit = limitKind(answer);
  if (limit !== undefined) {
    const retryAfter = limitWait(answer, limit, context.now);
    const resetAt = new Date(context.now + retryAfter);
    const note = tooLongNote(limit, retryAfter, context);
    return new RateLimitError(line(`${limit} rate limit, until ${resetAt.toISOString()}${note}`), {
      ...init,
      reason: limit,
      retryAfter,
      resetAt,
    });
  }
  const wait = askedWait(answer, context.now);
  const retryAt = wait === undefined ? undefined : new Date(context.now + wait);
  switch (answer.status) {
    case 401:
      return otpWanted(answer)
        ? new AuthenticationError(line(context.sentOtp ? wrongOtpNote : missingOtpNote), {
            ...init,
            reason: 'otp_required',
          })
        : new AuthenticationError(line(context.unauthorizedHint ?? credentialsNote), init);
    case 403:
      return isLockout(said, init.documentationUrl)
        ? new PermissionError(
            line('locked out after too many failed logins: even valid credentials are rejected'),
            { ...init, reason: 'login_lockout' },
          )
        : new PermissionError(line(scopeNote(response)), init);
    case 404:
      return errorOfStatus(
        line(
          ['missing, or hidden from this credential', scopeNote(response)]
            .filter(Boolean)
            .join('; '),
        ),
        init,
      );
    default: {
      const isLater = answer.status >= 500 && retryAt;
      return errorOfStatus(
        line(isLater ? `try again at ${isLater.toISOString()}` : undefined),
        init,
        retryAt,
      );
    }
  }
}

/**
 * Returns the error of a status for which only its text matters.
 * @param retryAt when to try a failed server again.
 */
export function errorOfStatus(message: string, init: ApiErrorInit, retryAt?: Date): ApiError {
  const { status } = init.response;
  switch (status) {
    case 400:
      return new BadRequestError(message, init);
    case 404:
      return new NotFoundError(message, init);
    case 409:
      return new ConflictError(message, init);
    case 422:
      return new UnprocessableError(message, init);
    default:
      return status >= 500
        ? new ServerError(message, { ...init, retryAt })
        : new UnexpectedStatusError(message, init);
  }
}

const missingOtpNote = 'a one-time password is required: set `otp` with Basic authentication';
const wrongOtpNote = 'the one-time password in `otp` is wrong or expired: pass a new one';

/** Advice after a 401 if the kind of credentials has none of its own. */
const credentialsNote = 'the credentials are missing, wrong or expired: check auth';

/** Names the option that keeps the client from waiting; empty if none does. */
function tooLongNote(kind: RateLimitReason, wait: number, context: ErrorContext): string {
  const isPrimary = kind === 'primary';
  const most = isPrimary ? context.maxWait : context.maxRetryAfter;
  if (most === undefined || wait <= most) return '';
  return `; that is longer than ${isPrimary ? 'rateLimit.maxWait' : 'retry.maxRetryAfter'} (${most} ms)`;
}

function scopeNote(response: ResponseInfo): string | undefined {
  const { granted, accepted } = response.scopes;
  if (granted === undefined && accepted === undefined) return undefined;
  const show = (scopes: readonly string[] | undefined) => scopes?.join(', ') || 'none';
  return `granted scopes: ${show(granted)}; accepted scopes: ${show(accepted)}`;
}

/** More of them are read in the body, by whoever wants them. */
const mostProblems = 100;

function parseProblems(body: unknown, secrets: readonly string[]): ValidationProblem[] {
  const errors = getMember(body, 'errors');
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

function showProblem(problem: ValidationProblem): string {
  const place = [problem.resource, problem.field].filter(Boolean).join('.');
  return [place, problem.code === 'custom' && problem.message ? '' : problem.code, problem.message]
    .filter(Boolean)
    .join(' ');
}
