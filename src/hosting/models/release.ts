import * as z from 'zod/mini';
import { fields, model, nullable, nullish, openEnum, ref } from '../../schema/model.js';
import { User } from './repository.js';

/** File attached to a release. */
export interface ReleaseAsset {
  /** API URL of the asset. */
  url: string;
  /** URL for downloading the file in a browser. Absent on 2013-era servers. */
  browser_download_url?: string | null | undefined;
  /** Numeric ID. */
  id: number;
  /** File name. */
  name: string;
  /** Text shown instead of the name. Null or empty if the asset has no label. */
  label?: string | null | undefined;
  /** State of the asset. `uploaded` assets can be downloaded. */
  state: 'uploaded' | 'open' | (string & {});
  /** Media type set by the upload. Null if blank. */
  content_type: string | null;
  /** Size in bytes. */
  size: number;
  /** Number of downloads. */
  download_count: number;
  /** Time of the upload, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
  /**
   * User who uploaded the file. May be null if the account was deleted. Absent on 2013-era servers.
   */
  uploader?: User | null | undefined;
}

/** Release of a repository. Timestamps have the format `YYYY-MM-DDTHH:MM:SSZ`. */
export interface Release {
  /** API URL of the release. */
  url: string;
  /** URL of the release page. */
  html_url: string;
  /** API URL of the assets. */
  assets_url: string;
  /**
   * URI template for uploading assets. Ends in `{?name}` or, on newer servers, `{?name,label}`.
   * Some 2013-era servers send a plain URL. Pass the value to `releases.uploadAsset` unchanged.
   */
  upload_url: string;
  /** URL of the source as a tarball. May be null for drafts. Absent on 2013-era servers. */
  tarball_url?: string | null | undefined;
  /** URL of the source as a zip file. May be null for drafts. Absent on 2013-era servers. */
  zipball_url?: string | null | undefined;
  /** Numeric ID. */
  id: number;
  /** Name of the git tag. The tag of a draft might not exist yet. */
  tag_name: string;
  /** Branch or commit to create the tag from if the tag doesn't exist. Null if blank. */
  target_commitish: string | null;
  /** Title of the release. Null or empty if the release has no title. */
  name: string | null;
  /** Release notes in Markdown. Null or empty if the release has no notes. */
  body?: string | null | undefined;
  /** Whether the release is unpublished. Only callers with push access see drafts. */
  draft: boolean;
  /** Whether the release is marked as not ready for production. */
  prerelease: boolean;
  /** Date of the tagged commit on most servers. */
  created_at: string;
  /** Time of publication. Null for drafts. */
  published_at: string | null;
  /** Author of the release. May be null if the account was deleted. Absent on 2013-era servers. */
  author?: User | null | undefined;
  /** Attached files. Absent on some 2013-era servers. */
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

/**
 * File that a repository offers for download.
 * @deprecated The service deprecated downloads on December 11, 2012. Use releases.
 */
export interface Download {
  /** API URL of the download. */
  url: string;
  /** URL for downloading the file in a browser. */
  html_url: string;
  /** Numeric ID. */
  id: number;
  /** File name. */
  name: string;
  /** One-line description. */
  description: string | null;
  /** Size in bytes. */
  size: number;
  /** Number of downloads. */
  download_count: number;
  /** Media type. For old downloads, this field may be empty or contain a file extension. */
  content_type: string | null;
}

/** @deprecated The service deprecated downloads on December 11, 2012. Use releases. */
export const Download = model<Download>()('Download', () => ({
  ...fields(z.string, 'url html_url name'),
  ...fields(z.int, 'id size download_count'),
  ...fields(nullable(z.string), 'description content_type'),
}));
