import type { ConfigurationStatus, ConfigurationStep } from '../../console/models/status.js';

/** What will happen in the next configuration run. */
export interface Scene {
  /** The step that will fail. */
  failing: string | undefined;
  /** How many questions a step takes; default one. */
  readonly slow: Map<string, number>;
  /** Restarts of the appliance, by the step in which they happen. */
  readonly restarts: Map<string, Restart>;
  /** How many questions still get the status of the run before. */
  stale: number;
  /** How many questions find no status at all. */
  late: number;
}

/** The appliance goes down and comes back. */
export interface Restart {
  /** Milliseconds, of real time, in which connections are refused. Default 50. */
  readonly refuse?: number | undefined;
  /** How many requests its proxy then answers with 503. Default 1. */
  readonly unavailable?: number | undefined;
}

export function quietScene(): Scene {
  return { failing: undefined, slow: new Map(), restarts: new Map(), stale: 0, late: 0 };
}

/** Steps as appliances name them. */
export const steps = [
  'Preparing storage device',
  'Updating configuration',
  'Reloading system services',
  'Reloading application services',
] as const;

/**
 * A configuration run. It goes on by a step with every question for its status, so that twenty minutes
 * pass as quickly as somebody asks, and the same questions always get the same answers.
 */
export class Run {
  readonly #scene: Scene;
  readonly #keys: readonly string[];
  #at = 0;
  #asked = 0;
  #failed = false;

  /** @param complete the whole provisioning, storage included. */
  constructor(scene: Scene, complete: boolean) {
    this.#scene = scene;
    this.#keys = complete ? steps : steps.slice(1);
  }

  get ended(): boolean {
    return this.#failed || this.#at >= this.#keys.length;
  }

  get succeeded(): boolean {
    return !this.#failed && this.ended;
  }

  /** The restart that happens now, once. */
  restart(): Restart | undefined {
    const key = this.#keys[this.#at] ?? '';
    const restart = this.#scene.restarts.get(key);
    this.#scene.restarts.delete(key);
    return restart;
  }

  /** The status now; the run goes on. */
  ask(): ConfigurationStatus {
    const key = this.#keys[this.#at];
    if (key !== undefined && !this.#failed && key === this.#scene.failing) this.#failed = true;
    const status = this.#status();
    this.#asked++;
    if (this.#asked >= (this.#scene.slow.get(key ?? '') ?? 1)) {
      this.#asked = 0;
      this.#at++;
    }
    return status;
  }

  #status(): ConfigurationStatus {
    const word = this.#failed ? 'failed' : this.ended ? 'success' : 'running';
    const progress = this.#keys.map((key, index): ConfigurationStep => {
      if (index < this.#at) return { key, status: 'DONE' };
      if (index > this.#at) return { key, status: 'PENDING' };
      return { key, status: this.#failed ? 'FAILED' : 'CONFIGURING' };
    });
    return { status: word, progress };
  }
}
