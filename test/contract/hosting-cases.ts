import type { HostingCase } from './case.js';
import { authorizations } from './rows/authorizations-oauth.js';
import { hooks, hub } from './rows/hooks-hub.js';
import { pulls } from './rows/pulls.js';
import { downloads, pages, releases } from './rows/releases-pages.js';
import { commitComments, contents, gitRefs } from './rows/repository-content.js';
import { adminStats, rateLimit } from './rows/server.js';
import { starring, teams } from './rows/teams-starring.js';

/** All cases for the hosting API. */
export const hostingCases: readonly HostingCase[] = [
  ...adminStats,
  ...authorizations,
  ...commitComments,
  ...contents,
  ...downloads,
  ...gitRefs,
  ...hooks,
  ...hub,
  ...pages,
  ...pulls,
  ...rateLimit,
  ...releases,
  ...starring,
  ...teams,
];
