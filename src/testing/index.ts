export type { ClockData, EmulatorClock } from './clock.js';
export type * from './console/emulator.js';
export { consoleSeed } from './console/emulator.js';
export type { ReceivedPart } from './console/routes.js';
export type { KeyInState } from './console/state.js';
export type { RouteContext, RouteHandler, RouteParams, RouteReply } from './custom-routes.js';
export { dispatcherOver } from './dispatcher.js';
export {
  createEmulator,
  type Emulator,
  type EmulatorAddress,
  type EmulatorOptions,
  type EmulatorStatus,
} from './emulator.js';
export type { Fault, FaultMatcher, FaultOptions } from './faults.js';
export type { DeliveryPolicy, HookDelivery } from './hosting/deliveries.js';
export type { HostingEmulator, HostingRouteContext } from './hosting/emulator.js';
export type * from './hosting/records/accounts.js';
export type { HookData, HookInput, HookRecord } from './hosting/records/hook.js';
export type { NewPull, Pull, PullData, PullSide } from './hosting/records/pull.js';
export type * from './hosting/records/release.js';
export type * from './hosting/records/repository.js';
export type * from './hosting/records/tree.js';
export { seeded } from './hosting/seed.js';
export type * from './hosting/state.js';
export type { RepoName } from './hosting/world.js';
export type { Handler, Listening } from './node-server.js';
export type {
  RecordedBody,
  RecordedExchange,
  RecordedRequest,
  RecordedResponse,
} from './recording/format.js';
export { createRecorder, type Recorder, type RecorderOptions } from './recording/recorder.js';
export { type MissedRequest, type Replay, type ReplayOptions, replay } from './recording/replay.js';
export type { LoggedRequest, SentRequest } from './request-log.js';
export type { EmulatorTlsOptions } from './sites.js';
export type { CaseInState, SupportEmulator, SupportRouteContext } from './support/emulator.js';
export type * from './support/records.js';
export { supportSeed } from './support/seed.js';
export type { Session, Sessions, SupportUser } from './support/sessions.js';
export type { SupportEmulatorOptions, SupportSettings } from './support/settings.js';
export type { SupportState } from './support/state.js';
export { readWorld, writeWorld } from './world/file.js';
export type {
  AccountData,
  ApplicationData,
  AuthorizationData,
  FileData,
  GitData,
  HostingData,
  RepositoryData,
  TeamData,
} from './world/hosting.js';
export type * from './world/world.js';
