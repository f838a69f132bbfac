import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, openEnum, ref } from '../../schema/model.js';
import { User } from './user.js';

/** State of a site or a build: null is not yet built. */
export type PagesStatus = 'building' | 'built' | 'errored' | (string & {});

/** The Pages site of a repository. */
export interface PagesSite {
  /** API URL of the site. */
  url: string;
  /** State of the last build; null when nothing was built yet. */
  status: PagesStatus | null;
  /** The site's own domain; null without one. */
  cname: string | null;
  /** Whether the site has a 404 page of its own. */
  custom_404: boolean;
}

/** Why a build failed. */
export interface PagesBuildError {
  /** A sentence for people; null when the build did not fail. */
  message: string | null;
}

/** A build of a Pages site. */
export interface PagesBuild {
  /** API URL of the build. */
  url: string;
  /** State of the build; null when it was not built yet. */
  status: PagesStatus | null;
  /** Why it failed. */
  error: PagesBuildError | null;
  /** Whose push started it; null when the account is gone. */
  pusher: User | null;
  /** SHA of the commit built; null while it is not known. */
  commit: string | null;
  /** How long it took, in milliseconds; null while it is not finished. */
  duration: number | null;
  /** When it began, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** When it last changed, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
}

const status = () => z.nullable(openEnum('building', 'built', 'errored'));

export const PagesSite = model<PagesSite>()('PagesSite', () => ({
  url: z.string(),
  status: status(),
  cname: z.nullable(z.string()),
  custom_404: z.boolean(),
}));

export const PagesBuildError = model<PagesBuildError>()('PagesBuildError', () => ({
  message: z.nullable(z.string()),
}));

export const PagesBuild = model<PagesBuild>()('PagesBuild', () => ({
  ...fields(z.string, 'url created_at updated_at'),
  status: status(),
  error: z.nullable(ref(PagesBuildError)),
  pusher: z.nullable(ref(User)),
  commit: z.nullable(z.string()),
  duration: z.nullable(z.int()),
}));
