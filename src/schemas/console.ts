import * as models from '../console/models/index.js';
import { objectOf } from './zod-schema.js';

/** Where assets are stored. */
export const AssetsSettings = objectOf(models.AssetsSettings);

/** A key that may reach the appliance's shell. */
export const AuthorizedKey = objectOf(models.AuthorizedKey);

/** Where avatars come from. */
export const AvatarSettings = objectOf(models.AvatarSettings);

/** Authentication by CAS. */
export const CasSettings = objectOf(models.CasSettings);

/** Where statistics are forwarded. */
export const CollectdSettings = objectOf(models.CollectdSettings);

/** How a configuration run stands. */
export const ConfigurationStatus = objectOf(models.ConfigurationStatus);

/** One step of a configuration run. */
export const ConfigurationStep = objectOf(models.ConfigurationStep);

/** Settings of an appliance. */
export const ConsoleSettings = objectOf(models.ConsoleSettings);

/** Whose appliance it is. */
export const CustomerSettings = objectOf(models.CustomerSettings);

/** Storage device. */
export const DeviceSettings = objectOf(models.DeviceSettings);

/** Name servers. */
export const DnsSettings = objectOf(models.DnsSettings);

/** The `enterprise` object of the settings. */
export const EnterpriseSettings = objectOf(models.EnterpriseSettings);

/** Authentication by LDAP. */
export const LdapSettings = objectOf(models.LdapSettings);

/** What was licensed; `expire_at` is a timestamp with a numeric offset. */
export const LicenseSettings = objectOf(models.LicenseSettings);

/** Time servers. */
export const NtpSettings = objectOf(models.NtpSettings);

/** Authentication by OAuth. */
export const OAuthSettings = objectOf(models.OAuthSettings);

/** Whether Pages are served. */
export const PagesSettings = objectOf(models.PagesSettings);

/** How mail is sent. */
export const SmtpSettings = objectOf(models.SmtpSettings);

/** Monitoring by SNMP. */
export const SnmpSettings = objectOf(models.SnmpSettings);

/** TLS of the appliance: PEM texts. */
export const SslSettings = objectOf(models.SslSettings);

/** Where logs are forwarded. */
export const SyslogSettings = objectOf(models.SyslogSettings);

/** Time zone by name. */
export const TimezoneSettings = objectOf(models.TimezoneSettings);
