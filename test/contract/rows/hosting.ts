import type { HostingCase } from '../case.js';
import { authorizations } from './authorizations-oauth.js';
import { hooks, hub } from './hooks-hub.js';
import { pulls } from './pulls.js';
import { downloads, pages, releases } from './releases-pages.js';
import { commitComments, contents, gitRefs } from './repository-content.js';
import { adminStats, rateLimit } from './server.js';
import { starring, teams } from './teams-starring.js';

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
