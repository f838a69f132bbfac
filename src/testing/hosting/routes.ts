import { json } from '../reply.js';
import { Router } from '../router.js';
import { addAdminStats } from './admin-stats.js';
import { addApplications } from './applications.js';
import { addArchiveLinks, addArchives } from './archives.js';
import { addAssetDownloads, addAssets, addUploads } from './assets.js';
import { addAuthorizations } from './authorizations.js';
import { addCommitComments } from './commit-comments.js';
import { addCommits, addDiffPages } from './commits.js';
import { addContents } from './contents.js';
import type { HostingRoute } from './context.js';
import { addGitRefs } from './git-refs.js';
import { addHooks } from './hooks.js';
import { addHub } from './hub.js';
import { addOAuth, type SignedIn } from './oauth.js';
import { addPages } from './pages.js';
import { addPeople } from './people.js';
import { addPulls } from './pulls.js';
import type { HourlyLimits } from './rate-limits.js';
import { addReleases } from './releases.js';
import { addRoot } from './root.js';
import { addServedRecords } from './served-records.js';
import { addStarring } from './starring.js';
import { addTeamMembers } from './team-members.js';
import { addTeams } from './teams.js';

/** Creates the routes for the API. */
export function apiRoutes(
  limits: HourlyLimits,
  assetOrigin: () => string | undefined,
): Router<HostingRoute> {
  const router = new Router<HostingRoute>();
  addRoot(router);
  addPulls(router);
  addReleases(router);
  addAssets(router, assetOrigin);
  addContents(router);
  addArchiveLinks(router);
  addStarring(router);
  addAuthorizations(router);
  addApplications(router);
  addTeams(router);
  addTeamMembers(router);
  addCommitComments(router);
  addCommits(router);
  addGitRefs(router);
  addPages(router);
  addHooks(router);
  addHub(router);
  addServedRecords(router);
  addAdminStats(router);
  addPeople(router);
  router.add('GET /rate_limit', ({ caller }) => {
    const { limit, remaining, reset } = limits.window(caller);
    const core = { limit, remaining, reset };
    return json(200, {
      resources: { core, search: { limit: 30, remaining: 30, reset } },
      rate: core,
    });
  });
  return router;
}

/** Creates the upload routes. Real servers have a separate upload host, but the emulator uses a path. */
export function uploadRoutes(): Router<HostingRoute> {
  const router = new Router<HostingRoute>();
  addUploads(router);
  return router;
}

/** Creates the routes for web pages: the OAuth flow, archives and asset downloads. */
export function webRoutes(signedIn: SignedIn): Router<HostingRoute> {
  const router = new Router<HostingRoute>();
  addOAuth(router, signedIn);
  addArchives(router);
  addAssetDownloads(router);
  addDiffPages(router);
  return router;
}
