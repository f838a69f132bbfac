import { fields, model, optionalFlag, optionalPort, optionalText } from '../../schema/model.js';

// Settings groups for external servers and the machine.

/** Outgoing email. */
export interface SmtpSettings {
  /** Whether email is sent. */
  enabled?: boolean | null | undefined;
  /** Host of the mail server. */
  address?: string | null | undefined;
  /** Authentication method for the mail server. */
  authentication?: string | null | undefined;
  /** Port of the mail server. */
  port?: number | string | null | undefined;
  /** Domain that the appliance sends to the mail server. */
  domain?: string | null | undefined;
  /** Alternative to `user_name` on some appliances. */
  username?: string | null | undefined;
  /** Username for the mail server. */
  user_name?: string | null | undefined;
  /** Whether STARTTLS is used if the mail server offers it. */
  enable_starttls_auto?: boolean | null | undefined;
  /** Password for the mail server. */
  password?: string | null | undefined;
  /** Email address that users write to for support. */
  support_address?: string | null | undefined;
  /** Sender address of notifications. */
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

/** Time zone. */
export interface TimezoneSettings {
  /** Name of the time zone, for example `Europe/Berlin`. */
  identifier?: string | null | undefined;
}

/** Storage device. */
export interface DeviceSettings {
  /** Path of the device. */
  path?: string | null | undefined;
}

/** SNMP monitoring. */
export interface SnmpSettings {
  /** Whether SNMP is enabled. */
  enabled?: boolean | null | undefined;
  /** SNMP community string that requests must use. */
  community?: string | null | undefined;
}

/** Log forwarding. */
export interface SyslogSettings {
  /** Whether logs are forwarded. */
  enabled?: boolean | null | undefined;
  /** Host and port of the log server. */
  server?: string | null | undefined;
  /** Protocol: `tcp` or `udp`. */
  protocol_name?: string | null | undefined;
}

/** Metrics forwarding to collectd. */
export interface CollectdSettings {
  /** Whether metrics are sent to collectd. */
  enabled?: boolean | null | undefined;
  /** Host of the collectd server. */
  server?: string | null | undefined;
  /** Port of the collectd server. */
  port?: number | string | null | undefined;
  /** Protection of the metrics: none, signed or encrypted. */
  encryption?: string | null | undefined;
  /** Username for the collectd server. */
  username?: string | null | undefined;
  /** Password for the collectd server. */
  password?: string | null | undefined;
}

export const SmtpSettings = model<SmtpSettings>()('SmtpSettings', () => ({
  ...fields(optionalFlag, 'enabled enable_starttls_auto'),
  ...fields(
    optionalText,
    'address authentication domain username user_name password support_address',
  ),
  ...fields(optionalText, 'noreply_address'),
  port: optionalPort(),
}));

export const DnsSettings = model<DnsSettings>()('DnsSettings', () => ({
  ...fields(optionalText, 'primary_nameserver secondary_nameserver'),
}));

export const NtpSettings = model<NtpSettings>()('NtpSettings', () => ({
  ...fields(optionalText, 'primary_server secondary_server'),
}));

export const TimezoneSettings = model<TimezoneSettings>()('TimezoneSettings', () => ({
  identifier: optionalText(),
}));

export const DeviceSettings = model<DeviceSettings>()('DeviceSettings', () => ({
  path: optionalText(),
}));

export const SnmpSettings = model<SnmpSettings>()('SnmpSettings', () => ({
  enabled: optionalFlag(),
  community: optionalText(),
}));

export const SyslogSettings = model<SyslogSettings>()('SyslogSettings', () => ({
  enabled: optionalFlag(),
  ...fields(optionalText, 'server protocol_name'),
}));

export const CollectdSettings = model<CollectdSettings>()('CollectdSettings', () => ({
  enabled: optionalFlag(),
  ...fields(optionalText, 'server encryption username password'),
  port: optionalPort(),
}));
