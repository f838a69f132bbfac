import timers from 'node:timers';

/**
 * Runs a callback in the next turn of the event loop. Captured when the package is imported, because
 * fake timers replace the global later, and a call would never continue. Waits that have a length use
 * the globals, so that tests can advance them.
 */
export const { setImmediate } = timers;
