import type { Model } from '../../schema/model.js';
import type { Call, JsonCall } from '../../transport/call.js';
import { acceptFor, type MediaContext } from '../../transport/http/media-type.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import {
  type Answer,
  type Endpoint,
  endpoint,
  json,
  list,
  nothing,
  unspecified,
} from '../../transport/request/endpoint.js';
import {
  filledText,
  integer,
  nullable,
  oneOf,
  optional,
  type PageInput,
  paging,
  text,
} from '../../transport/request/input.js';
import {
  CommitComment,
  CommitCommentFull,
  CommitCommentHtml,
  CommitCommentText,
} from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  inRepoById,
  type RepoIdInput,
  type RepoInput,
} from './common.js';

/** What a comment is in each variant of its media type. */
export interface CommitCommentVariants {
  /** `body`: the text as it was written, in Markdown. */
  readonly raw: CommitComment;
  /** `body_text`: the text without markup. */
  readonly text: CommitCommentText;
  /** `body_html`: the text rendered to HTML. */
  readonly html: CommitCommentHtml;
  /** All three. */
  readonly full: CommitCommentFull;
}

/** A variant of the media type of comments; undefined is the server's default, which has `body`. */
export type CommitCommentMediaType = keyof CommitCommentVariants | undefined;

/** What a comment is in one variant. */
export type CommitCommentIn<Variant extends CommitCommentMediaType> =
  Variant extends keyof CommitCommentVariants ? CommitCommentVariants[Variant] : CommitComment;

/** Chooses the form in which comments come. */
export interface CommitCommentVariant<
  Variant extends CommitCommentMediaType = CommitCommentMediaType,
> {
  /** `raw` (`body`), `text` (`body_text`), `html` (`body_html`) or `full` (all three). Default: `body`. */
  readonly mediaType?: Variant;
}

/** Input of {@link CommitComments.list}. */
export interface ListCommitComments<Variant extends CommitCommentMediaType = CommitCommentMediaType>
  extends RepoInput,
    PageInput,
    CommitCommentVariant<Variant> {}

/** Input of {@link CommitComments.listForCommit}. */
export interface ListCommentsForCommit<
  Variant extends CommitCommentMediaType = CommitCommentMediaType,
> extends ListCommitComments<Variant> {
  /** SHA of the commit, or a branch or tag that leads to it (which may hold slashes). */
  readonly ref: string;
}

/** Input of {@link CommitComments.create}. */
export interface CreateCommitComment<
  Variant extends CommitCommentMediaType = CommitCommentMediaType,
> extends RepoInput,
    CommitCommentVariant<Variant> {
  /** SHA of the commit to comment on. */
  readonly sha: string;
  /** The text, in Markdown. */
  readonly body: string;
  /** The file to comment on, relative to the repository. Default none: the whole commit. */
  readonly path?: string | null | undefined;
  /** Index of the line in the diff. */
  readonly position?: number | null | undefined;
  /**
   * Line in the file.
   * @deprecated Use `position`.
   */
  readonly line?: number | null | undefined;
}

/** Input of {@link CommitComments.get}. */
export interface GetCommitComment<Variant extends CommitCommentMediaType = CommitCommentMediaType>
  extends RepoIdInput,
    CommitCommentVariant<Variant> {}

/** Input of {@link CommitComments.update}. */
export interface UpdateCommitComment<
  Variant extends CommitCommentMediaType = CommitCommentMediaType,
> extends GetCommitComment<Variant> {
  /** The new text, in Markdown. */
  readonly body: string;
}

type AnyComment = CommitCommentVariants[keyof CommitCommentVariants];

const models: { readonly [V in keyof CommitCommentVariants]: Model<CommitCommentVariants[V]> } = {
  raw: CommitComment,
  text: CommitCommentText,
  html: CommitCommentHtml,
  full: CommitCommentFull,
};

const variant = { mediaType: optional(oneOf(...Object.keys(models))) };

/** What the endpoints have in common: the variant is asked for by `Accept`, and is no field. */
const inVariant = {
  unsent: ['mediaType'],
  accept: (media: MediaContext, { mediaType }: CommitCommentVariant) =>
    mediaType === undefined
      ? acceptFor(media)
      : acceptFor({ ...media, resource: 'commitcomment', variant: mediaType }),
} satisfies Partial<Endpoint<CommitCommentVariant, unknown>>;

function modelOf({ mediaType = 'raw' }: CommitCommentVariant): Model<AnyComment> {
  return models[mediaType];
}

/** The interface specifies the default variant only, which `raw` equals. */
function answerIn<T>({ mediaType = 'raw' }: CommitCommentVariant, answer: Answer<T>): Answer<T> {
  return mediaType === 'raw' ? answer : unspecified(answer);
}

const comment = (input: CommitCommentVariant) => answerIn(input, json(modelOf(input)));
const comments = (input: CommitCommentVariant) => answerIn(input, list(modelOf(input)));

const listComments = endpoint<ListCommitComments>('GET /repos/{owner}/{repo}/comments')({
  operation: 'commitComments.list',
  ...inVariant,
  input: { ...inRepo, ...variant, ...paging },
  answer: comments,
});

const listCommentsForCommit = endpoint<ListCommentsForCommit>(
  'GET /repos/{owner}/{repo}/commits{/ref*}/comments',
)({
  operation: 'commitComments.listForCommit',
  ...inVariant,
  input: { ...inRepo, ref: filledText, ...variant, ...paging },
  answer: comments,
});

const createComment = endpoint<CreateCommitComment>(
  'POST /repos/{owner}/{repo}/commits/{sha}/comments',
)({
  operation: 'commitComments.create',
  ...inVariant,
  input: {
    ...inRepo,
    sha: filledText,
    body: text,
    path: optional(nullable(text)),
    position: optional(nullable(integer(0))),
    line: optional(nullable(integer(0))),
    ...variant,
  },
  answer: comment,
});

const getComment = endpoint<GetCommitComment>('GET /repos/{owner}/{repo}/comments/{id}')({
  operation: 'commitComments.get',
  ...inVariant,
  input: { ...inRepoById, ...variant },
  answer: comment,
});

const updateComment = endpoint<UpdateCommitComment>('PATCH /repos/{owner}/{repo}/comments/{id}')({
  operation: 'commitComments.update',
  ...inVariant,
  input: { ...inRepoById, body: text, ...variant },
  answer: comment,
});

const deleteComment = endpoint<RepoIdInput>('DELETE /repos/{owner}/{repo}/comments/{id}')({
  operation: 'commitComments.delete',
  input: inRepoById,
  answer: nothing,
});

/**
 * Comments on commits. `mediaType` chooses in which form the text
 * comes, and the answer is typed by it: `text` and `html` lack `body`.
 */
export class CommitComments extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/comments`
   *
   * Comments on all commits of a repository, by ascending id.
   * @throws {NotFoundError}
   * @example for await (const each of hosting.commitComments.list({ owner, repo })) console.log(each);
   */
  list<Variant extends CommitCommentMediaType = undefined>(
    input: ListCommitComments<Variant>,
    options?: HostingListOptions,
  ): Paginated<CommitCommentIn<Variant>> {
    // `as`, here and below: the endpoint answers by the variant that was asked for.
    const found = this.api.list(listComments, input, options);
    return found as Paginated<CommitCommentIn<Variant>>;
  }

  /**
   * `GET /repos/{owner}/{repo}/commits/{ref}/comments`
   *
   * Comments on one commit.
   * @throws {NotFoundError}
   * @example for await (const { body } of hosting.commitComments.listForCommit({ owner, repo, ref: 'main' })) console.log(body);
   */
  listForCommit<Variant extends CommitCommentMediaType = undefined>(
    input: ListCommentsForCommit<Variant>,
    options?: HostingListOptions,
  ): Paginated<CommitCommentIn<Variant>> {
    const found = this.api.list(listCommentsForCommit, input, options);
    return found as Paginated<CommitCommentIn<Variant>>;
  }

  /**
   * `POST /repos/{owner}/{repo}/commits/{sha}/comments`
   *
   * Comments on a commit, a file of it, or a line of its diff.
   * @throws {UnprocessableError}
   * @throws {NotFoundError}
   * @example await hosting.commitComments.create({ owner, repo, sha, body: 'Well done' });
   */
  create<Variant extends CommitCommentMediaType = undefined>(
    input: CreateCommitComment<Variant>,
    options?: HostingRequestOptions,
  ): JsonCall<CommitCommentIn<Variant>> {
    const made = this.api.call(createComment, input, options);
    return made as JsonCall<CommitCommentIn<Variant>>;
  }

  /**
   * `GET /repos/{owner}/{repo}/comments/{id}`
   *
   * One comment.
   * @throws {NotFoundError}
   * @example await hosting.commitComments.get({ owner, repo, id: 1 });
   */
  get<Variant extends CommitCommentMediaType = undefined>(
    input: GetCommitComment<Variant>,
    options?: HostingRequestOptions,
  ): JsonCall<CommitCommentIn<Variant>> {
    return this.api.call(getComment, input, options) as JsonCall<CommitCommentIn<Variant>>;
  }

  /**
   * `PATCH /repos/{owner}/{repo}/comments/{id}`
   *
   * Changes the text of a comment.
   * @throws {NotFoundError}
   * @throws {UnprocessableError}
   * @example await hosting.commitComments.update({ owner, repo, id: 1, body: 'Well done' });
   */
  update<Variant extends CommitCommentMediaType = undefined>(
    input: UpdateCommitComment<Variant>,
    options?: HostingRequestOptions,
  ): JsonCall<CommitCommentIn<Variant>> {
    return this.api.call(updateComment, input, options) as JsonCall<CommitCommentIn<Variant>>;
  }

  /**
   * `DELETE /repos/{owner}/{repo}/comments/{id}`
   *
   * Deletes a comment.
   * @throws {NotFoundError}
   * @example await hosting.commitComments.delete({ owner, repo, id: 1 });
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteComment, input, options);
  }
}
