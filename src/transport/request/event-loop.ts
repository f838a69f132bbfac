import timers from 'node:timers';

/**
 * Runs a callback in the next turn of the event loop. Captured when the package is imported. If
 * fake timers replace the global later, calls would otherwise never continue. Timed waits use the
 * globals, so that tests can advance them.
 */
export const { setImmediate } = timers;
