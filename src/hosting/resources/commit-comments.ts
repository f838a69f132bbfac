import type { Model } from '../../schema/model.js';
import type { Call, JsonCall } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import {
  defineEndpoint,
  json,
  list,
  noContent,
  type ResponseSpec,
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
  inVariant,
  type RepoIdInput,
  type RepoInput,
} from './common.js';

/** Comment types by media type variant. */
export interface CommitCommentVariants {
  /** Original Markdown, in `body`. */
  readonly raw: CommitComment;
  /** Text without markup, in `body_text`. */
  readonly text: CommitCommentText;
  /** Text rendered to HTML, in `body_html`. */
  readonly html: CommitCommentHtml;
  /** All three formats, in `body`, `body_text` and `body_html`. */
  readonly full: CommitCommentFull;
}

/** Media type variant of comments. Undefined selects the server's default, which has `body`. */
export type CommitCommentMediaType = keyof CommitCommentVariants | undefined;

/** Type of a comment for a media type variant. */
export type CommitCommentIn<Variant extends CommitCommentMediaType> =
  Variant extends keyof CommitCommentVariants ? CommitCommentVariants[Variant] : CommitComment;

/** Option that selects the text format of comments. */
export interface CommitCommentVariant<
  Variant extends CommitCommentMediaType = CommitCommentMediaType,
> {
  /**
   * Format of the comment's text: `raw` returns `body`, `text` returns `body_text`, `html` returns
   * `body_html`, and `full` returns all three fields. Default: `raw`.
   */
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
  /** Commit SHA, branch or tag. Branch and tag names can contain slashes. */
  readonly ref: string;
}

/** Input of {@link CommitComments.create}. */
export interface CreateCommitComment<
  Variant extends CommitCommentMediaType = CommitCommentMediaType,
> extends RepoInput,
    CommitCommentVariant<Variant> {
  /** SHA of the commit to comment on. */
  readonly sha: string;
  /** Text of the comment, in Markdown. */
  readonly body: string;
  /**
   * Path of the file to comment on, relative to the repository's root. Default: none, so the
   * comment applies to the whole commit.
   */
  readonly path?: string | null | undefined;
  /** Index of the line in the diff. */
  readonly position?: number | null | undefined;
  /**
   * Number of the line in the file.
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
  /** New text of the comment, in Markdown. */
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

/** Accepts any JSON for variants other than `raw`, because the API doesn't specify them. */
function variantResponse<T>(describe: (model: Model<AnyComment>) => ResponseSpec<T>) {
  return ({ mediaType = 'raw' }: CommitCommentVariant): ResponseSpec<T> =>
    mediaType === 'raw' ? describe(models.raw) : unspecified(describe(models[mediaType]));
}

const comment = variantResponse<AnyComment>(json);
const comments = variantResponse<AnyComment[]>(list);

const listComments = defineEndpoint<ListCommitComments>('GET /repos/{owner}/{repo}/comments')({
  operation: 'commitComments.list',
  ...inVariant('commitcomment'),
  input: { ...inRepo, ...variant, ...paging },
  response: comments,
});

const listCommentsForCommit = defineEndpoint<ListCommentsForCommit>(
  'GET /repos/{owner}/{repo}/commits{/ref*}/comments',
)({
  operation: 'commitComments.listForCommit',
  ...inVariant('commitcomment'),
  input: { ...inRepo, ref: filledText, ...variant, ...paging },
  response: comments,
});

const createComment = defineEndpoint<CreateCommitComment>(
  'POST /repos/{owner}/{repo}/commits/{sha}/comments',
)({
  operation: 'commitComments.create',
  ...inVariant('commitcomment'),
  input: {
    ...inRepo,
    sha: filledText,
    body: text,
    path: optional(nullable(text)),
    position: optional(nullable(integer(0))),
    line: optional(nullable(integer(0))),
    ...variant,
  },
  response: comment,
});

const getComment = defineEndpoint<GetCommitComment>('GET /repos/{owner}/{repo}/comments/{id}')({
  operation: 'commitComments.get',
  ...inVariant('commitcomment'),
  input: { ...inRepoById, ...variant },
  response: comment,
});

const updateComment = defineEndpoint<UpdateCommitComment>(
  'PATCH /repos/{owner}/{repo}/comments/{id}',
)({
  operation: 'commitComments.update',
  ...inVariant('commitcomment'),
  input: { ...inRepoById, body: text, ...variant },
  response: comment,
});

const deleteComment = defineEndpoint<RepoIdInput>('DELETE /repos/{owner}/{repo}/comments/{id}')({
  operation: 'commitComments.delete',
  input: inRepoById,
  response: noContent,
});

/**
 * Comments on commits. `mediaType` selects the text's format and thus the result's type. Comments
 * in the `text` and `html` variants have no `body`.
 */
export class CommitComments extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/comments`
   *
   * Lists the comments on all commits in a repository, sorted by ID in ascending order.
   * @throws {NotFoundError} if the repository doesn't exist.
   * @example for await (const each of hosting.commitComments.list({ owner, repo })) console.log(each);
   */
  list<Variant extends CommitCommentMediaType = 'raw'>(
    input: ListCommitComments<Variant>,
    options?: HostingListOptions,
  ): Paginated<CommitCommentIn<Variant>> {
    // `as`, here and below: the type of the result depends on the requested variant.
    const found = this.api.list(listComments, input, options);
    return found as Paginated<CommitCommentIn<Variant>>;
  }

  /**
   * `GET /repos/{owner}/{repo}/commits/{ref}/comments`
   *
   * Lists the comments on a commit.
   * @throws {NotFoundError} if the repository or commit doesn't exist.
   * @example for await (const { body } of hosting.commitComments.listForCommit({ owner, repo, ref: 'main' })) console.log(body);
   */
  listForCommit<Variant extends CommitCommentMediaType = 'raw'>(
    input: ListCommentsForCommit<Variant>,
    options?: HostingListOptions,
  ): Paginated<CommitCommentIn<Variant>> {
    const found = this.api.list(listCommentsForCommit, input, options);
    return found as Paginated<CommitCommentIn<Variant>>;
  }

  /**
   * `POST /repos/{owner}/{repo}/commits/{sha}/comments`
   *
   * Creates a comment on a commit, one of its files, or a line of its diff.
   * @throws {UnprocessableError} if a field is invalid or the commit doesn't exist.
   * @throws {NotFoundError} if the repository doesn't exist.
   * @example await hosting.commitComments.create({ owner, repo, sha, body: 'Well done' });
   */
  create<Variant extends CommitCommentMediaType = 'raw'>(
    input: CreateCommitComment<Variant>,
    options?: HostingRequestOptions,
  ): JsonCall<CommitCommentIn<Variant>> {
    const made = this.api.call(createComment, input, options);
    return made as JsonCall<CommitCommentIn<Variant>>;
  }

  /**
   * `GET /repos/{owner}/{repo}/comments/{id}`
   *
   * Returns a comment.
   * @throws {NotFoundError} if the comment doesn't exist.
   * @example const { body } = await hosting.commitComments.get({ owner, repo, id: 1 });
   */
  get<Variant extends CommitCommentMediaType = 'raw'>(
    input: GetCommitComment<Variant>,
    options?: HostingRequestOptions,
  ): JsonCall<CommitCommentIn<Variant>> {
    return this.api.call(getComment, input, options) as JsonCall<CommitCommentIn<Variant>>;
  }

  /**
   * `PATCH /repos/{owner}/{repo}/comments/{id}`
   *
   * Replaces a comment's text.
   * @throws {NotFoundError} if the comment doesn't exist.
   * @throws {UnprocessableError} if the text is invalid.
   * @example await hosting.commitComments.update({ owner, repo, id: 1, body: 'Well done' });
   */
  update<Variant extends CommitCommentMediaType = 'raw'>(
    input: UpdateCommitComment<Variant>,
    options?: HostingRequestOptions,
  ): JsonCall<CommitCommentIn<Variant>> {
    return this.api.call(updateComment, input, options) as JsonCall<CommitCommentIn<Variant>>;
  }

  /**
   * `DELETE /repos/{owner}/{repo}/comments/{id}`
   *
   * Deletes a comment.
   * @throws {NotFoundError} if the comment doesn't exist.
   * @example await hosting.commitComments.delete({ owner, repo, id: 1 });
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteComment, input, options);
  }
}
