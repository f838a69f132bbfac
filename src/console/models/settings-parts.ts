import * as z from 'zod';
import { type Model, model } from '../../model.js';

// The groups of the settings (contract section "Console settings"). Every field may be null or missing:
// versions differ, and what is unset is null. Ports come as numbers or as strings of digits.

/** Where avatars come from. */
export interface AvatarSettings {
  enabled?: boolean | null | undefined;
  uri?: string | null | undefined;
}

/** Whose appliance it is. */
export interface CustomerSettings {
  name?: string | null | undefined;
  email?: string | null | undefined;
  uuid?: string | null | undefined;
  secret_key_data?: string | null | undefined;
  public_key_data?: string | null | undefined;
}

/** What was licensed; `expire_at` is a timestamp with a numeric offset. */
export interface LicenseSettings {
  seats?: number | null | undefined;
  evaluation?: boolean | null | undefined;
  expire_at?: string | null | undefined;
  perpetual?: boolean | null | undefined;
  unlimited_seating?: boolean | null | undefined;
  support_key?: string | null | undefined;
  ssh_allowed?: boolean | null | undefined;
}

/** TLS of the appliance: PEM texts. */
export interface SslSettings {
  enabled?: boolean | null | undefined;
  cert?: string | null | undefined;
  key?: string | null | undefined;
}

/** Authentication by LDAP. */
export interface LdapSettings {
  host?: string | null | undefined;
  port?: number | string | null | undefined;
  base?: string[] | null | undefined;
  uid?: string | null | undefined;
  bind_dn?: string | null | undefined;
  password?: string | null | undefined;
  method?: string | null | undefined;
  user_groups?: string[] | null | undefined;
  admin_group?: string | null | undefined;
}

/** Authentication by CAS. */
export interface CasSettings {
  url?: string | null | undefined;
}

/** Authentication by OAuth. */
export interface OAuthSettings {
  client_id?: string | null | undefined;
  client_secret?: string | null | undefined;
  organization_name?: string | null | undefined;
  organization_team?: string | null | undefined;
}

/** How mail is sent. */
export interface SmtpSettings {
  enabled?: boolean | null | undefined;
  address?: string | null | undefined;
  authentication?: string | null | undefined;
  port?: number | string | null | undefined;
  domain?: string | null | undefined;
  username?: string | null | undefined;
  user_name?: string | null | undefined;
  enable_starttls_auto?: boolean | null | undefined;
  password?: string | null | undefined;
  support_address?: string | null | undefined;
  noreply_address?: string | null | undefined;
}

/** Name servers. */
export interface DnsSettings {
  primary_nameserver?: string | null | undefined;
  secondary_nameserver?: string | null | undefined;
}

/** Time servers. */
export interface NtpSettings {
  primary_server?: string | null | undefined;
  secondary_server?: string | null | undefined;
}

/** Time zone by name. */
export interface TimezoneSettings {
  identifier?: string | null | undefined;
}

/** Storage device. */
export interface DeviceSettings {
  path?: string | null | undefined;
}

/** Monitoring by SNMP. */
export interface SnmpSettings {
  enabled?: boolean | null | undefined;
  community?: string | null | undefined;
}

/** Where logs are forwarded. */
export interface SyslogSettings {
  enabled?: boolean | null | undefined;
  server?: string | null | undefined;
  protocol_name?: string | null | undefined;
}

/** Where assets are stored. */
export interface AssetsSettings {
  storage?: string | null | undefined;
  bucket?: string | null | undefined;
  host_name?: string | null | undefined;
  key_id?: string | null | undefined;
  access_key?: string | null | undefined;
}

/** Whether Pages are served. */
export interface PagesSettings {
  enabled?: boolean | null | undefined;
}

/** Where statistics are forwarded. */
export interface CollectdSettings {
  enabled?: boolean | null | undefined;
  server?: string | null | undefined;
  port?: number | string | null | undefined;
  encryption?: string | null | undefined;
  username?: string | null | undefined;
  password?: string | null | undefined;
}

const text = () => z.optional(z.nullable(z.string()));
const texts = () => z.optional(z.nullable(z.array(z.string())));
const flag = () => z.optional(z.nullable(z.boolean()));
const count = () => z.optional(z.nullable(z.int()));
const port = () => z.optional(z.nullable(z.union([z.int(), z.string()])));

export const AvatarSettings: Model<AvatarSettings> = model<AvatarSettings>()(
  'AvatarSettings',
  () => ({
    enabled: flag(),
    uri: text(),
  }),
);

export const CustomerSettings: Model<CustomerSettings> = model<CustomerSettings>()(
  'CustomerSettings',
  () => ({
    name: text(),
    email: text(),
    uuid: text(),
    secret_key_data: text(),
    public_key_data: text(),
  }),
);

export const LicenseSettings: Model<LicenseSettings> = model<LicenseSettings>()(
  'LicenseSettings',
  () => ({
    seats: count(),
    evaluation: flag(),
    expire_at: text(),
    perpetual: flag(),
    unlimited_seating: flag(),
    support_key: text(),
    ssh_allowed: flag(),
  }),
);

export const SslSettings: Model<SslSettings> = model<SslSettings>()('SslSettings', () => ({
  enabled: flag(),
  cert: text(),
  key: text(),
}));

export const LdapSettings: Model<LdapSettings> = model<LdapSettings>()('LdapSettings', () => ({
  host: text(),
  port: port(),
  base: texts(),
  uid: text(),
  bind_dn: text(),
  password: text(),
  method: text(),
  user_groups: texts(),
  admin_group: text(),
}));

export const CasSettings: Model<CasSettings> = model<CasSettings>()('CasSettings', () => ({
  url: text(),
}));

export const OAuthSettings: Model<OAuthSettings> = model<OAuthSettings>()('OAuthSettings', () => ({
  client_id: text(),
  client_secret: text(),
  organization_name: text(),
  organization_team: text(),
}));

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

export const AssetsSettings: Model<AssetsSettings> = model<AssetsSettings>()(
  'AssetsSettings',
  () => ({
    storage: text(),
    bucket: text(),
    host_name: text(),
    key_id: text(),
    access_key: text(),
  }),
);

export const PagesSettings: Model<PagesSettings> = model<PagesSettings>()('PagesSettings', () => ({
  enabled: flag(),
}));

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
