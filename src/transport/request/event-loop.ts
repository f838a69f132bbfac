import timers from 'node:timers';

/**
 * Runs a callback in the next turn of the event loop. This is the original function, because calls
 * would never continue if fake timers replaced it after the package was imported. Timed waits use
 * the global timer functions, so fake timers can control them.
 */
export const { setImmediate } = timers;

/** Maximum delay of a timer in ms. Node.js replaces a longer delay with 1 ms. */
export const maxTimerDelay = 2 ** 31 - 1;

/**
 * Handles a rejection from a callback that may be async although its return type is `void`. An
 * unhandled rejection would end the process.
 * @param returned the callback's return value.
 */
export function catchRejection(returned: unknown, report: (reason: unknown) => void): void {
  if (typeof returned !== 'object' || returned === null) return;
  Promise.resolve(returned).catch(report);
}
