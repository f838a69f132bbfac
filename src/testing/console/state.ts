import { createHash } from 'node:crypto';
import { ConsoleSettings } from '../../console/models/settings.js';
import type { ConfigurationStatus } from '../../console/models/status.js';
import { findIssues } from '../../schema/model.js';
import { isRecord } from '../../schema/unknown-values.js';
import type { EmulatorClock } from '../clock.js';
import type { FamilyOptions } from '../family.js';
import { emptyScript, type Run, type RunScript } from './run.js';
import { firstSettings, mergeSettings } from './settings.js';

/** SSH key with access to the appliance's shell. */
export interface KeyInState {
  /** Public key. */
  readonly key: string;
  /** Key in the console's display format. */
  readonly 'pretty-print': string;
}

export class ConsoleState {
  /** MD5 hash of the license that authenticates requests. Undefined on an appliance without a license. */
  licenseMd5: string | undefined;
  settings: Record<string, unknown>;
  /** Start of maintenance, which may be in the future. Undefined if maintenance is off. */
  maintenance: Date | undefined;
  /**
   * Number of open connections by service. During maintenance, each status request closes one
   * connection of each service.
   */
  readonly connections = new Map([
    ['git operations', 0],
    ['mysql queries', 0],
    ['resque jobs', 0],
  ]);
  readonly keys: KeyInState[] = [];
  run: Run | undefined;
  /** Last reported status of a run. */
  standing: ConfigurationStatus | undefined;
  /** Version that the current run installs. */
  arriving: string | undefined;
  scene: RunScript = emptyScript();
  /** Time at which connections are accepted again, in epoch ms of real time. */
  downUntil = 0;
  /** Number of requests after `downUntil` that get a 503. */
  unavailable = 0;

  readonly #clock: EmulatorClock;
  readonly #first: Readonly<Record<string, unknown>>;

  constructor({ vendor, clock, quirks }: FamilyOptions) {
    this.#first = firstSettings(vendor, quirks, clock.now);
    this.settings = this.#first;
    this.#clock = clock;
  }

  get now(): Date {
    return this.#clock.now;
  }

  /** Maintenance status. Scheduled maintenance starts when the clock reaches its time. */
  get maintenanceStatus(): 'on' | 'off' | 'scheduled' {
    if (!this.maintenance) return 'off';
    return this.maintenance.getTime() <= this.now.getTime() ? 'on' : 'scheduled';
  }

  /** Changes one value of the `enterprise` settings. */
  set(name: string, value: unknown): void {
    this.merge({ enterprise: { [name]: value } });
  }

  merge(settings: Readonly<Record<string, unknown>>): void {
    this.settings = mergeSettings(this.settings, settings, this.#first);
  }

  /**
   * Describes the first setting that would have the wrong type after a merge. Undefined if all
   * types would be correct. Clients reject settings with a wrong type.
   */
  findProblem(settings: Readonly<Record<string, unknown>>): string | undefined {
    const merged = mergeSettings(this.settings, settings, this.#first);
    const [issue] = findIssues(ConsoleSettings, merged) ?? [];
    return issue && `settings.${issue.path?.join('.')}: ${issue.message}`;
  }

  get(name: string): unknown {
    const { enterprise } = this.settings;
    return isRecord(enterprise) ? enterprise[name] : undefined;
  }
}

/**
 * Converts a public key to the appliance's format. Returns undefined if the key is
 * invalid.
 */
export function keyInState(key: string): KeyInState | undefined {
  const [type, body] = key.trim().split(/\s+/);
  if (!type || !body) return undefined;
  const fingerprint = md5(Buffer.from(body, 'base64')).match(/../g)?.join(':') ?? '';
  return { key: key.trim(), 'pretty-print': `${type} ${fingerprint}` };
}

/** Returns an MD5 hash in hex. */
export function md5(content: Buffer | string): string {
  return createHash('md5').update(content).digest('hex');
}
