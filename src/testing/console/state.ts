import { createHash } from 'node:crypto';
import { ConsoleSettings } from '../../console/models/settings.js';
import type { ConfigurationStatus } from '../../console/models/status.js';
import { findIssues } from '../../schema/model.js';
import { isRecord } from '../../schema/unknown-values.js';
import type { EmulatorClock } from '../clock.js';
import type { ConsoleData } from '../world/world.js';

const year = 365 * 24 * 3600;

/**
 * Returns a new appliance's settings. The license is valid for a year.
 * @param vendor vendor name in the keys.
 * @param now installation time.
 */
function firstSettings(vendor: string, now: Date): Record<string, unknown> {
  const installed = Math.floor(now.getTime() / 1000);
  const expires = new Date((installed + year) * 1000).toISOString().slice(0, 10);
  return {
    enterprise: {
      private_mode: false,
      [`${vendor}_hostname`]: 'code.example.com',
      auth_mode: 'default',
      storage_mode: 'rootfs',
      admin_password: null,
      configuration_id: installed,
      configuration_run_count: 0,
      package_version: '1.0.0',
      avatar: { enabled: true, uri: '' },
      customer: {
        name: 'Acme',
        email: 'ops@acme.example.com',
        uuid: '5c1ab8e8-0000-4000-8000-000000000001',
        secret_key_data: '-----BEGIN PGP PRIVATE KEY BLOCK-----',
        public_key_data: '-----BEGIN PGP PUBLIC KEY BLOCK-----',
      },
      license: {
        seats: 100,
        evaluation: false,
        expire_at: `${expires}T00:00:00-07:00`,
        perpetual: false,
        unlimited_seating: false,
        support_key: '',
        ssh_allowed: true,
      },
      [`${vendor}_ssl`]: { enabled: false, cert: null, key: null },
      ldap: {
        host: '',
        port: 389,
        base: [],
        uid: '',
        bind_dn: '',
        password: '',
        method: '',
        user_groups: [],
        admin_group: '',
      },
      cas: { url: '' },
      [`${vendor}_oauth`]: {
        client_id: '',
        client_secret: '',
        organization_name: '',
        organization_team: '',
      },
      smtp: {
        enabled: true,
        address: 'smtp.example.com',
        authentication: 'plain',
        port: '1234',
        domain: 'example.com',
        username: 'mailer',
        user_name: 'mailer',
        enable_starttls_auto: true,
        password: 'mail password',
        support_address: 'ops@acme.example.com',
        noreply_address: 'noreply@example.com',
      },
      dns: { primary_nameserver: '8.8.8.8', secondary_nameserver: '8.8.4.4' },
      ntp: { primary_server: '0.pool.ntp.org', secondary_server: '1.pool.ntp.org' },
      timezone: { identifier: 'UTC' },
      device: { path: '/dev/xyz' },
      snmp: { enabled: false, community: '' },
      rsyslog: { enabled: false, server: '', protocol_name: 'TCP' },
      assets: { storage: 'file', bucket: null, host_name: null, key_id: null, access_key: null },
      pages: { enabled: true },
      collectd: {
        enabled: false,
        server: '',
        port: '',
        encryption: '',
        username: 'foo',
        password: 'bar',
      },
    },
    run_list: ['role[configure]'],
  };
}

type Settings = Readonly<Record<string, unknown>>;

/**
 * Merges settings. Objects are merged recursively, and lists are replaced as a whole.
 * @param first a new appliance's settings. If a group was replaced with a value that is not an
 * object, the next merge starts from the group in `first`.
 */
function mergeSettings(before: Settings, given: Settings, first: Settings): Settings {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(given)) {
    if (name === '__proto__') continue;
    const group = first[name];
    const old = isRecord(after[name]) ? after[name] : group;
    after[name] =
      isRecord(value) && isRecord(old)
        ? mergeSettings(old, value, isRecord(group) ? group : {})
        : value;
  }
  return after;
}

/** Names of the steps on real appliances. */
export const steps = [
  'Preparing storage device',
  'Updating configuration',
  'Reloading system services',
  'Reloading application services',
] as const;

/** Behavior of the next configuration run, as set by a test. */
interface RunScript {
  /** Step that fails. */
  failing?: string | undefined;
  /** Duration of each step, in status requests. Default: 1. */
  readonly slow: Map<string, number>;
  /** Number of status requests that still get the previous run's status. */
  stale: number;
}

/**
 * A configuration run. A real run takes twenty minutes. This run advances with each status request, so
 * tests are fast and the same requests always get the same responses.
 */
export class Run {
  readonly #script: RunScript;
  readonly #keys: readonly string[];
  #at = 0;
  #polls = 0;

  /** @param complete whether to run the full provisioning, including the storage step. */
  constructor(script: RunScript, complete: boolean) {
    this.#script = script;
    this.#keys = complete ? steps : steps.slice(1);
  }

  /** Returns the current status and advances the run. */
  nextStatus(): ConfigurationStatus {
    const at = this.#at;
    const key = this.#keys[at];
    const isFailed = key !== undefined && key === this.#script.failing;
    const current = isFailed ? 'FAILED' : 'CONFIGURING';
    const progress = this.#keys.map((each, index) => ({
      key: each,
      status: index === at ? current : index < at ? 'DONE' : 'PENDING',
    }));
    this.#polls++;
    if (this.#polls >= (this.#script.slow.get(key ?? '') ?? 1)) {
      this.#polls = 0;
      this.#at++;
    }
    return { status: isFailed ? 'failed' : key === undefined ? 'success' : 'running', progress };
  }
}

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
  settings: Settings;
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
  script: RunScript = { slow: new Map(), stale: 0 };
  readonly #clock: EmulatorClock;
  readonly #first: Settings;

  constructor(vendor: string, clock: EmulatorClock) {
    this.#first = firstSettings(vendor, clock.now);
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

  merge(settings: Settings): void {
    this.settings = mergeSettings(this.settings, settings, this.#first);
  }

  /**
   * Describes the first setting that would have the wrong type after a merge. Undefined if all
   * types would be correct. Clients reject settings with a wrong type.
   */
  findProblem(settings: Settings): string | undefined {
    const merged = mergeSettings(this.settings, settings, this.#first);
    const [issue] = findIssues(ConsoleSettings, merged) ?? [];
    return issue && `settings.${issue.path?.join('.')}: ${issue.message}`;
  }

  get(name: string): unknown {
    const { enterprise } = this.settings;
    return isRecord(enterprise) ? enterprise[name] : undefined;
  }

  /** Exports the state, except for a run in progress. */
  export(): ConsoleData {
    const { licenseMd5, settings, maintenance, standing } = this;
    return {
      licenseMd5,
      settings,
      maintenance: maintenance?.toISOString(),
      standing,
      connections: Object.fromEntries(this.connections),
      keys: this.keys.map(({ key }) => key),
    };
  }

  /** Imports data into a new appliance's state. @throws {Error} if a setting or a key is invalid. */
  import(data: ConsoleData): void {
    const { settings = {}, maintenance, standing, connections = {}, keys = [] } = data;
    const problem = this.findProblem(settings);
    if (problem !== undefined) throw new Error(`console.${problem}`);
    this.licenseMd5 = data.licenseMd5;
    this.merge(structuredClone(settings));
    this.maintenance = maintenance === undefined ? undefined : new Date(maintenance);
    this.standing = structuredClone(standing);
    for (const [service, number] of Object.entries(connections)) {
      this.connections.set(service, number);
    }
    for (const [index, key] of keys.entries()) {
      const made = keyInState(key);
      if (!made)
        throw new Error(`console.keys[${index}]: must be a public key, such as 'ssh-rsa AAAA… me'`);
      if (this.keys.some((each) => each.key === made.key)) {
        throw new Error(`console.keys[${index}]: must be unique`);
      }
      this.keys.push(made);
    }
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
