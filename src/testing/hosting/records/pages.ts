import * as z from 'zod/mini';
import * as check from '../../checks.js';
import { children, type DataOf, field, type Loose, type RecordOf, record } from '../../record.js';
import { headCommit, ownerLogin } from './shared-fields.js';

export const pagesBuildKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** Status of the build. */
  status: field(z.nullable(z.enum(['building', 'built', 'errored'])), 'built'),
  /** Reason for the failure. */
  error: field(check.nullText(), null),
  /** Login of the user who pushed the commit. */
  login: ownerLogin,
  /** SHA of the commit. */
  commit: headCommit,
  /** Duration in ms. */
  duration: field(check.count(), 2000),
  /** Start time in ISO 8601. */
  createdAt: field(check.time(), ({ now }) => now),
  /** End time in ISO 8601. */
  updatedAt: field(check.time(), ({ now }) => now),
});

/** A Pages build. */
export interface PagesBuildRecord extends RecordOf<typeof pagesBuildKind> {}

/** A Pages build in a world file. */
export interface PagesBuildData extends DataOf<typeof pagesBuildKind> {}

/** Properties of a new Pages build. */
export type PagesBuildInput = Loose<
  Pick<PagesBuildRecord, 'status' | 'error' | 'login' | 'duration' | 'createdAt'>
>;

export const pagesKind = record({
  /** Custom domain of the site. */
  cname: field(check.nullText(), null),
  /** Whether the site has a custom 404 page. */
  custom404: field(check.flag(), false),
  /** Builds, oldest first. */
  builds: children<PagesBuildRecord, PagesBuildData>(pagesBuildKind),
});

/** A repository's Pages site. */
export interface PagesRecord extends RecordOf<typeof pagesKind> {}

/** A Pages site in a world file. */
export interface PagesData extends DataOf<typeof pagesKind> {}
