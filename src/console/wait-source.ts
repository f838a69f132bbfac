import type { RequestInfo } from '../response-info.js';
import type { ConfigurationStatus } from './models/index.js';

/** Where a wait gets its facts from; the calls must not be repeated by themselves. */
export interface WaitSource {
  readonly request: RequestInfo;
  /** Undefined while there is none yet. */
  status(limits: Limits): Promise<ConfigurationStatus | undefined>;
  /** Undefined where the settings do not tell. */
  runCount(limits: Limits): Promise<number | undefined>;
}

/** What bounds one question. */
export interface Limits {
  readonly signal: AbortSignal;
  /** Milliseconds left of the wait; Infinity where it has no limit. */
  readonly left: number;
}

/** Time, replaced in tests. */
export interface WaitClock {
  /** Milliseconds, from anywhere, never backwards. */
  now(): number;
  /** Ends early, and without an error, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
