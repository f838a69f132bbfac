import type { RateLimitReason } from '../../errors/index.js';
import { getMember } from '../../schema/unknown-values.js';
import { getHeader, hasRetryAfter, isQuotaUsedUp } from '../http/headers.js';
import type { RawResponse } from '../http/raw-response.js';
import { decodeErrorBody } from './parse-response.js';

/** Returns a string member of a decoded body. Undefined if there is none. */
export function getString(body: unknown, name: string): string | undefined {
  const value = getMember(body, name);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the server's message in a decoded body. Undefined if the body contains no message, or is
 * markup.
 */
export function findMessage(body: unknown): string | undefined {
  const message =
    getString(body, 'message') ?? getString(body, 'error') ?? getString(body, 'statusMessage');
  if (message !== undefined) return message;
  // Markup is unreadable in an error message.
  return typeof body === 'string' && body.trim() !== '' && !body.trim().startsWith('<')
    ? body
    : undefined;
}

/** Matches messages that name a rate limit as the reason, regardless of the headers. */
const limitWords =
  /\b(?:secondary|api|primary|hourly) rate limit|\brate limits? (?:was |is |has been )?(?:exceeded|reached|hit)|\bexceeded (?:a|an|the|your|our) [a-z ]{0,30}rate limit|\babuse detection|\btoo many requests/i;

/** Matches messages that mention requests per unit of time, or report an exhausted quota. */
const countedRequests =
  /\b(?:requests?|calls)(?: per| an?| each| this| in (?:an|this|one))? (?:second|minute|hour|day)\b|\bquota (?:is |was )?(?:used up|exceeded|exhausted|reached)\b/i;

/** Matches messages that name a missing permission or role. */
const missingPermission = new RegExp(
  [
    String.raw`\b(?:permissions?|privileges?|scopes?|unauthori[sz]ed|access restrictions?)\b`,
    String.raw`\b(?:admin|push|pull|read|write|owner|maintain)\w* (?:rights?|access|roles?)\b|\brights? to\b`,
    String.raw`\b(?:must|need to|has to|have to) (?:have (?!exceeded|reached|used|hit)|be (?:an?|the|logged|signed|verified|granted)\b)`,
    String.raw`\b(?:no|without|lacks?|have|has|needs?|grant\w*) access\b|\bnot (?:be )?(?:authori[sz]ed|permitted|allowed)\b`,
    String.raw`\b(?:not|only)\b[\w ]{0,40}\b(?:members?|owners?|admins?|administrators?|collaborators?)\b|\badmins? only\b`,
  ].join('|'),
  'i',
);

/** Matches messages that mention any limit, or the end of a limit. */
const anyLimit =
  /\b(?:limit(?:s|ed)?|quotas?|throttl\w+|too (?:many|much|fast|often|frequent\w*)|slow(?:er)? down|budget|rates?|requests|calls|hour\w*|used up|exhausted|exceeded|wait|later|again)\b/i;

/** Matches words that report a rejection, such as `forbidden`. */
const refusal =
  /\b(?:forbidden|den(?:y|ies|ied)|block(?:s|ed)|restricted|suspended|disabled|archived|read-?only|verif(?:y|ied)|allow[- ]?list(?:ed)?|protected|insufficient|upgrade|not (?:accessible|enabled|available)|can(?:not|'t|\u2019t| not)|may not|requires?|saml|sso|two-factor|user[- ]agent)\b/i;

/** Returns whether a message is about a missing permission rather than a limit. */
function mentionsPermission(message: string): boolean {
  if (countedRequests.test(message)) return false;
  return missingPermission.test(message) || (refusal.test(message) && !anyLimit.test(message));
}

/**
 * Returns the rate limit that rejected a request. Undefined if no limit rejected it. A 403 is a
 * rate limit if its message or its headers (no remaining units, or `Retry-After`) indicate a limit.
 * The headers are ignored if the message is about a missing permission, because such a request can
 * also use the last unit of the quota.
 */
export function classifyRateLimit(response: RawResponse): RateLimitReason | undefined {
  const { status, headers } = response;
  if (status !== 403 && status !== 429) return undefined;
  const body =
    response.body instanceof Buffer ? decodeErrorBody(response.body, headers) : undefined;
  const message = collectWords(body, response.statusText);
  if (isLockout(message, getString(body, 'documentation_url'))) return undefined;
  const isUsedUp = isQuotaUsedUp(headers);
  const isLimit = status === 429 || limitWords.test(message);
  if (!isLimit) {
    const hasHeaders = isUsedUp || hasRetryAfter(headers);
    if (!hasHeaders || mentionsPermission(message)) return undefined;
  }
  return isUsedUp ? 'primary' : 'secondary';
}

/** Collects the text that may explain a rejection, up to 4096 characters. */
function collectWords(body: unknown, statusText: string): string {
  const message = findMessage(body);
  const said = typeof body === 'object' && body !== null ? JSON.stringify(body) : body;
  const reason = /^(?:forbidden)?$/i.test(statusText.trim()) ? '' : statusText;
  return (message ?? (typeof said === 'string' && said !== '' ? said : reason)).slice(0, 4096);
}

/** Returns whether a response requires a one-time password, as in `X-<Vendor>-OTP: required; …`. */
export function requiresOtp(response: Pick<RawResponse, 'headers'>): boolean {
  return Object.keys(response.headers).some(
    (name) =>
      /^x-[a-z0-9]+-otp$/.test(name) &&
      /^\s*required\b/i.test(getHeader(response.headers, name) ?? ''),
  );
}

const aboutLogins =
  /\blog[- ]?ins?\b|\bsign[- ]?ins?\b|\b(?:authentications?|passwords?|credentials?)\b/i;
const aboutAttempts = /\b(?:attempts?|tries|failed|failures?)\b/i;
const aboutAnEnd = /\b(?:max(?:imum)?|exceed(?:ed|s)?|too many|limit|lock(?:ed|out)|blocked)\b/i;

/**
 * Returns whether a 403 means that too many logins failed, so the server also rejects valid
 * credentials. Servers use different messages, so this function checks the message's subject, or
 * the linked documentation section.
 */
export function isLockout(message: string, documentationUrl: string | undefined): boolean {
  if (/#.*\b(?:failed-login|login-limit|lockout)/i.test(documentationUrl ?? '')) return true;
  if (/\brate limit\b/i.test(message)) return false;
  if (/too many (?:failed|invalid) attempts/i.test(message)) return true;
  return [aboutLogins, aboutAttempts, aboutAnEnd].every((words) => words.test(message));
}
