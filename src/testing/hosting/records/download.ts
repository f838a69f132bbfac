import * as check from '../../checks.js';
import { type DataOf, field, type Loose, type RecordOf, record, required } from '../../record.js';

export const downloadKind = record({
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
});

/** A download (deprecated by the service). */
export interface DownloadRecord extends RecordOf<typeof downloadKind> {}

/** A download in a world file. */
export interface DownloadData extends DataOf<typeof downloadKind> {}

/** Properties of a new download. */
export type DownloadInput = Loose<Omit<DownloadRecord, 'id' | 'name'>>;
