import timers from 'node:timers';

/**
 * Runs a callback in the next turn of the event loop. Captured when the package is imported,
 * because calls would never continue if fake timers replaced the global later. Timed waits use the
 * globals so that tests can advance them.
 */
export const { setImmediate } = timers;

/** Maximum delay of a timer in ms. Node.js replaces a longer delay with 1 ms. */
export const maxTimerDelay = 2 ** 31 - 1;
