import { isApiError, isTriforgeError } from '../../src/errors/index.js';
import { type CallClass, WrongAnswerError } from './calls.js';

/**
 * What the caller knows after a call: it was `done`; it failed but `acted`; it `may` have acted; it
 * did `not`. `wrong` is what a client must never do to its caller.
 */
export const verdicts = ['unsettled', 'done', 'acted', 'may', 'not', 'wrong'] as const;

export type Verdict = (typeof verdicts)[number];

/** A verdict and, where it is wrong, why. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly why?: string;
}

/** How the caller itself may have ended the call. */
export interface CallFacts {
  readonly kind: CallClass;
  readonly signal: AbortSignal | undefined;
}

/** What an error tells its caller, from its public fields alone. */
export function judge(error: unknown, { kind, signal }: CallFacts): Judgement {
  if (signal?.aborted && error === signal.reason) return { verdict: 'may' };
  if (error instanceof WrongAnswerError) return { verdict: 'wrong', why: error.message };
  if (!isTriforgeError(error)) return { verdict: 'wrong', why: `not an error of ours: ${error}` };
  const told: Judgement = {
    verdict: 'mayHaveActed' in error && error.mayHaveActed ? 'may' : 'not',
  };
  switch (error.code) {
    case 'response_body':
      return error.status < 300 ? { verdict: 'acted' } : told;
    case 'connection':
    case 'timeout':
    case 'server':
    case 'rate_limit':
      return told;
    case 'not_found':
      if (kind === 'missing') return told;
      break;
    default:
  }
  const status = isApiError(error) ? ` (${error.status})` : '';
  return {
    verdict: 'wrong',
    why: `${error.code}${status} was not to be expected: ${error.message}`,
  };
}
