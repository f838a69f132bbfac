import { RateLimitError } from '../errors.js';
import { AnswerInfo } from './answer-info.js';
import type { Refusal } from './gate.js';
import { scrub, stripParameters } from './redact.js';
import { describe, type RequestSpec, urlOf } from './request-spec.js';

/**
 * The error of a call that was not sent: the budget is known to be used up, or the client rests.
 * `mayHaveActed`: by an earlier attempt.
 */
export function refusalError(
  refusal: Refusal,
  spec: RequestSpec,
  credentialNames: ReadonlySet<string>,
  mayHaveActed: boolean,
): RateLimitError {
  const request = describe(spec);
  const until = new Date(refusal.until);
  const { limit } = refusal;
  const headers = limit
    ? {
        'x-ratelimit-limit': `${limit.limit}`,
        'x-ratelimit-remaining': `${limit.remaining}`,
        'x-ratelimit-reset': limit.reset ? `${limit.reset.getTime() / 1000}` : undefined,
      }
    : {};
  const response = new AnswerInfo({
    status: limit ? 403 : 429,
    statusText: 'not sent',
    headers,
    url: scrub(stripParameters(urlOf(spec.target), credentialNames), spec.secrets),
    fromCache: false,
    attempts: 0,
    credentialNames,
  });
  return new RateLimitError(
    `${request.operation}: not sent: the rate limit is used up until ${until.toISOString()} [${request.method} ${request.url}]`,
    { request, response, mayHaveActed },
    limit ? 'primary' : 'secondary',
    until,
  );
}
