import { createHash } from 'node:crypto';
import type { ConfigurationStatus } from '../../console/models/status.js';
import { isRecord } from '../../schema/unknown-values.js';
import type { EmulatorClock } from '../clock.js';
import type { FamilyOptions } from '../family.js';
import { quietScene, type Run, type Scene } from './run.js';
import { firstSettings, merged } from './settings.js';

/** A key that may reach the appliance's shell. */
export interface KeyInState {
  /** The public key. */
  readonly key: string;
  /** The key as the console shows it. */
  readonly 'pretty-print': string;
}

/** Everything that an appliance knows of itself. */
export class ConsoleState {
  /** Hash of the license, which signs requests; undefined on a bare appliance. */
  licenseMd5: string | undefined;
  settings: Record<string, unknown>;
  /** Whether maintenance is off, or since or from when it is on. */
  maintenance: Date | undefined;
  /** Connections that are still open, by service; while maintenance is on, each question ends one. */
  readonly connections = new Map([
    ['git operations', 0],
    ['mysql queries', 0],
    ['resque jobs', 0],
  ]);
  readonly keys: KeyInState[] = [];
  run: Run | undefined;
  /** The status that stands: of the last run that was asked for. */
  standing: ConfigurationStatus | undefined;
  /** Version that the run in progress brings. */
  arriving: string | undefined;
  scene: Scene = quietScene();
  /** Until when connections are refused (real time), and how many requests get 503 afterwards. */
  downUntil = 0;
  unavailable = 0;

  readonly #clock: EmulatorClock;
  readonly #first: Readonly<Record<string, unknown>>;

  constructor({ vendor, clock, deviations }: FamilyOptions) {
    this.#first = firstSettings(vendor, deviations, clock.now);
    this.settings = this.#first;
    this.#clock = clock;
  }

  get now(): Date {
    return this.#clock.now;
  }

  /** Maintenance that was scheduled begins when its time has come. */
  get maintenanceStatus(): 'on' | 'off' | 'scheduled' {
    if (!this.maintenance) return 'off';
    return this.maintenance.getTime() <= this.now.getTime() ? 'on' : 'scheduled';
  }

  /** Changes one value of the `enterprise` settings. */
  set(name: string, value: unknown): void {
    this.merge({ enterprise: { [name]: value } });
  }

  /** Changes the settings that are passed; the others keep their values. */
  merge(settings: Readonly<Record<string, unknown>>): void {
    this.settings = merged(this.settings, settings, this.#first);
  }

  get(name: string): unknown {
    const { enterprise } = this.settings;
    return isRecord(enterprise) ? enterprise[name] : undefined;
  }
}

/** The license's hash, as requests are signed with it. */
export function md5(content: Buffer | string): string {
  return createHash('md5').update(content).digest('hex');
}
