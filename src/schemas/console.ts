import * as models from '../console/models/index.js';
import { toObjectSchema } from './zod-schema.js';

/** Asset storage. */
export const AssetsSettings = toObjectSchema(models.AssetsSettings);

/** SSH key with access to the appliance. */
export const AuthorizedKey = toObjectSchema(models.AuthorizedKey);

/** Avatar source. */
export const AvatarSettings = toObjectSchema(models.AvatarSettings);

/** CAS authentication. */
export const CasSettings = toObjectSchema(models.CasSettings);

/** Metrics forwarding to collectd. */
export const CollectdSettings = toObjectSchema(models.CollectdSettings);

/** Progress of a configuration run. */
export const ConfigurationStatus = toObjectSchema(models.ConfigurationStatus);

/** Step of a configuration run. */
export const ConfigurationStep = toObjectSchema(models.ConfigurationStep);

/** Settings of an appliance. */
export const ConsoleSettings = toObjectSchema(models.ConsoleSettings);

/** Owner of the appliance. */
export const CustomerSettings = toObjectSchema(models.CustomerSettings);

/** Storage device. */
export const DeviceSettings = toObjectSchema(models.DeviceSettings);

/** Name servers. */
export const DnsSettings = toObjectSchema(models.DnsSettings);

/** The `enterprise` object in the settings. */
export const EnterpriseSettings = toObjectSchema(models.EnterpriseSettings);

/** LDAP authentication. */
export const LdapSettings = toObjectSchema(models.LdapSettings);

/** License of the appliance. `expire_at` is a timestamp with a numeric offset. */
export const LicenseSettings = toObjectSchema(models.LicenseSettings);

/** Time servers. */
export const NtpSettings = toObjectSchema(models.NtpSettings);

/** OAuth authentication. */
export const OAuthSettings = toObjectSchema(models.OAuthSettings);

/** Pages sites of the appliance. */
export const PagesSettings = toObjectSchema(models.PagesSettings);

/** Outgoing email. */
export const SmtpSettings = toObjectSchema(models.SmtpSettings);

/** SNMP monitoring. */
export const SnmpSettings = toObjectSchema(models.SnmpSettings);

/** TLS settings of the appliance. The certificate and key are in PEM format. */
export const SslSettings = toObjectSchema(models.SslSettings);

/** Log forwarding. */
export const SyslogSettings = toObjectSchema(models.SyslogSettings);

/** Time zone. */
export const TimezoneSettings = toObjectSchema(models.TimezoneSettings);
