import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullable, ref } from '../../schema/model.js';
import { User } from './user.js';

/** Fields that a comment has in every media type. */
interface CommitCommentBase {
  /** URL of the comment's web page. */
  html_url: string;
  /** API URL of the comment. */
  url: string;
  /** Numeric ID. */
  id: number;
  /** Path of the file, relative to the repository's root. Null for a comment on the whole commit. */
  path: string | null;
  /** Line index in the diff. Null for a comment on the file or the whole commit. */
  position: number | null;
  /**
   * Line number in the file.
   * @deprecated Use `position`.
   */
  line?: number | null | undefined;
  /** SHA of the commit. */
  commit_id: string;
  /** Author of the comment. Null if the account was deleted. */
  user: User | null;
  /** Creation time, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
}

/** Commit comment in the default media type or its `raw` variant. */
export interface CommitComment extends CommitCommentBase {
  /** Original Markdown. Null if blank. */
  body: string | null;
}

/** Commit comment in the `text` media type variant. It has no `body`. */
export interface CommitCommentText extends CommitCommentBase {
  /** Text without markup. Null if blank. */
  body_text: string | null;
}

/** Commit comment in the `html` media type variant. It has no `body`. */
export interface CommitCommentHtml extends CommitCommentBase {
  /** Text rendered to HTML. Null if blank. */
  body_html: string | null;
}

/**
 * Commit comment in the `full` media type variant, with the text as Markdown, plain text and HTML.
 */
export interface CommitCommentFull extends CommitCommentBase {
  /** Original Markdown. Null if blank. */
  body: string | null;
  /** Text without markup. Null if blank. */
  body_text: string | null;
  /** Text rendered to HTML. Null if blank. */
  body_html: string | null;
}

const commentFields = () => ({
  ...fields(z.string, 'html_url url commit_id created_at updated_at'),
  id: z.int(),
  path: z.nullable(z.string()),
  position: z.nullable(z.int()),
  line: z.nullish(z.int()),
  user: z.nullable(ref(User)),
});

export const CommitComment = model<CommitComment>()('CommitComment', () => ({
  ...commentFields(),
  body: z.nullable(z.string()),
}));

export const CommitCommentText = model<CommitCommentText>()('CommitCommentText', () => ({
  ...commentFields(),
  body_text: z.nullable(z.string()),
}));

export const CommitCommentHtml = model<CommitCommentHtml>()('CommitCommentHtml', () => ({
  ...commentFields(),
  body_html: z.nullable(z.string()),
}));

export const CommitCommentFull = model<CommitCommentFull>()('CommitCommentFull', () => ({
  ...commentFields(),
  ...fields(nullable(z.string), 'body body_text body_html'),
}));
