import { json } from '../reply.js';
import { Router } from '../router.js';
import { statisticsRoutes } from './admin-stats.js';
import { applicationRoutes, authorizationRoutes } from './authorizations.js';
import { commentRoutes, commitRoutes } from './commits.js';
import { contentRoutes } from './contents.js';
import type { HostingRoute, HostingRoutes } from './context.js';
import { archiveLinkRoutes, archiveRoutes, downloadRoutes } from './downloads.js';
import { referenceRoutes } from './git-refs.js';
import { hookRoutes, hubRoutes } from './hooks.js';
import { oauthRoutes } from './oauth.js';
import { pagesRoutes } from './pages.js';
import { peopleRoutes } from './people.js';
import { pullRoutes } from './pulls.js';
import { assetDownloadRoutes, assetRoutes, releaseRoutes, uploadRoutes } from './releases.js';
import { starringRoutes } from './starring.js';
import { teamRoutes } from './teams.js';

const rootRoutes: HostingRoutes = {
  /** Returns URLs and URL templates of the API. This route is undocumented. */
  'GET /': ({ api }) =>
    json(200, {
      authorizations_url: `${api}/authorizations`,
      current_user_url: `${api}/user`,
      hooks_url: `${api}/hooks`,
      hub_url: `${api}/hub`,
      organization_url: `${api}/orgs/{org}`,
      rate_limit_url: `${api}/rate_limit`,
      repository_url: `${api}/repos/{owner}/{repo}`,
      user_url: `${api}/users/{user}`,
    }),
  'GET /rate_limit': ({ service, caller }) => {
    const { limit, remaining, reset } = service.limits.window(caller);
    const core = { limit, remaining, reset };
    return json(200, {
      resources: { core, search: { limit: 30, remaining: 30, reset } },
      rate: core,
    });
  },
};

export const apiRouter = new Router<HostingRoute>(
  rootRoutes,
  pullRoutes,
  releaseRoutes,
  assetRoutes,
  contentRoutes,
  archiveLinkRoutes,
  starringRoutes,
  authorizationRoutes,
  applicationRoutes,
  teamRoutes,
  commentRoutes,
  commitRoutes,
  referenceRoutes,
  pagesRoutes,
  hookRoutes,
  hubRoutes,
  downloadRoutes,
  statisticsRoutes,
  peopleRoutes,
);

/** Upload routes. Real servers have a separate upload host, but the emulator uses a path. */
export const uploadRouter = new Router<HostingRoute>(uploadRoutes);

/** Routes of web pages: the OAuth flow, archives, asset downloads and diffs. */
export const webRouter = new Router<HostingRoute>(oauthRoutes, archiveRoutes, assetDownloadRoutes);
