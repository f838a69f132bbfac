import { isApiError, isTriforgeError } from '../../src/errors/index.js';
import { type CallClass, WrongResultError } from './calls.js';

/**
 * Outcome of a call, as the caller knows it:
 * - `unsettled`: The call has not settled.
 * - `done`: The call succeeded.
 * - `acted`: The call failed, but the server executed it.
 * - `may`: The call failed, and the server may have executed it.
 * - `not`: The call failed, and the server didn't execute it.
 * - `wrong`: The outcome contradicts the client's documentation.
 */
export const verdicts = ['unsettled', 'done', 'acted', 'may', 'not', 'wrong'] as const;

export type Verdict = (typeof verdicts)[number];

/** A verdict and the reason if the verdict is `wrong`. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly why?: string;
}

/** Facts that the caller knows about the call. */
export interface CallFacts {
  readonly kind: CallClass;
  readonly signal: AbortSignal | undefined;
}

/** Derives a verdict from an error's public fields. */
export function classifyError(error: unknown, { kind, signal }: CallFacts): Judgement {
  if (signal?.aborted && error === signal.reason) return { verdict: 'may' };
  if (error instanceof WrongResultError) return { verdict: 'wrong', why: error.message };
  if (!isTriforgeError(error)) return { verdict: 'wrong', why: `not a triforge error: ${error}` };
  const reported: Judgement = {
    verdict: 'mayHaveActed' in error && error.mayHaveActed ? 'may' : 'not',
  };
  switch (error.code) {
    case 'response_body':
      return error.status < 300 ? { verdict: 'acted' } : reported;
    case 'connection':
    case 'timeout':
    case 'server':
    case 'rate_limit':
      return reported;
    case 'not_found':
      if (kind === 'missing') return reported;
      break;
    default:
  }
  const status = isApiError(error) ? ` (${error.status})` : '';
  return {
    verdict: 'wrong',
    why: `${error.code}${status} is unexpected: ${error.message}`,
  };
}
