export * from '../public.js';
export type {
  AdminStatistics,
  AdminStatsInput,
  AdminStatsOf,
  AdminStatsScope,
} from './admin-stats.js';
export type * from './applications.js';
export type {
  ApplicationAuth,
  BasicAuth,
  HostingAuth,
  HostingCredentials,
  NoAuth,
  TokenAuth,
} from './auth.js';
export type * from './authorizations.js';
export type {
  HostingListOptions,
  HostingRequestOptions,
  RepoIdInput,
  RepoInput,
  RepoListInput,
} from './caller.js';
export { HostingClient, type HostingClientOptions } from './client.js';
export type * from './commit-comments.js';
export type * from './contents.js';
export type * from './downloads.js';
export { contentBytes, contentText } from './file-content.js';
export type * from './git-refs.js';
export type { HookSetting, HookSettings } from './hook-config.js';
export type * from './hooks.js';
export type * from './hub.js';
export * from './models/index.js';
export type { AuthorizeInput, AuthorizeUrl, ExchangeInput, OAuthToken } from './oauth.js';
export { OAuthWebFlow } from './oauth.js';
export type { OAuthCallback } from './oauth-callback.js';
export { checkRedirectUri } from './oauth-redirect.js';
export type { OAuthWebFlowOptions } from './oauth-settings.js';
export type { OAuthFormat } from './oauth-token.js';
export type * from './pages.js';
export type * from './pulls.js';
export type * from './rate-limit.js';
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
export type { TeamInput, TeamListInput, TeamMemberInput } from './team-members.js';
export type { AddTeamRepo, TeamRepoInput } from './team-repos.js';
export type * from './teams.js';
export type { UploadAsset, UploadOptions } from './upload-asset.js';
