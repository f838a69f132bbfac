import { fields } from '../../schema/fields.js';
import { model } from '../../schema/model.js';
import { count, flag, port, text, texts } from './setting-fields.js';

// Groups of the settings: what users meet, and how they sign in.

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

export const AvatarSettings = model<AvatarSettings>()('AvatarSettings', () => ({
  enabled: flag(),
  uri: text(),
}));

export const CustomerSettings = model<CustomerSettings>()('CustomerSettings', () => ({
  ...fields(text, 'name email uuid secret_key_data public_key_data'),
}));

export const LicenseSettings = model<LicenseSettings>()('LicenseSettings', () => ({
  seats: count(),
  ...fields(flag, 'evaluation perpetual unlimited_seating ssh_allowed'),
  ...fields(text, 'expire_at support_key'),
}));

export const SslSettings = model<SslSettings>()('SslSettings', () => ({
  enabled: flag(),
  ...fields(text, 'cert key'),
}));

export const LdapSettings = model<LdapSettings>()('LdapSettings', () => ({
  ...fields(text, 'host uid bind_dn password method admin_group'),
  port: port(),
  ...fields(texts, 'base user_groups'),
}));

export const CasSettings = model<CasSettings>()('CasSettings', () => ({
  url: text(),
}));

export const OAuthSettings = model<OAuthSettings>()('OAuthSettings', () => ({
  ...fields(text, 'client_id client_secret organization_name organization_team'),
}));

export const AssetsSettings = model<AssetsSettings>()('AssetsSettings', () => ({
  ...fields(text, 'storage bucket host_name key_id access_key'),
}));

export const PagesSettings = model<PagesSettings>()('PagesSettings', () => ({
  enabled: flag(),
}));
