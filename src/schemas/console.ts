import * as models from '../console/models/index.js';
import { objectOf } from './zod-schema.js';

/** Storage of assets. */
export const AssetsSettings = objectOf(models.AssetsSettings);

/** SSH key that can log in to the appliance. */
export const AuthorizedKey = objectOf(models.AuthorizedKey);

/** Source of avatars. */
export const AvatarSettings = objectOf(models.AvatarSettings);

/** CAS authentication. */
export const CasSettings = objectOf(models.CasSettings);

/** Forwarding of metrics to collectd. */
export const CollectdSettings = objectOf(models.CollectdSettings);

/** Progress of a configuration run. */
export const ConfigurationStatus = objectOf(models.ConfigurationStatus);

/** Step of a configuration run. */
export const ConfigurationStep = objectOf(models.ConfigurationStep);

/** Settings of an appliance. */
export const ConsoleSettings = objectOf(models.ConsoleSettings);

/** Owner of the appliance. */
export const CustomerSettings = objectOf(models.CustomerSettings);

/** Storage device. */
export const DeviceSettings = objectOf(models.DeviceSettings);

/** Name servers. */
export const DnsSettings = objectOf(models.DnsSettings);

/** The `enterprise` object of the settings. */
export const EnterpriseSettings = objectOf(models.EnterpriseSettings);

/** LDAP authentication. */
export const LdapSettings = objectOf(models.LdapSettings);

/** License of the appliance. `expire_at` is a timestamp with a numeric offset. */
export const LicenseSettings = objectOf(models.LicenseSettings);

/** Time servers. */
export const NtpSettings = objectOf(models.NtpSettings);

/** OAuth authentication. */
export const OAuthSettings = objectOf(models.OAuthSettings);

/** Pages sites of the appliance. */
export const PagesSettings = objectOf(models.PagesSettings);

/** Outgoing email. */
export const SmtpSettings = objectOf(models.SmtpSettings);

/** Monitoring by SNMP. */
export const SnmpSettings = objectOf(models.SnmpSettings);

/** TLS settings of the appliance, in PEM format. */
export const SslSettings = objectOf(models.SslSettings);

/** Forwarding of logs. */
export const SyslogSettings = objectOf(models.SyslogSettings);

/** Time zone by name. */
export const TimezoneSettings = objectOf(models.TimezoneSettings);
