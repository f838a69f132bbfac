import {
  fields,
  model,
  optionalFlag,
  optionalInteger,
  optionalPort,
  optionalText,
  optionalTexts,
} from '../../schema/model.js';

// Settings groups: avatars, customer, license, TLS, sign-in, asset storage and Pages.

/** Avatar source. */
export interface AvatarSettings {
  /** Whether avatars from an external service are shown. */
  enabled?: boolean | null | undefined;
  /** URL of the avatar service. */
  uri?: string | null | undefined;
}

/** Owner of the appliance. */
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

/** LDAP authentication. */
export interface LdapSettings {
  /** Host of the LDAP server. */
  host?: string | null | undefined;
  /** Port of the LDAP server. */
  port?: number | string | null | undefined;
  /** Base DNs to search for users. */
  base?: string[] | null | undefined;
  /** Attribute that contains the login name. */
  uid?: string | null | undefined;
  /** DN used to search for users. */
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

/** CAS authentication. */
export interface CasSettings {
  /** URL of the CAS server. */
  url?: string | null | undefined;
}

/** OAuth authentication. */
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

/** Asset storage. */
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
  enabled: optionalFlag(),
  uri: optionalText(),
}));

export const CustomerSettings = model<CustomerSettings>()('CustomerSettings', () => ({
  ...fields(optionalText, 'name email uuid secret_key_data public_key_data'),
}));

export const LicenseSettings = model<LicenseSettings>()('LicenseSettings', () => ({
  seats: optionalInteger(),
  ...fields(optionalFlag, 'evaluation perpetual unlimited_seating ssh_allowed'),
  ...fields(optionalText, 'expire_at support_key'),
}));

export const SslSettings = model<SslSettings>()('SslSettings', () => ({
  enabled: optionalFlag(),
  ...fields(optionalText, 'cert key'),
}));

export const LdapSettings = model<LdapSettings>()('LdapSettings', () => ({
  ...fields(optionalText, 'host uid bind_dn password method admin_group'),
  port: optionalPort(),
  ...fields(optionalTexts, 'base user_groups'),
}));

export const CasSettings = model<CasSettings>()('CasSettings', () => ({
  url: optionalText(),
}));

export const OAuthSettings = model<OAuthSettings>()('OAuthSettings', () => ({
  ...fields(optionalText, 'client_id client_secret organization_name organization_team'),
}));

export const AssetsSettings = model<AssetsSettings>()('AssetsSettings', () => ({
  ...fields(optionalText, 'storage bucket host_name key_id access_key'),
}));

export const PagesSettings = model<PagesSettings>()('PagesSettings', () => ({
  enabled: optionalFlag(),
}));
