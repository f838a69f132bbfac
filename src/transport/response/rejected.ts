import { RateLimitError } from '../../errors/index.js';
import { scrubUrl, stripParameters } from '../http/redact.js';
import type { Rejected } from '../policy/budgets.js';
import { describe, type RequestSpec, urlOf } from '../request/request-spec.js';
import { AnswerInfo } from './answer-info.js';

/**
 * The error of a call that was not sent: the budget is known to be used up, or the client rests.
 * `mayHaveActed`: by an earlier attempt.
 */
export function rejectedError(
  refusal: Rejected,
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
    url: scrubUrl(stripParameters(urlOf(spec.target), credentialNames), spec.secrets),
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
