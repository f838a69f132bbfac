export * from '../public.js';
export type {
  Downloaded,
  DownloadedFile,
  DownloadOptions,
  DownloadProgress,
  DownloadResult,
  Exactly,
} from '../transport/download/forms.js';
export type { ApiVersion } from '../transport/http/media-type.js';
export type {
  ApplicationAuth,
  BasicAuth,
  HostingAuth,
  HostingCredentials,
  NoAuth,
  TokenAuth,
} from './auth/schemes.js';
export * from './auth/scopes.js';
export { HostingClient, type HostingClientOptions } from './client.js';
export * from './models/index.js';
export type { OAuthFormat } from './oauth/responses.js';
export { checkRedirectUri, type OAuthCallback } from './oauth/responses.js';
export type {
  AuthorizeInput,
  AuthorizeUrl,
  ExchangeInput,
  OAuthToken,
  OAuthWebFlowOptions,
} from './oauth/web-flow.js';
export { OAuthWebFlow } from './oauth/web-flow.js';
export type * from './resources/admin-stats.js';
export type * from './resources/authorizations.js';
export type * from './resources/commit-comments.js';
export type {
  HostingDownloadOptions,
  HostingListOptions,
  HostingRequestOptions,
  RepoIdInput,
  RepoInput,
  RepoListInput,
} from './resources/common.js';
export type * from './resources/contents.js';
export { contentBytes, contentText } from './resources/contents.js';
export type * from './resources/git-refs.js';
export type * from './resources/hooks.js';
export type * from './resources/pages.js';
export type * from './resources/pulls.js';
export type * from './resources/rate-limit.js';
export type * from './resources/releases.js';
export type * from './resources/starring.js';
export type * from './resources/teams.js';
export type { UploadAsset, UploadOptions } from './resources/upload-asset.js';
