import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullable } from '../../schema/model.js';

/**
 * A file offered for download.
 * @deprecated Downloads are deprecated by the service since 11 December 2012: use releases.
 */
export interface Download {
  /** API URL of the download. */
  url: string;
  /** Where a browser downloads it. */
  html_url: string;
  /** Numeric id. */
  id: number;
  /** File name. */
  name: string;
  /** One line of text. */
  description: string | null;
  /** Size in bytes. */
  size: number;
  /** How often it was downloaded. */
  download_count: number;
  /** Media type; old downloads may have none, or a file extension. */
  content_type: string | null;
}

/** @deprecated Downloads are deprecated by the service since 11 December 2012: use releases. */
export const Download = model<Download>()('Download', () => ({
  ...fields(z.string, 'url html_url name'),
  ...fields(z.int, 'id size download_count'),
  ...fields(nullable(z.string), 'description content_type'),
}));
