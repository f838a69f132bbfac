import type { Readable } from 'node:stream';
import { ConflictError, InvalidRequestError, UnprocessableError } from '../../errors/index.js';
import { formatCount, isRecord } from '../../schema/unknown-values.js';
import { type Call, createCall, type JsonCall } from '../../transport/api-client.js';
import { download } from '../../transport/download/download.js';
import type { Downloaded, Exactly } from '../../transport/download/forms.js';
import { buildMediaType, type MediaContext } from '../../transport/http/media-type.js';
import { callNames } from '../../transport/options.js';
import {
  defineEndpoint,
  json,
  nullOn404,
  type ResponseSpec,
  unspecified,
} from '../../transport/request/endpoint.js';
import {
  checkInput,
  createInputError,
  filledText,
  oneOf,
  optional,
  type Rule,
  rule,
  text,
} from '../../transport/request/input.js';
import type { WithResponse } from '../../transport/response/response-details.js';
import { ContentFile, ContentResult, FileCommit } from '../models/index.js';
import {
  bytesStream,
  type HostingDownloadOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  person,
  type RepoInput,
} from './common.js';

/** Input of {@link Contents.getReadme}. */
export interface ReadmeInput extends RepoInput {
  /** Commit SHA, branch or tag. Default: the default branch. */
  readonly ref?: string | undefined;
}

/** Input that identifies a file or directory in a repository. */
export interface ContentInput extends ReadmeInput {
  /**
   * Path relative to the repository's root, without a leading or trailing slash. Can't contain
   * control characters or a `.` or `..` segment. `contents.get` accepts `''` for the root.
   */
  readonly path: string;
}

/** Author or committer. The client rejects a person without a name or an email address. */
export interface CommitPerson {
  /** Full name. */
  readonly name: string;
  /** Email address. */
  readonly email: string;
}

/** Input common to all changes to a file. */
export interface FileChange extends RepoInput {
  /** Path relative to the repository's root, without a leading or trailing slash. */
  readonly path: string;
  /** Commit message. */
  readonly message: string;
  /** Branch to commit to. Default: the default branch. */
  readonly branch?: string | undefined;
  /** Committer of the change. Default: the authenticated user. */
  readonly committer?: CommitPerson | undefined;
  /** Author of the change. Default: the committer. */
  readonly author?: CommitPerson | undefined;
}

/** Input of {@link Contents.create}. */
export interface CreateFile extends FileChange {
  /** Content of the file, up to 1 MiB. The client rejects plain strings. */
  readonly content: NewContent;
}

/** Input of {@link Contents.put}, with either `text` or `content`. */
export interface PutFile extends FileChange {
  /** Text of the file, up to 1 MiB. Sent as UTF-8. */
  readonly text?: string | undefined;
  /** Content of the file, up to 1 MiB. The client rejects plain strings. */
  readonly content?: NewContent | undefined;
}

/** Input of {@link Contents.update}. */
export interface UpdateFile extends CreateFile {
  /** Blob SHA of the file to replace. */
  readonly sha: string;
}

/** Input of {@link Contents.delete}. */
export interface DeleteFile extends FileChange {
  /** Blob SHA of the file to delete. */
  readonly sha: string;
}

/** Input of {@link Contents.getArchive}. */
export interface ArchiveInput extends RepoInput {
  /** Archive format: `tarball` (gzip) or `zipball`. */
  readonly archive_format: 'tarball' | 'zipball';
  /** Commit SHA, branch or tag. Branch and tag names can contain slashes. */
  readonly ref: string;
}

/**
 * Content of a file: text (sent as UTF-8), Base64 (as the API returns it), or bytes. A plain string
 * is ambiguous, so it is rejected.
 */
export type NewContent = { readonly text: string } | { readonly base64: string } | Uint8Array;

const newContent: Rule = {
  ...rule(
    '{ text }, { base64 } with valid Base64, or bytes (Uint8Array)',
    (value) => value instanceof Uint8Array || (isRecord(value) && isTextOrBase64(value)),
    { type: 'string', contentEncoding: 'base64' },
  ),
  type: 'object',
  remedy: 'Pass a string as { text } or { base64 }.',
};

function isTextOrBase64(content: Record<string, unknown>): boolean {
  const [[name, value] = [], ...others] = Object.entries(content);
  if (others.length > 0 || typeof value !== 'string') return false;
  return name === 'text'
    ? value.isWellFormed()
    : name === 'base64' && decodeBase64(value) !== undefined;
}

/** Encodes content as Base64 for `contents.create` and `contents.update`. */
function encodeContent(content: NewContent): string {
  if ('base64' in content) return Buffer.from(content.base64, 'base64').toString('base64');
  return Buffer.from('text' in content ? content.text : content).toString('base64');
}

const change = {
  ...inRepo,
  path: filledText,
  message: text,
  branch: optional(filledText),
  committer: optional(person),
  author: optional(person),
};

function fileBody(input: CreateFile): Record<string, unknown> {
  return { ...input, content: encodeContent(input.content) };
}

const raw = (media: MediaContext) => buildMediaType({ ...media, variant: 'raw', json: false });

/**
 * Matches media types of JSON that describes a directory or submodule instead of raw content. Raw
 * content may be labeled `….raw+json`, which must not match.
 */
const description = /^(?:application|text)\/json$|\.(?:v3|beta)\+json$/;

const directory =
  "the body is JSON instead of raw content. If the path is a directory or a submodule, use contents.get. Otherwise, set the vendor option to the vendor name in the server's media types.";

/**
 * Response with a file's unbuffered bytes. Directories and submodules have no raw content, so the
 * server responds with a JSON description, which must not be mistaken for file content.
 */
const rawFileStream: ResponseSpec<Readable> = {
  ...bytesStream,
  typeMismatch: (type, response, accept) =>
    description.test(type) ? directory : bytesStream.typeMismatch(type, response, accept),
};

const getReadme = defineEndpoint<ReadmeInput>('GET /repos/{owner}/{repo}/readme')({
  operation: 'contents.getReadme',
  input: { ...inRepo, ref: optional(filledText) },
  response: json(ContentFile),
});

const getRawReadme = defineEndpoint<ReadmeInput>('GET /repos/{owner}/{repo}/readme')({
  operation: 'contents.getRawReadme',
  input: { ...inRepo, ref: optional(filledText) },
  accept: raw,
  response: rawFileStream,
});

const at = { ...inRepo, path: text, ref: optional(filledText) };

const getContents = defineEndpoint<ContentInput>('GET /repos/{owner}/{repo}/contents{/path*}')({
  operation: 'contents.get',
  input: at,
  emptyPath: true,
  response: json(ContentResult),
});

const getRaw = defineEndpoint<ContentInput>('GET /repos/{owner}/{repo}/contents{/path*}')({
  operation: 'contents.getRaw',
  input: { ...at, path: filledText },
  accept: raw,
  response: rawFileStream,
});

const createFile = defineEndpoint<CreateFile>('PUT /repos/{owner}/{repo}/contents{/path*}')({
  operation: 'contents.create',
  input: { ...change, content: newContent },
  serialize: fileBody,
  response: json(FileCommit),
});

const updateFile = defineEndpoint<UpdateFile>('PUT /repos/{owner}/{repo}/contents{/path*}')({
  operation: 'contents.update',
  input: { ...change, content: newContent, sha: filledText },
  serialize: fileBody,
  response: json(FileCommit),
});

const findFile = defineEndpoint<ContentInput>('GET /repos/{owner}/{repo}/contents{/path*}')({
  operation: 'contents.put',
  input: { ...at, path: filledText },
  response: nullOn404(json(ContentResult)),
});

const putFile = defineEndpoint<CreateFile & { readonly sha: string | undefined }>(
  'PUT /repos/{owner}/{repo}/contents{/path*}',
)({
  operation: 'contents.put',
  input: { ...change, content: newContent, sha: optional(filledText) },
  serialize: fileBody,
  response: json(FileCommit),
});

const deleteFile = defineEndpoint<DeleteFile>('DELETE /repos/{owner}/{repo}/contents{/path*}')({
  operation: 'contents.delete',
  input: { ...change, sha: filledText },
  response: unspecified(json(FileCommit)),
});

const getArchive = defineEndpoint<ArchiveInput>(
  'GET /repos/{owner}/{repo}/{archive_format}{/ref*}',
)({
  operation: 'contents.getArchive',
  input: { ...inRepo, archive_format: oneOf('tarball', 'zipball'), ref: filledText },
  response: bytesStream,
});

/**
 * Files and directories in a repository. Methods that return JSON support files up to 1 MiB. For
 * larger files, use {@link Contents.getRaw}.
 */
export class Contents extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/readme`
   *
   * Returns a repository's README.
   * @throws {NotFoundError} if the repository has no README.
   * @example const { content } = await hosting.contents.getReadme({ owner, repo });
   */
  getReadme(input: ReadmeInput, options?: HostingRequestOptions): JsonCall<ContentFile> {
    return this.api.call(getReadme, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/readme`
   *
   * Downloads the README. Returns a stream by default. To get bytes or save a file, set `as` or
   * `to`.
   * @throws {NotFoundError} if the repository has no README.
   * @example (await hosting.contents.getRawReadme({ owner, repo })).pipe(process.stdout);
   */
  getRawReadme<Options extends HostingDownloadOptions = HostingRequestOptions>(
    input: ReadmeInput,
    options?: Exactly<Options>,
  ): Call<Downloaded<Options>> {
    return download(this.api, getRawReadme, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/contents/{path}`
   *
   * Returns a file, a symlink, a submodule or a directory's entries. Use `Array.isArray` and `type`
   * to distinguish the results. If the path is a symlink to a file in the repository, the result
   * contains that file's content. To decode a file, use `contentBytes` or `contentText`.
   * @throws {NotFoundError} if the path or `ref` doesn't exist.
   * @example const found = await hosting.contents.get({ owner, repo, path: 'docs/guide.md' });
   */
  get(input: ContentInput, options?: HostingRequestOptions): JsonCall<ContentResult> {
    return this.api.call(getContents, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/contents/{path}`
   *
   * Downloads a file. Follows symlinks. Returns a stream by default. To get bytes or save a file,
   * set `as` or `to`.
   * @throws {ResponseBodyError} if the path is a directory or a submodule.
   * @throws {NotFoundError} if the path or `ref` doesn't exist.
   * @example const stream = await hosting.contents.getRaw({ owner, repo, path: 'docs/guide.md' });
   */
  getRaw<Options extends HostingDownloadOptions = HostingRequestOptions>(
    input: ContentInput,
    options?: Exactly<Options>,
  ): Call<Downloaded<Options>> {
    return download(this.api, getRaw, input, options);
  }

  /**
   * `PUT /repos/{owner}/{repo}/contents/{path}`
   *
   * Creates a file in a new commit. To create or replace a file, use {@link put}.
   * @throws {InvalidRequestError} if `content` is a plain string or contains invalid Base64. No
   * request is sent.
   * @throws {UnprocessableError} if the file already exists. To replace the file, use {@link
   * update}.
   * @example await hosting.contents.create({ owner, repo, path: 'notes.txt', message: 'Take notes', content: { text: 'milk' } });
   */
  create(input: CreateFile, options?: HostingRequestOptions): JsonCall<FileCommit> {
    return this.api.call(createFile, input, options);
  }

  /**
   * `PUT /repos/{owner}/{repo}/contents/{path}`
   *
   * Replaces a file in a new commit. If you don't have the file's `sha`, use {@link put}.
   * @throws {InvalidRequestError} if `content` is a plain string or contains invalid Base64. No
   * request is sent.
   * @throws {ConflictError} if the file no longer has this `sha`.
   * @example await hosting.contents.update({ owner, repo, path: 'notes.txt', message: 'Change notes', content: { text: 'milk' }, sha });
   */
  update(input: UpdateFile, options?: HostingRequestOptions): JsonCall<FileCommit> {
    return this.api.call(updateFile, input, options);
  }

  /**
   * `GET` and `PUT /repos/{owner}/{repo}/contents/{path}`
   *
   * Creates or replaces a file in a new commit. The client reads the file's SHA first. If the file is
   * created or changed in the meantime, the client reads the SHA once more and replaces the newer
   * version. To detect changes by others, use {@link update}.
   * @throws {InvalidRequestError} if `text` and `content` are both passed, `content` is a plain
   * string, or the path is a directory. The file stays unchanged.
   * @throws {ConflictError} if the file changes again.
   * @example await hosting.contents.put({ owner, repo, path: 'notes.txt', message: 'Take notes', text: 'milk' });
   */
  put(input: PutFile, options?: HostingRequestOptions): Call<FileCommit> {
    return createCall(this.#put(input, options));
  }

  async #put(input: PutFile, options?: HostingRequestOptions): Promise<WithResponse<FileCommit>> {
    const { operation } = putFile;
    const { text, ...others } = { ...input };
    if (text !== undefined && others.content !== undefined) {
      throw createInputError('text', 'must not be combined with content. Use one.', operation);
    }
    // `as`: `checkInput` rejects input without content.
    const file = { ...others, ...(text !== undefined && { content: { text } }) } as CreateFile;
    checkInput(operation, { ...file }, createFile.input, callNames);
    const { owner, repo, path, branch: ref } = file;
    const put = async () => {
      const found = await this.api.call(findFile, { owner, repo, path, ref }, options);
      if (Array.isArray(found)) {
        throw createInputError('path', 'must be a file (got a directory)', operation);
      }
      return this.api.call(putFile, { ...file, sha: found?.sha }, options).withResponse();
    };
    return put().catch((error: unknown) => {
      // The server rejects a request without a SHA if the file exists.
      const exists = error instanceof UnprocessableError && error.message.includes('"sha"');
      if (exists || error instanceof ConflictError) return put();
      throw error;
    });
  }

  /**
   * `DELETE /repos/{owner}/{repo}/contents/{path}`
   *
   * Deletes a file in a new commit. The result's `content` is null. The client never retries a
   * deletion that the server may have executed.
   * @throws {NotFoundError} if the file doesn't exist.
   * @throws {ConflictError} if the file no longer has this `sha`.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example await hosting.contents.delete({ owner, repo, path: 'notes.txt', message: 'Drop notes', sha });
   */
  delete(input: DeleteFile, options?: HostingRequestOptions): JsonCall<FileCommit> {
    return this.api.call(deleteFile, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/{archive_format}/{ref}`
   *
   * Downloads a tarball or zipball of a repository. Returns a stream by default. To get bytes or
   * save a file, set `as` or `to`. If another host stores the archive, that host receives
   * credentials only if its origin is in `trustedOrigins`.
   * @throws {NotFoundError} if the repository or `ref` doesn't exist.
   * @example const stream = await hosting.contents.getArchive({ owner, repo, archive_format: 'tarball', ref: 'main' });
   */
  getArchive<Options extends HostingDownloadOptions = HostingRequestOptions>(
    input: ArchiveInput,
    options?: Exactly<Options>,
  ): Call<Downloaded<Options>> {
    return download(this.api, getArchive, input, options);
  }
}

/**
 * Returns the bytes of a file from `contents.get` or `contents.getReadme`.
 * @throws {InvalidRequestError} if the content isn't valid Base64, or its length differs from `size`,
 * as for files over 1 MiB. Use `contents.getRaw` for such files.
 */
export function contentBytes(file: ContentFile): Buffer {
  const refuse = (why: string) =>
    new InvalidRequestError(`content of ${file.path}: must ${why}. Use contents.getRaw.`, {
      field: 'content',
    });
  if (file.encoding !== 'base64') {
    throw refuse(`be encoded in Base64 (got encoding ${JSON.stringify(file.encoding)})`);
  }
  const bytes = decodeBase64(file.content ?? '');
  if (bytes?.length === file.size) return bytes;
  throw refuse(`be valid Base64 of ${formatCount(file.size, 'byte')}, as size specifies`);
}

/**
 * Returns the text of a UTF-8 file from `contents.get` or `contents.getReadme`, without a
 * byte-order mark.
 * @throws {InvalidRequestError} under the same conditions as {@link contentBytes}, or if the bytes
 * aren't UTF-8.
 */
export function contentText(file: ContentFile): string {
  const bytes = contentBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidRequestError(`content of ${file.path}: must be UTF-8. Use contentBytes.`, {
      field: 'content',
      cause,
    });
  }
}

/**
 * Decodes Base64 with padding and optional line breaks (RFC 4648). Returns undefined if the text is
 * invalid.
 */
function decodeBase64(text: string): Buffer | undefined {
  const packed = text.replace(/[\r\n]/g, '');
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return undefined;
  return Buffer.from(packed, 'base64');
}
