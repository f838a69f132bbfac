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
export type { AuthorizeInput, AuthorizeUrl, ExchangeInput, OAuthToken } from './oauth.js';
export { OAuthWebFlow } from './oauth.js';
export type { OAuthCallback } from './oauth-callback.js';
export { checkRedirectUri } from './oauth-redirect.js';
export type { OAuthWebFlowOptions } from './oauth-settings.js';
export type { OAuthFormat } from './oauth-token.js';
export type * from './pulls.js';
export type { RepoIdListInput, UpdateAsset } from './release-assets.js';
export type * from './releases.js';
export {
  impliedScopes,
  type KnownScope,
  missingScopes,
  normalizeScopes,
  type Scope,
  scopeImplications,
} from './scopes.js';
export type * from './starring.js';
export type { UploadAsset, UploadOptions } from './upload-asset.js';
