/**
 * Handles the rejection of an async callback whose type returns nothing. Otherwise, the unhandled
 * rejection would end the process.
 * @param returned the callback's return value.
 */
export function catchRejection(returned: unknown, report: (reason: unknown) => void): void {
  if (typeof returned !== 'object' || returned === null) return;
  Promise.resolve(returned).catch(report);
}
