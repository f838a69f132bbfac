import { isApiError, isTriforgeError } from '../../src/errors/index.js';
import { type CallClass, type SoakCall, WrongResultError } from './calls.js';
import type { ServerLedger } from './server.js';

/**
 * Outcome of a call, as the caller knows it:
 * - `unsettled`: The call has not settled.
 * - `done`: The call succeeded.
 * - `acted`: The call failed, but the server executed it.
 * - `may`: The call failed, and the server may have executed it.
 * - `not`: The call failed, and the server didn't execute it.
 * - `wrong`: The outcome contradicts the client's documentation.
 */
export type Verdict = 'unsettled' | 'done' | 'acted' | 'may' | 'not' | 'wrong';

/** Derives a verdict, and the reason if it is `wrong`, from an error's public fields. */
export function classifyError(
  error: unknown,
  kind: CallClass,
  signal: AbortSignal | undefined,
): { readonly verdict: Verdict; readonly why?: string } {
  if (signal?.aborted && error === signal.reason) return { verdict: 'may' };
  if (error instanceof WrongResultError) return { verdict: 'wrong', why: error.message };
  if (!isTriforgeError(error)) return { verdict: 'wrong', why: `not a triforge error: ${error}` };
  const verdict = 'mayHaveActed' in error && error.mayHaveActed ? 'may' : 'not';
  switch (error.code) {
    case 'response_body':
      return { verdict: error.status < 300 ? 'acted' : verdict };
    case 'connection':
    case 'timeout':
    case 'server':
    case 'rate_limit':
      return { verdict };
    case 'not_found':
      if (kind === 'missing') return { verdict };
      break;
    default:
  }
  const status = isApiError(error) ? ` (${error.status})` : '';
  return { verdict: 'wrong', why: `${error.code}${status} is unexpected: ${error.message}` };
}

/**
 * Compares one call's outcome with the server's counts.
 * @returns The contradiction, if any.
 */
export function findProblem(
  { kind }: SoakCall,
  verdict: Verdict,
  server: ServerLedger,
  operation: number,
): string | undefined {
  const executions = server.executions[operation] ?? 0;
  const effects = server.effects[operation] ?? 0;
  const repeats = server.repeats[operation] ?? 0;
  if (verdict === 'unsettled') return 'the call never settled';
  if (verdict === 'wrong') return 'the caller got a wrong result';
  const claimed = verdict === 'done' || verdict === 'acted';
  if (claimed && kind !== 'read' && executions === 0) return 'the server did not execute the call';
  if (effects > 1) return `the call had ${effects} effects`;
  if (kind === 'once' && repeats > 0) return `sent ${repeats} times more after it was executed`;
  if (kind === 'once' && executions > 1) return `executed ${executions} times`;
  if (verdict === 'not' && executions > 0)
    return `surely not acted, and executed ${executions} times`;
  return undefined;
}
