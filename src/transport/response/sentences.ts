import type { RequestInfo } from '../../response-info.js';

/** Sentence for messages about a request that the server executed. */
export const executedNote = 'The server executed the request.';

/**
 * Joins the parts of a message. If there are several parts, such as a problem and its remedy, each
 * part ends with a period. Returns a single part unchanged.
 */
export function joinSentences(problem: string, ...notes: readonly (string | undefined)[]): string {
  const parts = [problem, ...notes.map((note) => note ?? '')].filter((part) => part !== '');
  if (parts.length < 2) return problem;
  return parts.map((part) => (/[.!?\u2026]$/.test(part) ? part : `${part}.`)).join(' ');
}

export function formatMessage(
  { operation, method, url }: RequestInfo,
  problem: string,
  ...notes: readonly (string | undefined)[]
): string {
  return `${joinSentences(`${operation}: ${problem}`, ...notes)} [${method} ${url}]`;
}
