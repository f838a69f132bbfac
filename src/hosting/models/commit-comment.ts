import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullable, ref } from '../../schema/model.js';
import { User } from './user.js';

/** What the comment has in every media type. */
interface CommitCommentBase {
  /** Web page. */
  html_url: string;
  /** API URL of the comment. */
  url: string;
  /** Numeric id. */
  id: number;
  /** The file commented on, relative to the repository; null for a comment on the whole commit. */
  path: string | null;
  /** Index of the line in the diff; null for a comment on the file or the whole commit. */
  position: number | null;
  /** @deprecated Line in the file. Use `position`. */
  line?: number | null | undefined;
  /** SHA of the commit commented on. */
  commit_id: string;
  /** Who wrote it; null when the account is gone. */
  user: User | null;
  /** When it was written, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** When it last changed, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
}

/** A comment on a commit, in the default media type and in `raw`. */
export interface CommitComment extends CommitCommentBase {
  /** The text as it was written, in Markdown; null if it is blank. */
  body: string | null;
}

/** A comment on a commit in the media type variant `text`: without `body`. */
export interface CommitCommentText extends CommitCommentBase {
  /** The text without markup; null if it is blank. */
  body_text: string | null;
}

/** A comment on a commit in the media type variant `html`: without `body`. */
export interface CommitCommentHtml extends CommitCommentBase {
  /** The text rendered to HTML; null if it is blank. */
  body_html: string | null;
}

/** A comment on a commit in the media type variant `full`: the text in all three forms. */
export interface CommitCommentFull extends CommitCommentBase {
  /** The text as it was written, in Markdown; null if it is blank. */
  body: string | null;
  /** The text without markup; null if it is blank. */
  body_text: string | null;
  /** The text rendered to HTML; null if it is blank. */
  body_html: string | null;
}

const base = () => ({
  ...fields(z.string, 'html_url url commit_id created_at updated_at'),
  id: z.int(),
  path: z.nullable(z.string()),
  position: z.nullable(z.int()),
  line: z.nullish(z.int()),
  user: z.nullable(ref(User)),
});

export const CommitComment = model<CommitComment>()('CommitComment', () => ({
  ...base(),
  body: z.nullable(z.string()),
}));

export const CommitCommentText = model<CommitCommentText>()('CommitCommentText', () => ({
  ...base(),
  body_text: z.nullable(z.string()),
}));

export const CommitCommentHtml = model<CommitCommentHtml>()('CommitCommentHtml', () => ({
  ...base(),
  body_html: z.nullable(z.string()),
}));

export const CommitCommentFull = model<CommitCommentFull>()('CommitCommentFull', () => ({
  ...base(),
  ...fields(nullable(z.string), 'body body_text body_html'),
}));
