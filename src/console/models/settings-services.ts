import { type Model, model } from '../../schema/model.js';
import { flag, port, text } from './setting-fields.js';

// Groups of the settings: the servers that an appliance works with, and itself as a machine.

/** How mail is sent. */
export interface SmtpSettings {
  /** Whether mail is sent. */
  enabled?: boolean | null | undefined;
  /** Host of the mail server. */
  address?: string | null | undefined;
  /** How the appliance logs in there. */
  authentication?: string | null | undefined;
  /** Port of the mail server. */
  port?: number | string | null | undefined;
  /** Domain that the appliance names itself by. */
  domain?: string | null | undefined;
  /** User name at the mail server, by another name. */
  username?: string | null | undefined;
  /** User name at the mail server. */
  user_name?: string | null | undefined;
  /** Whether STARTTLS is used where it is offered. */
  enable_starttls_auto?: boolean | null | undefined;
  /** Password at the mail server. */
  password?: string | null | undefined;
  /** Where users write to for help. */
  support_address?: string | null | undefined;
  /** Sender of notifications. */
  noreply_address?: string | null | undefined;
}

/** Name servers. */
export interface DnsSettings {
  /** Address of the first name server. */
  primary_nameserver?: string | null | undefined;
  /** Address of the second name server. */
  secondary_nameserver?: string | null | undefined;
}

/** Time servers. */
export interface NtpSettings {
  /** Host of the first time server. */
  primary_server?: string | null | undefined;
  /** Host of the second time server. */
  secondary_server?: string | null | undefined;
}

/** Time zone by name. */
export interface TimezoneSettings {
  /** Name of the time zone, as `Europe/Berlin`. */
  identifier?: string | null | undefined;
}

/** Storage device. */
export interface DeviceSettings {
  /** Path of the device. */
  path?: string | null | undefined;
}

/** Monitoring by SNMP. */
export interface SnmpSettings {
  /** Whether SNMP is answered. */
  enabled?: boolean | null | undefined;
  /** Community that may ask. */
  community?: string | null | undefined;
}

/** Where logs are forwarded. */
export interface SyslogSettings {
  /** Whether logs are forwarded. */
  enabled?: boolean | null | undefined;
  /** Host and port of the log server. */
  server?: string | null | undefined;
  /** `tcp` or `udp`. */
  protocol_name?: string | null | undefined;
}

/** Where statistics are forwarded. */
export interface CollectdSettings {
  /** Whether metrics are sent to collectd. */
  enabled?: boolean | null | undefined;
  /** Host of the collectd server. */
  server?: string | null | undefined;
  /** Port of the collectd server. */
  port?: number | string | null | undefined;
  /** Whether metrics are signed or encrypted on the way. */
  encryption?: string | null | undefined;
  /** User name at the collectd server. */
  username?: string | null | undefined;
  /** Password at the collectd server. */
  password?: string | null | undefined;
}

export const SmtpSettings: Model<SmtpSettings> = model<SmtpSettings>()('SmtpSettings', () => ({
  enabled: flag(),
  address: text(),
  authentication: text(),
  port: port(),
  domain: text(),
  username: text(),
  user_name: text(),
  enable_starttls_auto: flag(),
  password: text(),
  support_address: text(),
  noreply_address: text(),
}));

export const DnsSettings: Model<DnsSettings> = model<DnsSettings>()('DnsSettings', () => ({
  primary_nameserver: text(),
  secondary_nameserver: text(),
}));

export const NtpSettings: Model<NtpSettings> = model<NtpSettings>()('NtpSettings', () => ({
  primary_server: text(),
  secondary_server: text(),
}));

export const TimezoneSettings: Model<TimezoneSettings> = model<TimezoneSettings>()(
  'TimezoneSettings',
  () => ({
    identifier: text(),
  }),
);

export const DeviceSettings: Model<DeviceSettings> = model<DeviceSettings>()(
  'DeviceSettings',
  () => ({
    path: text(),
  }),
);

export const SnmpSettings: Model<SnmpSettings> = model<SnmpSettings>()('SnmpSettings', () => ({
  enabled: flag(),
  community: text(),
}));

export const SyslogSettings: Model<SyslogSettings> = model<SyslogSettings>()(
  'SyslogSettings',
  () => ({
    enabled: flag(),
    server: text(),
    protocol_name: text(),
  }),
);

export const CollectdSettings: Model<CollectdSettings> = model<CollectdSettings>()(
  'CollectdSettings',
  () => ({
    enabled: flag(),
    server: text(),
    port: port(),
    encryption: text(),
    username: text(),
    password: text(),
  }),
);
