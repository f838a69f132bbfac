import * as z from 'zod/mini';
import {
  fields,
  type Model,
  model,
  optionalFlag,
  optionalInteger,
  optionalText,
  ref,
} from '../../schema/model.js';
import * as parts from './settings-parts.js';
import * as services from './settings-services.js';

/**
 * The `enterprise` object in the settings. A group is null or absent if its feature isn't
 * configured or supported. GitHub-compatible appliances use the `github_` prefix
 * (`github_hostname`) instead of `service_`.
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
  /** Host name of the appliance. */
  service_hostname?: string | null | undefined;
  /** Name of {@link service_hostname} on GitHub-compatible appliances. */
  github_hostname?: string | null | undefined;
  /** Host of the images shown for users without an avatar. */
  identicons_host?: string | null | undefined;
  /** Authentication method: `default`, `ldap`, `cas` or `github_oauth`. */
  auth_mode?: string | null | undefined;
  /** Data storage mode. */
  storage_mode?: string | null | undefined;
  /** Password for the Management Console. */
  admin_password?: string | null | undefined;
  /** ID of the configuration. */
  configuration_id?: number | null | undefined;
  /** Number of configuration runs. Increases with each run. */
  configuration_run_count?: number | null | undefined;
  /** Version of the installed package. */
  package_version?: string | null | undefined;
  /** Avatars. */
  avatar?: parts.AvatarSettings | null | undefined;
  /** Customer who owns the license. */
  customer?: parts.CustomerSettings | null | undefined;
  /** License of the appliance. */
  license?: parts.LicenseSettings | null | undefined;
  /** TLS settings of the appliance. */
  service_ssl?: parts.SslSettings | null | undefined;
  /** Name of {@link service_ssl} on GitHub-compatible appliances. */
  github_ssl?: parts.SslSettings | null | undefined;
  /** LDAP authentication. */
  ldap?: parts.LdapSettings | null | undefined;
  /** CAS authentication. */
  cas?: parts.CasSettings | null | undefined;
  /** OAuth authentication through another server. */
  service_oauth?: parts.OAuthSettings | null | undefined;
  /** Name of {@link service_oauth} on GitHub-compatible appliances. */
  github_oauth?: parts.OAuthSettings | null | undefined;
  /** Outgoing email. */
  smtp?: services.SmtpSettings | null | undefined;
  /** Name servers. */
  dns?: services.DnsSettings | null | undefined;
  /** Time servers. */
  ntp?: services.NtpSettings | null | undefined;
  /** Time zone. */
  timezone?: services.TimezoneSettings | null | undefined;
  /** Data disk. */
  device?: services.DeviceSettings | null | undefined;
  /** SNMP monitoring. */
  snmp?: services.SnmpSettings | null | undefined;
  /** Log forwarding. */
  rsyslog?: services.SyslogSettings | null | undefined;
  /** Log forwarding, in versions that use this name instead of {@link rsyslog}. */
  syslog?: services.SyslogSettings | null | undefined;
  /** Storage of uploaded files. */
  assets?: parts.AssetsSettings | null | undefined;
  /** Pages sites. */
  pages?: parts.PagesSettings | null | undefined;
  /** Metrics forwarding to collectd. */
  collectd?: services.CollectdSettings | null | undefined;
}

/** Settings of an appliance. */
export interface ConsoleSettings {
  /** Settings of the appliance. */
  enterprise: EnterpriseSettings;
  /** Names of the configuration's parts, as chosen by the appliance. */
  run_list?: string[] | null | undefined;
}

const group = <T>(member: Model<T>) => z.nullish(ref(member));

export const EnterpriseSettings = model<EnterpriseSettings>()('EnterpriseSettings', () => ({
  ...fields(optionalFlag, 'private_mode subdomain_isolation signup_enabled expire_sessions'),
  ...fields(
    optionalText,
    'service_hostname github_hostname identicons_host auth_mode storage_mode',
  ),
  ...fields(optionalText, 'admin_password package_version'),
  ...fields(optionalInteger, 'configuration_id configuration_run_count'),
  avatar: group(parts.AvatarSettings),
  customer: group(parts.CustomerSettings),
  license: group(parts.LicenseSettings),
  ...fields(() => group(parts.SslSettings), 'service_ssl github_ssl'),
  ldap: group(parts.LdapSettings),
  cas: group(parts.CasSettings),
  ...fields(() => group(parts.OAuthSettings), 'service_oauth github_oauth'),
  smtp: group(services.SmtpSettings),
  dns: group(services.DnsSettings),
  ntp: group(services.NtpSettings),
  timezone: group(services.TimezoneSettings),
  device: group(services.DeviceSettings),
  snmp: group(services.SnmpSettings),
  ...fields(() => group(services.SyslogSettings), 'rsyslog syslog'),
  assets: group(parts.AssetsSettings),
  pages: group(parts.PagesSettings),
  collectd: group(services.CollectdSettings),
}));

export const ConsoleSettings = model<ConsoleSettings>()('ConsoleSettings', () => ({
  enterprise: ref(EnterpriseSettings),
  run_list: z.nullish(z.array(z.string())),
}));
