export type { EmulatorClock } from './clock.js';
export { type ConsoleEmulator, type ConsoleUpload, consoleSeed } from './console/emulator.js';
export type { ReceivedPart } from './console/multipart.js';
export type { Restart } from './console/run.js';
export type { KeyInState } from './console/state.js';
export { dispatcherOver } from './dispatcher.js';
export {
  createEmulator,
  type Emulator,
  type EmulatorAddress,
  type EmulatorOptions,
} from './emulator.js';
export type { LoggedRequest, SentRequest } from './exchange-log.js';
export type { Fault, FaultMatcher, FaultOptions } from './faults.js';
export type * from './hosting/accounts.js';
export type { Delivery, DeliveryPolicy } from './hosting/deliveries.js';
export type { HostingEmulator } from './hosting/emulator.js';
export type { FileContent, RepoName } from './hosting/repo-builder.js';
export type * from './hosting/repo-state.js';
export { seeded } from './hosting/seed.js';
export type * from './hosting/state.js';
export { dispatcherFromMsw, type MswBridgeOptions } from './msw.js';
export type { Answer } from './node-server.js';
export type { EmulatorStatus } from './status-page.js';
export type { SupportEmulator } from './support/emulator.js';
export type {
  LinkedMessage,
  StoredCase,
  StoredContact,
  StoredRecord,
} from './support/records.js';
export { supportSeed } from './support/seed.js';
export type * from './support/seeds.js';
export type { Session, Sessions, SupportUser } from './support/sessions.js';
export type { SupportEmulatorOptions, SupportSettings } from './support/settings.js';
export type * from './support/state.js';
export type { CaseInState } from './support/world.js';
