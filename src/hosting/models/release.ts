import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullable, nullish, openEnum, ref } from '../../schema/model.js';
import { User } from './user.js';

/** A file attached to a release. */
export interface ReleaseAsset {
  /** API URL of the asset. */
  url: string;
  /** Where a browser downloads it. Absent on servers of 2013. */
  browser_download_url?: string | null | undefined;
  /** Numeric id. */
  id: number;
  /** File name. */
  name: string;
  /** Text shown in place of the name, or null. */
  label?: string | null | undefined;
  /** `uploaded` when it can be downloaded. */
  state: 'uploaded' | 'open' | (string & {});
  /** Media type, as given at the upload; null if it is blank. */
  content_type: string | null;
  /** Size in bytes. */
  size: number;
  /** How often it was downloaded. */
  download_count: number;
  /** When it was uploaded, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** When it last changed, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
  /** Who uploaded it. Absent on servers of 2013; null when the account is gone. */
  uploader?: User | null | undefined;
}

/** A release. Timestamps are `YYYY-MM-DDTHH:MM:SSZ`. */
export interface Release {
  /** API URL of the release. */
  url: string;
  /** Web page. */
  html_url: string;
  /** API URL of its assets. */
  assets_url: string;
  /** URI template of the endpoint that creates assets, ending in `{?name}`. `releases.uploadAsset` takes it as it is. */
  upload_url: string;
  /** URL of the source as a tarball; null for drafts. Absent on servers of 2013. */
  tarball_url?: string | null | undefined;
  /** URL of the source as a zip file; null for drafts. Absent on servers of 2013. */
  zipball_url?: string | null | undefined;
  /** Numeric id. */
  id: number;
  /** The git tag. Drafts may have one that does not exist yet. */
  tag_name: string;
  /** Branch or commit that the tag is made from, when it does not exist; null if it is blank. */
  target_commitish: string | null;
  /** Title; null when none was given. */
  name: string | null;
  /** Text in Markdown; null when none was given. */
  body?: string | null | undefined;
  /** Whether it is still unpublished. Only callers with push access see drafts. */
  draft: boolean;
  /** Whether it is marked as not ready for production. */
  prerelease: boolean;
  /** Date of the tagged commit. */
  created_at: string;
  /** When it was published; null for drafts. */
  published_at: string | null;
  /** Who made it. Absent on servers of 2013; null when the account is gone. */
  author?: User | null | undefined;
  /** Attached files. Absent on servers of 2013. */
  assets?: ReleaseAsset[] | null | undefined;
}

export const ReleaseAsset = model<ReleaseAsset>()('ReleaseAsset', () => ({
  ...fields(z.string, 'url name created_at updated_at'),
  content_type: z.nullable(z.string()),
  ...fields(nullish(z.string), 'browser_download_url label'),
  ...fields(z.int, 'id size download_count'),
  state: openEnum('uploaded', 'open'),
  uploader: z.nullish(ref(User)),
}));

export const Release = model<Release>()('Release', () => ({
  ...fields(z.string, 'url html_url assets_url upload_url tag_name created_at'),
  ...fields(nullish(z.string), 'tarball_url zipball_url body'),
  id: z.int(),
  ...fields(nullable(z.string), 'target_commitish name published_at'),
  ...fields(z.boolean, 'draft prerelease'),
  author: z.nullish(ref(User)),
  assets: z.nullish(z.array(ref(ReleaseAsset))),
}));
