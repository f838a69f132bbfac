import type { ConfigurationStatus, ConfigurationStep } from '../../console/models/status.js';

/** Behavior of the next configuration run, as set by a test. */
export interface RunScript {
  /** Step that fails. */
  failing: string | undefined;
  /** Duration of each step, in status requests. Default: 1. */
  readonly slow: Map<string, number>;
  /** Restarts of the appliance, by step. */
  readonly restarts: Map<string, Restart>;
  /** Number of status requests that still get the previous run's status. */
  stale: number;
  /** Number of status requests that get a 404. */
  late: number;
}

/** Appliance restart during a run. */
export interface Restart {
  /** Time during which the appliance refuses connections, in ms of real time. Default: 50. */
  readonly refuse?: number | undefined;
  /** Number of requests that then get a 503 from the appliance's proxy. Default: 1. */
  readonly unavailable?: number | undefined;
}

export function emptyScript(): RunScript {
  return { failing: undefined, slow: new Map(), restarts: new Map(), stale: 0, late: 0 };
}

/** Names of the steps on real appliances. */
export const steps = [
  'Preparing storage device',
  'Updating configuration',
  'Reloading system services',
  'Reloading application services',
] as const;

/**
 * A configuration run. A real run takes twenty minutes. This run advances with each status request, so
 * tests are fast and the same requests always get the same responses.
 */
export class Run {
  readonly #scene: RunScript;
  readonly #keys: readonly string[];
  #at = 0;
  #polls = 0;
  #failed = false;

  /** @param complete whether to run the full provisioning, including the storage step. */
  constructor(scene: RunScript, complete: boolean) {
    this.#scene = scene;
    this.#keys = complete ? steps : steps.slice(1);
  }

  get ended(): boolean {
    return this.#failed || this.#at >= this.#keys.length;
  }

  get succeeded(): boolean {
    return !this.#failed && this.ended;
  }

  /** Returns the restart for the current step and removes it from the script. */
  restart(): Restart | undefined {
    const key = this.#keys[this.#at] ?? '';
    const restart = this.#scene.restarts.get(key);
    this.#scene.restarts.delete(key);
    return restart;
  }

  /** Returns the current status and advances the run. */
  nextStatus(): ConfigurationStatus {
    const key = this.#keys[this.#at];
    if (key !== undefined && !this.#failed && key === this.#scene.failing) this.#failed = true;
    const word = this.#failed ? 'failed' : this.ended ? 'success' : 'running';
    const progress = this.#keys.map((each, index) => ({
      key: each,
      status: this.#progress(index),
    }));
    this.#polls++;
    if (this.#polls >= (this.#scene.slow.get(key ?? '') ?? 1)) {
      this.#polls = 0;
      this.#at++;
    }
    return { status: word, progress };
  }

  #progress(step: number): ConfigurationStep['status'] {
    if (step < this.#at) return 'DONE';
    if (step > this.#at) return 'PENDING';
    return this.#failed ? 'FAILED' : 'CONFIGURING';
  }
}
