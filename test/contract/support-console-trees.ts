/**
 * Fields of the support and console resources in the contract's section "Resources and their
 * fields". `support-console-models.test.ts` compares the fields with the models, and with the
 * contract if it exists.
 */
import { isList, type Leaf, type Tree, wrongValues } from './tree.js';

const channelDates = {
  creation_date: 'string',
  update_date: 'string',
  updated_by: 'string',
} as const satisfies Tree;

export const profile = {
  id: 'integer',
  source: 'string',
  name: 'string',
  ext_id: 'string',
  user_name: 'string',
  tags: 'strings',
  image_url: 'string',
  about: 'string',
  location: 'string',
  gender: 'string',
  followers: 'integer',
  following: 'integer',
  ...channelDates,
} as const satisfies Tree;

export const contact = {
  id: 'integer',
  name: 'string',
  first_name: 'string',
  last_name: 'string',
  crm_id: 'string',
  client_id: 'string',
  extended_value: 'string',
  cases: 'integer',
  profiles: [profile],
  url: 'string',
  tags: 'strings',
  notes: [{ date: 'integer', text: 'string', userName: 'string' }],
  ...channelDates,
} as const satisfies Tree;

export const supportCase = {
  id: 'integer',
  first_open_date: 'string',
  last_open_date: 'string',
  inbox_date: 'string',
  we_did_not_reply_since_date: 'string',
  reopened: 'boolean',
  campaign: { id: 'integer', name: 'string' },
  source: 'string',
  private: 'boolean',
  subject: 'string',
  contact,
  state: 'string',
  credits: 'integer',
  handling_ms: 'integer',
  sla_seconds: 'integer',
  messages_sent: 'integer',
  messages_received: 'integer',
  messages: 'integer',
  url: 'string',
  tags: 'strings',
  ...channelDates,
} as const satisfies Tree;

/** Groups of settings in `enterprise`. */
export const settingsGroups = {
  avatar: { enabled: 'boolean', uri: 'string' },
  customer: {
    name: 'string',
    email: 'string',
    uuid: 'string',
    secret_key_data: 'string',
    public_key_data: 'string',
  },
  license: {
    seats: 'integer',
    evaluation: 'boolean',
    expire_at: 'string',
    perpetual: 'boolean',
    unlimited_seating: 'boolean',
    support_key: 'string',
    ssh_allowed: 'boolean',
  },
  service_ssl: { enabled: 'boolean', cert: 'string', key: 'string' },
  ldap: {
    host: 'string',
    port: 'string',
    base: 'strings',
    uid: 'string',
    bind_dn: 'string',
    password: 'string',
    method: 'string',
    user_groups: 'strings',
    admin_group: 'string',
  },
  cas: { url: 'string' },
  service_oauth: {
    client_id: 'string',
    client_secret: 'string',
    organization_name: 'string',
    organization_team: 'string',
  },
  smtp: {
    enabled: 'boolean',
    address: 'string',
    authentication: 'string',
    port: 'string',
    domain: 'string',
    username: 'string',
    user_name: 'string',
    enable_starttls_auto: 'boolean',
    password: 'string',
    support_address: 'string',
    noreply_address: 'string',
  },
  dns: { primary_nameserver: 'string', secondary_nameserver: 'string' },
  ntp: { primary_server: 'string', secondary_server: 'string' },
  timezone: { identifier: 'string' },
  device: { path: 'string' },
  snmp: { enabled: 'boolean', community: 'string' },
  rsyslog: { enabled: 'boolean', server: 'string', protocol_name: 'string' },
  assets: {
    storage: 'string',
    bucket: 'string',
    host_name: 'string',
    key_id: 'string',
    access_key: 'string',
  },
  pages: { enabled: 'boolean' },
  collectd: {
    enabled: 'boolean',
    server: 'string',
    port: 'string',
    encryption: 'string',
    username: 'string',
    password: 'string',
  },
} as const satisfies Tree;

/** Settings in `enterprise` outside the groups. */
export const settingsScalars = {
  private_mode: 'boolean',
  service_hostname: 'string',
  auth_mode: 'string',
  storage_mode: 'string',
  admin_password: 'string',
  configuration_id: 'integer',
  configuration_run_count: 'integer',
  package_version: 'string',
} as const satisfies Tree;

export const consoleSettings = {
  enterprise: { ...settingsScalars, ...settingsGroups },
  run_list: 'strings',
} as const satisfies Tree;

/** Settings in the format of GitHub-compatible appliances. */
export const vendorSettings = {
  enterprise: {
    github_hostname: 'string',
    github_ssl: settingsGroups.service_ssl,
    github_oauth: settingsGroups.service_oauth,
    syslog: settingsGroups.rsyslog,
  },
} as const satisfies Tree;

export const configurationStatus = {
  status: 'string',
  progress: [{ status: 'string', key: 'string' }],
} as const satisfies Tree;

export const maintenanceStatus = {
  status: 'string',
  scheduled_time: 'string',
  connection_services: [{ name: 'string', number: 'integer' }],
} as const satisfies Tree;

export const authorizedKey = { key: 'string', 'pretty-print': 'string' } as const satisfies Tree;

const samples: Readonly<Record<Leaf, unknown>> = {
  string: 'text',
  integer: 7,
  boolean: true,
  strings: ['text', 'more'],
  object: {},
};

/** Returns a value with every field of the tree. */
export function sampleOf(tree: Tree): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree).map(([name, node]) => {
      if (typeof node === 'string') return [name, samples[node]];
      return [name, isList(node) ? [sampleOf(node[0])] : sampleOf(node)];
    }),
  );
}

/**
 * Returns values that the field must reject. Ports and counts can be numbers or strings of digits.
 * Channel IDs can be any number or string.
 */
export function wrongFor(path: readonly (string | number)[], leaf: Leaf): readonly unknown[] {
  const name = path.at(-1);
  if (name === 'ext_id') return [true, { wrong: 1 }, ['wrong']];
  if (name === 'port') return [true, 1.5, { wrong: 1 }, ['wrong']];
  if (name === 'number') return ['many', '', true, 1.5, { wrong: 1 }];
  return wrongValues(leaf);
}
