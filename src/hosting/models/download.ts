import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullable } from '../../schema/model.js';

/**
 * File that a repository offers for download.
 * @deprecated The service deprecated downloads on December 11, 2012. Use releases.
 */
export interface Download {
  /** API URL of the download. */
  url: string;
  /** URL that downloads the file in a browser. */
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
  /** Media type. Old downloads may have no media type, or a file extension instead. */
  content_type: string | null;
}

/** @deprecated The service deprecated downloads on December 11, 2012. Use releases. */
export const Download = model<Download>()('Download', () => ({
  ...fields(z.string, 'url html_url name'),
  ...fields(z.int, 'id size download_count'),
  ...fields(nullable(z.string), 'description content_type'),
}));
