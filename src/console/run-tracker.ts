import type { ConfigurationStatus } from './models/index.js';
import { passes, type RunState } from './run-state.js';
import type { Limits, WaitClock, WaitSource } from './wait-source.js';

/**
 * Distinguishes the end of this run from the result of a previous run, which the appliance may
 * still report.
 */
export class RunTracker {
  readonly #source: WaitSource;
  readonly #clock: WaitClock;
  readonly #gracePeriod: number;
  #runCount: number | undefined;
  #runSeen = false;
  #countless = false;
  #standsSince: number | undefined;
  #former: string | undefined;

  constructor(source: WaitSource, clock: WaitClock, gracePeriod: number, runCount?: number) {
    this.#source = source;
    this.#clock = clock;
    this.#gracePeriod = gracePeriod;
    this.#runCount = runCount;
  }

  /** Returns whether a status belongs to this run. */
  async accepts(status: ConfigurationStatus, runState: RunState, limits: Limits): Promise<boolean> {
    const runs = status.status.toLowerCase() === 'running' || runState.kind === 'running';
    if (runs) {
      this.#runSeen = true;
      // A run that has just started may still report the failed steps of the previous run.
      return runState.kind !== 'failed' || JSON.stringify(status.progress) !== this.#former;
    }
    if (runState.kind === 'unclear') {
      this.#standsSince = undefined;
      return true;
    }
    if (this.#runSeen) return true;
    this.#former = JSON.stringify(status.progress);
    const now = this.#clock.now();
    this.#standsSince ??= now;
    if (now - this.#standsSince >= this.#gracePeriod) return true;
    return await this.#countRose(limits);
  }

  /** Restarts the grace period after the appliance has stopped responding. */
  interrupted(): void {
    this.#standsSince = undefined;
  }

  async #countRose(limits: Limits): Promise<boolean> {
    if (this.#countless) return false;
    let count: number | undefined;
    try {
      count = await this.#source.runCount(limits);
    } catch (error) {
      if (passes(error)) throw error;
      limits.signal.throwIfAborted();
      // If the settings can't be read, continue without the run count. Only the grace period can
      // then confirm the end.
    }
    if (count === undefined) {
      this.#countless = true;
      return false;
    }
    this.#runCount ??= count;
    return count > this.#runCount;
  }
}
