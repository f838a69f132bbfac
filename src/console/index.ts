export * from '../public.js';
export type { ConsoleAuth, LicenseFileAuth, LicenseHashAuth, LicensePlace } from './auth.js';
export type { AuthorizedKeyInput, AuthorizedKeys } from './authorized-keys.js';
export { ConsoleClient, type ConsoleClientOptions } from './client.js';
export type { Accepted, ConsoleRequestOptions } from './common.js';
export type {
  ConfigurationRun,
  Configure,
  WaitForConfiguration,
} from './configuration.js';
export type { Maintenance, SetMaintenance } from './maintenance.js';
export * from './models/index.js';
export type {
  InstallOptions,
  StartInstallation,
  UpgradeInstallation,
} from './provisioning.js';
export type { ConsoleSettingsUpdate, Settings } from './settings.js';
export { diffSettings, type SettingsChange } from './settings.js';
export type { SmallFile } from './small-file.js';
