export * from '../public.js';
export type {
  ApplicationAuth,
  BasicAuth,
  HostingAuth,
  HostingCredentials,
  NoAuth,
  TokenAuth,
} from './auth.js';
export type {
  HostingListOptions,
  HostingRequestOptions,
  RepoIdInput,
  RepoInput,
  RepoListInput,
} from './caller.js';
export { HostingClient, type HostingClientOptions } from './client.js';
export type * from './contents.js';
export { contentBytes, contentText } from './file-content.js';
export * from './models/index.js';
export type * from './pulls.js';
export type { RepoIdListInput, UpdateAsset } from './release-assets.js';
export type * from './releases.js';
export type * from './starring.js';
export type { UploadAsset, UploadOptions } from './upload-asset.js';
