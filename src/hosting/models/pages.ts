import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, openEnum, ref } from '../../schema/model.js';
import { User } from './user.js';

/** Status of a site or a build. */
export type PagesStatus = 'building' | 'built' | 'errored' | (string & {});

/** A repository's Pages site. */
export interface PagesSite {
  /** API URL of the site. */
  url: string;
  /** Status of the last build. Null before the first build. */
  status: PagesStatus | null;
  /** Custom domain of the site. Null if there is none. */
  cname: string | null;
  /** Whether the site has a custom 404 page. */
  custom_404: boolean;
}

/** Reason why a build failed. */
export interface PagesBuildError {
  /** Human-readable message. Null if the build didn't fail. */
  message: string | null;
}

/** Pages build. */
export interface PagesBuild {
  /** API URL of the build. */
  url: string;
  /** Status of the build. Null before the build starts. */
  status: PagesStatus | null;
  /** Reason why the build failed. */
  error: PagesBuildError | null;
  /** User whose push triggered the build. Null if the account was deleted. */
  pusher: User | null;
  /** SHA of the commit that was built. Null while unknown. */
  commit: string | null;
  /** Duration of the build in milliseconds. Null until the build finishes. */
  duration: number | null;
  /** Start time, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
}

const buildStatus = () => z.nullable(openEnum('building', 'built', 'errored'));

export const PagesSite = model<PagesSite>()('PagesSite', () => ({
  url: z.string(),
  status: buildStatus(),
  cname: z.nullable(z.string()),
  custom_404: z.boolean(),
}));

export const PagesBuildError = model<PagesBuildError>()('PagesBuildError', () => ({
  message: z.nullable(z.string()),
}));

export const PagesBuild = model<PagesBuild>()('PagesBuild', () => ({
  ...fields(z.string, 'url created_at updated_at'),
  status: buildStatus(),
  error: z.nullable(ref(PagesBuildError)),
  pusher: z.nullable(ref(User)),
  commit: z.nullable(z.string()),
  duration: z.nullable(z.int()),
}));
