import type { RequestInfo } from '../response-info.js';
import type { ConfigurationStatus } from './models/index.js';

/**
 * Source of the status and the run count that a wait needs. Its methods must not retry requests,
 * because the wait repeats them.
 */
export interface WaitSource {
  readonly request: RequestInfo;
  /** Returns the status. Undefined if there is none yet. */
  status(limits: Limits): Promise<ConfigurationStatus | undefined>;
  /** Returns the run count. Undefined if the settings don't contain it. */
  runCount(limits: Limits): Promise<number | undefined>;
}

/** Limits for one request. */
export interface Limits {
  readonly signal: AbortSignal;
  /** Remaining time of the wait, in ms. Infinity if the wait has no limit. */
  readonly left: number;
}

/** Clock that tests can replace. */
export interface WaitClock {
  /** Returns the monotonic time in milliseconds, from an arbitrary origin. */
  now(): number;
  /** Waits for `ms` milliseconds. Resolves early, without an error, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
