import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, openEnum } from '../../schema/model.js';

/** File that a pull request changes. */
export interface PullFile {
  /** SHA of the blob. Null if there is none, for example for a submodule. */
  sha: string | null;
  /** Path relative to the repository's root. */
  filename: string;
  /** Kind of change. */
  status: 'added' | 'removed' | 'modified' | 'renamed' | (string & {});
  /** Number of lines added. */
  additions: number;
  /** Number of lines deleted. */
  deletions: number;
  /** Number of lines added and deleted. */
  changes: number;
  /** URL of the file's web page. Null if there is none. */
  blob_url?: string | null | undefined;
  /** URL of the raw bytes. Null if there are none. */
  raw_url?: string | null | undefined;
  /** API URL of the file's contents. */
  contents_url?: string | null | undefined;
  /** Diff of the file. Absent for binary and very large files. */
  patch?: string | null | undefined;
  /** Path before the file was renamed. */
  previous_filename?: string | null | undefined;
}

export const PullFile = model<PullFile>()('PullFile', () => ({
  sha: z.nullable(z.string()),
  filename: z.string(),
  status: openEnum('added', 'removed', 'modified', 'renamed'),
  ...fields(z.int, 'additions deletions changes'),
  ...fields(nullish(z.string), 'blob_url raw_url contents_url patch previous_filename'),
}));
