import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, openEnum } from '../../schema/model.js';

/**
 * A file that a pull request changes.
 * @remarks Known from the public v3 documentation.
 */
export interface PullFile {
  /** SHA of the blob; null where there is none, as for a submodule. */
  sha: string | null;
  /** Path from the repository's root. */
  filename: string;
  /** What happened to the file. */
  status: 'added' | 'removed' | 'modified' | 'renamed' | (string & {});
  /** Number of lines added. */
  additions: number;
  /** Number of lines deleted. */
  deletions: number;
  /** Lines added and deleted together. */
  changes: number;
  /** Web page of the file; null where there is none. */
  blob_url?: string | null | undefined;
  /** URL of the raw bytes; null where there are none. */
  raw_url?: string | null | undefined;
  /** API URL of the contents. */
  contents_url?: string | null | undefined;
  /** The diff of the file; absent for binary and very large files. */
  patch?: string | null | undefined;
  /** Path before a rename. */
  previous_filename?: string | null | undefined;
}

export const PullFile = model<PullFile>()('PullFile', () => ({
  sha: z.nullable(z.string()),
  filename: z.string(),
  status: openEnum('added', 'removed', 'modified', 'renamed'),
  ...fields(z.int, 'additions deletions changes'),
  ...fields(nullish(z.string), 'blob_url raw_url contents_url patch previous_filename'),
}));
