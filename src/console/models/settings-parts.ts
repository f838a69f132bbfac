import * as z from 'zod';
import { type Model, model } from '../../schema/model.js';

// The groups of the settings. Every field may be null or missing:
// versions differ, and what is unset is null. Ports come as numbers or as strings of digits.

/** Where avatars come from. */
export interface AvatarSettings {
  /** Whether avatars of a service are shown. */
  enabled?: boolean | null | undefined;
  /** Address of the avatar service. */
  uri?: string | null | undefined;
}

/** Whose appliance it is. */
export interface CustomerSettings {
  /** Name of the customer. */
  name?: string | null | undefined;
  /** Mail address of the customer. */
  email?: string | null | undefined;
  /** Id of the customer. */
  uuid?: string | null | undefined;
  /** Secret key of the customer. */
  secret_key_data?: string | null | undefined;
  /** Public key of the customer. */
  public_key_data?: string | null | undefined;
}

/** What was licensed; `expire_at` is a timestamp with a numeric offset. */
export interface LicenseSettings {
  /** Users that it allows. */
  seats?: number | null | undefined;
  /** Whether it is for a trial. */
  evaluation?: boolean | null | undefined;
  /** When it ends. */
  expire_at?: string | null | undefined;
  /** Whether it never ends. */
  perpetual?: boolean | null | undefined;
  /** Whether any number of users is allowed. */
  unlimited_seating?: boolean | null | undefined;
  /** Key for support. */
  support_key?: string | null | undefined;
  /** Whether logging in by SSH is allowed. */
  ssh_allowed?: boolean | null | undefined;
}

/** TLS of the appliance: PEM texts. */
export interface SslSettings {
  /** Whether HTTPS is used. */
  enabled?: boolean | null | undefined;
  /** The certificate, as PEM. */
  cert?: string | null | undefined;
  /** The private key, as PEM. */
  key?: string | null | undefined;
}

/** Authentication by LDAP. */
export interface LdapSettings {
  /** Host of the LDAP server. */
  host?: string | null | undefined;
  /** Port of the LDAP server. */
  port?: number | string | null | undefined;
  /** Where users are searched for. */
  base?: string[] | null | undefined;
  /** Attribute with the login name. */
  uid?: string | null | undefined;
  /** Who searches. */
  bind_dn?: string | null | undefined;
  /** Password of `bind_dn`. */
  password?: string | null | undefined;
  /** Encryption of the connection. */
  method?: string | null | undefined;
  /** Groups whose members may log in. */
  user_groups?: string[] | null | undefined;
  /** Group whose members administer the appliance. */
  admin_group?: string | null | undefined;
}

/** Authentication by CAS. */
export interface CasSettings {
  /** Address of the CAS server. */
  url?: string | null | undefined;
}

/** Authentication by OAuth. */
export interface OAuthSettings {
  /** Client id of the appliance at the other server. */
  client_id?: string | null | undefined;
  /** Client secret of the appliance at the other server. */
  client_secret?: string | null | undefined;
  /** Organization whose members may log in. */
  organization_name?: string | null | undefined;
  /** Team whose members may log in. */
  organization_team?: string | null | undefined;
}

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

/** Where assets are stored. */
export interface AssetsSettings {
  /** Kind of the storage. */
  storage?: string | null | undefined;
  /** Name of the bucket. */
  bucket?: string | null | undefined;
  /** Host of the storage service. */
  host_name?: string | null | undefined;
  /** Id of the key. */
  key_id?: string | null | undefined;
  /** Secret of the key. */
  access_key?: string | null | undefined;
}

/** Whether Pages are served. */
export interface PagesSettings {
  /** Whether repositories can have sites. */
  enabled?: boolean | null | undefined;
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

const text = () => z.nullish(z.string());
const texts = () => z.nullish(z.array(z.string()));
const flag = () => z.nullish(z.boolean());
const count = () => z.nullish(z.int());
const port = () => z.nullish(z.union([z.int(), z.string()]));

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
