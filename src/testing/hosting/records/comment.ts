import * as check from '../../checks.js';
import { type DataOf, field, type Loose, type RecordOf, record, required } from '../../record.js';
import { dated, headCommit, ownerLogin } from './shared-fields.js';

export const commentKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** SHA of the commit that the comment is on. */
  sha: headCommit,
  /** Text of the comment in Markdown. */
  body: required(check.text()),
  /** Path of the file that the comment is on. Null for a comment on the whole commit. */
  path: field(check.nullText(), null),
  /** Line index in the diff. */
  position: field(check.nullCount(), null),
  /** Line number in the file. */
  line: field(check.nullCount(), null),
  /** Login of the author. */
  login: ownerLogin,
  ...dated,
});

/** A comment on a commit. */
export interface CommentRecord extends RecordOf<typeof commentKind> {}

/** A comment in a world file. */
export interface CommentData extends DataOf<typeof commentKind> {}

/** Properties of a new comment. `sha` defaults to the head of the default branch. */
export type CommentInput = Loose<Omit<CommentRecord, 'id' | 'body' | 'updatedAt'>>;
