/**
 * Handles the rejection of a callback that may be async although its return type is `void`.
 * An unhandled rejection would end the process.
 * @param returned the callback's return value.
 */
export function catchRejection(returned: unknown, report: (reason: unknown) => void): void {
  if (typeof returned !== 'object' || returned === null) return;
  Promise.resolve(returned).catch(report);
}
