import * as z from 'zod/mini';
import { fields, type Model, model, nullish, ref } from '../../schema/model.js';

/**
 * The `enterprise` object in the settings. A group of settings can be null or absent, for example
 * if its feature isn't configured. GitHub-compatible appliances use the prefix `github_` instead of
 * `service_`, as in `github_hostname`.
 */
export interface EnterpriseSettings {
  /** Whether users must sign in to see anything. */
  private_mode?: boolean | null | undefined;
  /** Whether user content is served from separate host names. */
  subdomain_isolation?: boolean | null | undefined;
  /** Whether anyone can create an account. */
  signup_enabled?: boolean | null | undefined;
  /** Whether sessions expire. */
  expire_sessions?: boolean | null | undefined;
  /** Host name or IP address of the appliance. */
  service_hostname?: string | null | undefined;
  /** Equivalent of {@link service_hostname} on GitHub-compatible appliances. */
  github_hostname?: string | null | undefined;
  /** Source of the images shown for users without an avatar, for example `dotcom`. */
  identicons_host?: string | null | undefined;
  /** Authentication method, for example `default`, `ldap`, `cas` or `github_oauth`. */
  auth_mode?: string | null | undefined;
  /** Data storage mode. */
  storage_mode?: string | null | undefined;
  /** Password for the Management Console. */
  admin_password?: string | null | undefined;
  /** ID of the configuration. */
  configuration_id?: number | null | undefined;
  /** Number of configuration runs so far. */
  configuration_run_count?: number | null | undefined;
  /** Version of the installed package. */
  package_version?: string | null | undefined;
  /** Settings for avatars. */
  avatar?: AvatarSettings | null | undefined;
  /** Customer that owns the license. */
  customer?: CustomerSettings | null | undefined;
  /** License of the appliance. */
  license?: LicenseSettings | null | undefined;
  /** TLS settings of the appliance. */
  service_ssl?: SslSettings | null | undefined;
  /** Equivalent of {@link service_ssl} on GitHub-compatible appliances. */
  github_ssl?: SslSettings | null | undefined;
  /** Settings for LDAP authentication. */
  ldap?: LdapSettings | null | undefined;
  /** Settings for CAS authentication. */
  cas?: CasSettings | null | undefined;
  /** Settings for OAuth authentication through another server. */
  service_oauth?: OAuthSettings | null | undefined;
  /** Equivalent of {@link service_oauth} on GitHub-compatible appliances. */
  github_oauth?: OAuthSettings | null | undefined;
  /** Settings for outgoing email. */
  smtp?: SmtpSettings | null | undefined;
  /** Settings for name servers. */
  dns?: DnsSettings | null | undefined;
  /** Settings for time servers. */
  ntp?: NtpSettings | null | undefined;
  /** Time zone settings. */
  timezone?: TimezoneSettings | null | undefined;
  /** Data disk of the appliance. */
  device?: DeviceSettings | null | undefined;
  /** Settings for SNMP monitoring. */
  snmp?: SnmpSettings | null | undefined;
  /** Settings for log forwarding. */
  rsyslog?: SyslogSettings | null | undefined;
  /** Settings for log forwarding, on appliances that use this name instead of {@link rsyslog}. */
  syslog?: SyslogSettings | null | undefined;
  /** Settings for the storage of uploaded files. */
  assets?: AssetsSettings | null | undefined;
  /** Settings for Pages sites. */
  pages?: PagesSettings | null | undefined;
  /** Settings for sending metrics to collectd. */
  collectd?: CollectdSettings | null | undefined;
}

/** Settings of an appliance. */
export interface ConsoleSettings {
  /** Settings of the appliance. */
  enterprise: EnterpriseSettings;
  /** Roles and recipes that a configuration run executes, for example `role[configure]`. */
  run_list?: string[] | null | undefined;
}

const group = <T>(member: Model<T>) => z.nullish(ref(member));

export const EnterpriseSettings = model<EnterpriseSettings>()('EnterpriseSettings', () => ({
  ...fields(nullish(z.boolean), 'private_mode subdomain_isolation signup_enabled expire_sessions'),
  ...fields(nullish(z.string), 'service_hostname github_hostname identicons_host auth_mode'),
  ...fields(nullish(z.string), 'storage_mode admin_password package_version'),
  ...fields(nullish(z.int), 'configuration_id configuration_run_count'),
  avatar: group(AvatarSettings),
  customer: group(CustomerSettings),
  license: group(LicenseSettings),
  ...fields(() => group(SslSettings), 'service_ssl github_ssl'),
  ldap: group(LdapSettings),
  cas: group(CasSettings),
  ...fields(() => group(OAuthSettings), 'service_oauth github_oauth'),
  smtp: group(SmtpSettings),
  dns: group(DnsSettings),
  ntp: group(NtpSettings),
  timezone: group(TimezoneSettings),
  device: group(DeviceSettings),
  snmp: group(SnmpSettings),
  ...fields(() => group(SyslogSettings), 'rsyslog syslog'),
  assets: group(AssetsSettings),
  pages: group(PagesSettings),
  collectd: group(CollectdSettings),
}));

export const ConsoleSettings = model<ConsoleSettings>()('ConsoleSettings', () => ({
  enterprise: ref(EnterpriseSettings),
  run_list: z.nullish(z.array(z.string())),
}));

// Settings groups: avatars, customer, license, TLS, sign-in, asset storage and Pages.

/** Settings for avatars. */
export interface AvatarSettings {
  /** Whether avatars from an external service are shown. */
  enabled?: boolean | null | undefined;
  /** URL of the avatar service. */
  uri?: string | null | undefined;
}

/** Customer that owns the license. */
export interface CustomerSettings {
  /** Name of the customer. */
  name?: string | null | undefined;
  /** Email address of the customer. */
  email?: string | null | undefined;
  /** ID of the customer. */
  uuid?: string | null | undefined;
  /** Secret key of the customer. */
  secret_key_data?: string | null | undefined;
  /** Public key of the customer. */
  public_key_data?: string | null | undefined;
}

/** The appliance's license. */
export interface LicenseSettings {
  /** Number of users that the license allows. */
  seats?: number | null | undefined;
  /** Whether the license is a trial license. */
  evaluation?: boolean | null | undefined;
  /** Expiry time, as a timestamp with a numeric offset. */
  expire_at?: string | null | undefined;
  /** Whether the license never expires. */
  perpetual?: boolean | null | undefined;
  /** Whether the number of users is unlimited. */
  unlimited_seating?: boolean | null | undefined;
  /** Support key of the license. */
  support_key?: string | null | undefined;
  /** Whether SSH login is allowed. */
  ssh_allowed?: boolean | null | undefined;
}

/** The appliance's TLS settings. */
export interface SslSettings {
  /** Whether HTTPS is enabled. */
  enabled?: boolean | null | undefined;
  /** Certificate in PEM format. */
  cert?: string | null | undefined;
  /** Private key in PEM format. */
  key?: string | null | undefined;
}

/** Settings for LDAP authentication. */
export interface LdapSettings {
  /** Host of the LDAP server. */
  host?: string | null | undefined;
  /** Port of the LDAP server. */
  port?: number | string | null | undefined;
  /** Base distinguished names (DNs) in which to search for users. */
  base?: string[] | null | undefined;
  /** LDAP attribute that contains the login name. */
  uid?: string | null | undefined;
  /** Distinguished name (DN) of the account that searches for users. */
  bind_dn?: string | null | undefined;
  /** Password for `bind_dn`. */
  password?: string | null | undefined;
  /** Encryption method of the connection. */
  method?: string | null | undefined;
  /** Groups whose members may log in. */
  user_groups?: string[] | null | undefined;
  /** Group whose members are site admins. */
  admin_group?: string | null | undefined;
}

/** Settings for CAS authentication. */
export interface CasSettings {
  /** URL of the CAS server. */
  url?: string | null | undefined;
}

/** Settings for OAuth authentication. */
export interface OAuthSettings {
  /** Client ID that the OAuth server issued to the appliance. */
  client_id?: string | null | undefined;
  /** Client secret that the OAuth server issued to the appliance. */
  client_secret?: string | null | undefined;
  /** Organization whose members may log in. */
  organization_name?: string | null | undefined;
  /** Team whose members may log in. */
  organization_team?: string | null | undefined;
}

/** Settings for asset storage. */
export interface AssetsSettings {
  /** Storage type. */
  storage?: string | null | undefined;
  /** Name of the bucket. */
  bucket?: string | null | undefined;
  /** Host of the storage service. */
  host_name?: string | null | undefined;
  /** ID of the access key. */
  key_id?: string | null | undefined;
  /** Secret access key. */
  access_key?: string | null | undefined;
}

/** Settings for Pages sites. */
export interface PagesSettings {
  /** Whether repositories can have Pages sites. */
  enabled?: boolean | null | undefined;
}

export const AvatarSettings = model<AvatarSettings>()('AvatarSettings', () => ({
  enabled: z.nullish(z.boolean()),
  uri: z.nullish(z.string()),
}));

export const CustomerSettings = model<CustomerSettings>()('CustomerSettings', () => ({
  ...fields(nullish(z.string), 'name email uuid secret_key_data public_key_data'),
}));

export const LicenseSettings = model<LicenseSettings>()('LicenseSettings', () => ({
  seats: z.nullish(z.int()),
  ...fields(nullish(z.boolean), 'evaluation perpetual unlimited_seating ssh_allowed'),
  ...fields(nullish(z.string), 'expire_at support_key'),
}));

export const SslSettings = model<SslSettings>()('SslSettings', () => ({
  enabled: z.nullish(z.boolean()),
  ...fields(nullish(z.string), 'cert key'),
}));

export const LdapSettings = model<LdapSettings>()('LdapSettings', () => ({
  ...fields(nullish(z.string), 'host uid bind_dn password method admin_group'),
  port: z.nullish(z.union([z.int(), z.string()])),
  ...fields(() => z.nullish(z.array(z.string())), 'base user_groups'),
}));

export const CasSettings = model<CasSettings>()('CasSettings', () => ({
  url: z.nullish(z.string()),
}));

export const OAuthSettings = model<OAuthSettings>()('OAuthSettings', () => ({
  ...fields(nullish(z.string), 'client_id client_secret organization_name organization_team'),
}));

export const AssetsSettings = model<AssetsSettings>()('AssetsSettings', () => ({
  ...fields(nullish(z.string), 'storage bucket host_name key_id access_key'),
}));

export const PagesSettings = model<PagesSettings>()('PagesSettings', () => ({
  enabled: z.nullish(z.boolean()),
}));

// Settings groups for external servers and the machine.

/** Settings for outgoing email. */
export interface SmtpSettings {
  /** Whether email is sent. */
  enabled?: boolean | null | undefined;
  /** Host of the mail server. */
  address?: string | null | undefined;
  /** Authentication method for the mail server. */
  authentication?: string | null | undefined;
  /** Port of the mail server. */
  port?: number | string | null | undefined;
  /** HELO domain that the appliance sends to the mail server. */
  domain?: string | null | undefined;
  /** Username for the mail server. An appliance can send both this field and `user_name`. */
  username?: string | null | undefined;
  /** Username for the mail server. */
  user_name?: string | null | undefined;
  /** Whether STARTTLS is used if the mail server offers it. */
  enable_starttls_auto?: boolean | null | undefined;
  /** Password for the mail server. */
  password?: string | null | undefined;
  /** Email address for support requests. */
  support_address?: string | null | undefined;
  /** Sender address of notifications. */
  noreply_address?: string | null | undefined;
}

/** Settings for name servers. */
export interface DnsSettings {
  /** Address of the first name server. */
  primary_nameserver?: string | null | undefined;
  /** Address of the second name server. */
  secondary_nameserver?: string | null | undefined;
}

/** Settings for time servers. */
export interface NtpSettings {
  /** Host of the first time server. */
  primary_server?: string | null | undefined;
  /** Host of the second time server. */
  secondary_server?: string | null | undefined;
}

/** Time zone settings. */
export interface TimezoneSettings {
  /** Name of the time zone, for example `UTC`. */
  identifier?: string | null | undefined;
}

/** Storage device. */
export interface DeviceSettings {
  /** Path of the device. */
  path?: string | null | undefined;
}

/** Settings for SNMP monitoring. */
export interface SnmpSettings {
  /** Whether SNMP is enabled. */
  enabled?: boolean | null | undefined;
  /** SNMP community string that requests must contain. */
  community?: string | null | undefined;
}

/** Settings for log forwarding. */
export interface SyslogSettings {
  /** Whether logs are forwarded. */
  enabled?: boolean | null | undefined;
  /** Host and port of the log server. */
  server?: string | null | undefined;
  /** Protocol, for example `udp`. */
  protocol_name?: string | null | undefined;
}

/** Settings for sending metrics to collectd. */
export interface CollectdSettings {
  /** Whether metrics are sent to collectd. */
  enabled?: boolean | null | undefined;
  /** Host of the collectd server. */
  server?: string | null | undefined;
  /** Port of the collectd server. */
  port?: number | string | null | undefined;
  /** Security level of the metrics, for example signed or encrypted. */
  encryption?: string | null | undefined;
  /** Username for the collectd server. */
  username?: string | null | undefined;
  /** Password for the collectd server. */
  password?: string | null | undefined;
}

export const SmtpSettings = model<SmtpSettings>()('SmtpSettings', () => ({
  ...fields(nullish(z.boolean), 'enabled enable_starttls_auto'),
  ...fields(nullish(z.string), 'address authentication domain username user_name password'),
  ...fields(nullish(z.string), 'support_address noreply_address'),
  port: z.nullish(z.union([z.int(), z.string()])),
}));

export const DnsSettings = model<DnsSettings>()('DnsSettings', () => ({
  ...fields(nullish(z.string), 'primary_nameserver secondary_nameserver'),
}));

export const NtpSettings = model<NtpSettings>()('NtpSettings', () => ({
  ...fields(nullish(z.string), 'primary_server secondary_server'),
}));

export const TimezoneSettings = model<TimezoneSettings>()('TimezoneSettings', () => ({
  identifier: z.nullish(z.string()),
}));

export const DeviceSettings = model<DeviceSettings>()('DeviceSettings', () => ({
  path: z.nullish(z.string()),
}));

export const SnmpSettings = model<SnmpSettings>()('SnmpSettings', () => ({
  enabled: z.nullish(z.boolean()),
  community: z.nullish(z.string()),
}));

export const SyslogSettings = model<SyslogSettings>()('SyslogSettings', () => ({
  enabled: z.nullish(z.boolean()),
  ...fields(nullish(z.string), 'server protocol_name'),
}));

export const CollectdSettings = model<CollectdSettings>()('CollectdSettings', () => ({
  enabled: z.nullish(z.boolean()),
  ...fields(nullish(z.string), 'server encryption username password'),
  port: z.nullish(z.union([z.int(), z.string()])),
}));
