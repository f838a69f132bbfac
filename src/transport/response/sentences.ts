/** Sentence for messages about a request that the server executed. */
export const executedNote = 'The server executed the request.';

/**
 * Joins the parts of a message. If there are several, such as a problem and its remedy, each ends
 * with a period. A single part is returned unchanged.
 */
export function joinSentences(problem: string, ...notes: readonly (string | undefined)[]): string {
  const parts = [problem, ...notes.map((note) => note ?? '')].filter((part) => part !== '');
  if (parts.length < 2) return problem;
  return parts.map((part) => (/[.!?\u2026]$/.test(part) ? part : `${part}.`)).join(' ');
}
