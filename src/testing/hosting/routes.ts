import { Router } from '../router.js';
import { statisticsRoutes } from './admin-stats.js';
import { archiveLinkRoutes, archiveRoutes } from './archives.js';
import { assetDownloadRoutes, assetRoutes, uploadRoutes } from './assets.js';
import { applicationRoutes, authorizationRoutes } from './authorizations.js';
import { commentRoutes } from './commit-comments.js';
import { commitRoutes, diffPageRoutes } from './commits.js';
import { contentRoutes } from './contents.js';
import type { HostingRoute } from './context.js';
import { downloadRoutes } from './downloads.js';
import { referenceRoutes } from './git-refs.js';
import { hookRoutes } from './hooks.js';
import { hubRoutes } from './hub.js';
import { oauthRoutes } from './oauth.js';
import { pagesRoutes } from './pages.js';
import { peopleRoutes } from './people.js';
import { pullRoutes } from './pulls.js';
import { releaseRoutes } from './releases.js';
import { rateLimitRoutes, rootRoutes } from './root.js';
import { starringRoutes } from './starring.js';
import { teamRoutes } from './teams.js';

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
  rateLimitRoutes,
);

/** Upload routes. Real servers have a separate upload host, but the emulator uses a path. */
export const uploadRouter = new Router<HostingRoute>(uploadRoutes);

/** Routes of web pages: the OAuth flow, archives, asset downloads and diffs. */
export const webRouter = new Router<HostingRoute>(
  oauthRoutes,
  archiveRoutes,
  assetDownloadRoutes,
  diffPageRoutes,
);
