import * as check from '../../checks.js';
import { type DataOf, field, type Loose, type RecordOf, record, required } from '../../record.js';
import { served } from './served.js';

export const downloadKind = served(
  record({
    /** Numeric ID. */
    id: field(check.id(), ({ id }) => id),
    /** File name. */
    name: required(check.name()),
    /** Description. */
    description: field(check.nullText(), null),
    /** Size in bytes. */
    size: field(check.count(), 1024),
    /** Number of downloads. */
    downloads: field(check.count(), 0),
    /** Media type. */
    contentType: field(check.nullText(), null),
    /** Creation time in ISO 8601. */
    createdAt: field(check.time(), ({ now }) => now),
  }),
  {
    resource: 'Download',
    first: 'newest',
    render: (download, { origin, repo }) => ({
      html_url: `${origin}/downloads/${repo}/${encodeURIComponent(download.name)}`,
      id: download.id,
      name: download.name,
      description: download.description,
      size: download.size,
      download_count: download.downloads,
      content_type: download.contentType,
      created_at: download.createdAt,
    }),
  },
);

/** A download (deprecated by the service). */
export interface DownloadRecord extends RecordOf<typeof downloadKind> {}

/** A download in a world file. */
export interface DownloadData extends DataOf<typeof downloadKind> {}

/** Properties of a new download. */
export type DownloadInput = Loose<Omit<DownloadRecord, 'id' | 'name'>>;
