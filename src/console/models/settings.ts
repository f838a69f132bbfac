import * as z from 'zod';
import { type Model, model, ref } from '../../model.js';
import * as parts from './settings-parts.js';

/**
 * The `enterprise` object of the settings. Versions differ: whole groups are null or missing where the
 * feature is unset or unknown. Keys with the vendor's word (`github_hostname`…) are those of
 * GitHub-compatible appliances, where the contract writes `service_…`.
 */
export interface EnterpriseSettings {
  /** Whether everybody must sign in to see anything. */
  private_mode?: boolean | null | undefined;
  subdomain_isolation?: boolean | null | undefined;
  signup_enabled?: boolean | null | undefined;
  expire_sessions?: boolean | null | undefined;
  /** Host name of the appliance. */
  service_hostname?: string | null | undefined;
  /** {@link service_hostname} on GitHub-compatible appliances. */
  github_hostname?: string | null | undefined;
  identicons_host?: string | null | undefined;
  auth_mode?: string | null | undefined;
  storage_mode?: string | null | undefined;
  admin_password?: string | null | undefined;
  configuration_id?: number | null | undefined;
  /** Rises with each configuration run. */
  configuration_run_count?: number | null | undefined;
  package_version?: string | null | undefined;
  avatar?: parts.AvatarSettings | null | undefined;
  customer?: parts.CustomerSettings | null | undefined;
  license?: parts.LicenseSettings | null | undefined;
  service_ssl?: parts.SslSettings | null | undefined;
  /** {@link service_ssl} on GitHub-compatible appliances. */
  github_ssl?: parts.SslSettings | null | undefined;
  ldap?: parts.LdapSettings | null | undefined;
  cas?: parts.CasSettings | null | undefined;
  service_oauth?: parts.OAuthSettings | null | undefined;
  /** {@link service_oauth} on GitHub-compatible appliances. */
  github_oauth?: parts.OAuthSettings | null | undefined;
  smtp?: parts.SmtpSettings | null | undefined;
  dns?: parts.DnsSettings | null | undefined;
  ntp?: parts.NtpSettings | null | undefined;
  timezone?: parts.TimezoneSettings | null | undefined;
  device?: parts.DeviceSettings | null | undefined;
  snmp?: parts.SnmpSettings | null | undefined;
  rsyslog?: parts.SyslogSettings | null | undefined;
  /** {@link rsyslog} on some versions. */
  syslog?: parts.SyslogSettings | null | undefined;
  assets?: parts.AssetsSettings | null | undefined;
  pages?: parts.PagesSettings | null | undefined;
  collectd?: parts.CollectdSettings | null | undefined;
}

/** Settings of an appliance (contract section "Console settings"). */
export interface ConsoleSettings {
  enterprise: EnterpriseSettings;
  run_list?: string[] | null | undefined;
}

const text = () => z.optional(z.nullable(z.string()));
const flag = () => z.optional(z.nullable(z.boolean()));
const count = () => z.optional(z.nullable(z.int()));
const group = <T>(member: Model<T>) => z.optional(z.nullable(ref(member)));

export const EnterpriseSettings: Model<EnterpriseSettings> = model<EnterpriseSettings>()(
  'EnterpriseSettings',
  () => ({
    private_mode: flag(),
    subdomain_isolation: flag(),
    signup_enabled: flag(),
    expire_sessions: flag(),
    service_hostname: text(),
    github_hostname: text(),
    identicons_host: text(),
    auth_mode: text(),
    storage_mode: text(),
    admin_password: text(),
    configuration_id: count(),
    configuration_run_count: count(),
    package_version: text(),
    avatar: group(parts.AvatarSettings),
    customer: group(parts.CustomerSettings),
    license: group(parts.LicenseSettings),
    service_ssl: group(parts.SslSettings),
    github_ssl: group(parts.SslSettings),
    ldap: group(parts.LdapSettings),
    cas: group(parts.CasSettings),
    service_oauth: group(parts.OAuthSettings),
    github_oauth: group(parts.OAuthSettings),
    smtp: group(parts.SmtpSettings),
    dns: group(parts.DnsSettings),
    ntp: group(parts.NtpSettings),
    timezone: group(parts.TimezoneSettings),
    device: group(parts.DeviceSettings),
    snmp: group(parts.SnmpSettings),
    rsyslog: group(parts.SyslogSettings),
    syslog: group(parts.SyslogSettings),
    assets: group(parts.AssetsSettings),
    pages: group(parts.PagesSettings),
    collectd: group(parts.CollectdSettings),
  }),
);

export const ConsoleSettings: Model<ConsoleSettings> = model<ConsoleSettings>()(
  'ConsoleSettings',
  () => ({
    enterprise: ref(EnterpriseSettings),
    run_list: z.optional(z.nullable(z.array(z.string()))),
  }),
);
