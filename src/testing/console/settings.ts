import { isRecord } from '../../schema/unknown-values.js';
import type { Quirks } from '../quirks.js';

/** Values of unconfigured settings groups. */
const unset = {
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
  oauth: { client_id: '', client_secret: '', organization_name: '', organization_team: '' },
};

const year = 365 * 24 * 3600;

/**
 * Returns a new appliance's settings. The license is valid for a year.
 * @param vendor vendor name in the keys.
 * @param now installation time.
 */
export function firstSettings(
  vendor: string,
  { consoleGroups }: Quirks,
  now: Date,
): Record<string, unknown> {
  const installed = Math.floor(now.getTime() / 1000);
  const expires = new Date((installed + year) * 1000).toISOString().slice(0, 10);
  const { ldap, oauth } = consoleGroups === 'null' ? { ldap: null, oauth: null } : unset;
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
      ldap,
      cas: { url: '' },
      [`${vendor}_oauth`]: oauth,
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

/**
 * Merges settings. Objects are merged recursively, and lists are replaced as a whole.
 * @param first a new appliance's settings. If a group was replaced with a value that is not an
 * object, the next merge starts from the group in `first`.
 */
export function mergeSettings(
  before: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
  first: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const after = { ...before };
  for (const [name, value] of Object.entries(given)) {
    if (name === '__proto__') continue;
    const group = Object.hasOwn(first, name) ? first[name] : undefined;
    const old = isRecord(after[name]) ? after[name] : group;
    after[name] =
      isRecord(value) && isRecord(old)
        ? mergeSettings(old, value, isRecord(group) ? group : {})
        : value;
  }
  return after;
}
