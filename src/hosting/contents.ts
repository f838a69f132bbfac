import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../errors.js';
import type { Call } from '../transport/call.js';
import { endpoint, json } from '../transport/endpoint.js';
import { filledText, oneOf, optional, record, rule, text } from '../transport/input.js';
import { acceptFor } from '../transport/media-type.js';
import { bytesStream, rawFileStream } from './byte-answers.js';
import {
  type HostingCaller,
  type HostingRequestOptions,
  inRepo,
  type RepoInput,
} from './caller.js';
import { decodeBase64, encodeContent } from './file-content.js';
import { ContentFile, ContentResult, FileCommit } from './models/index.js';

/** Input of {@link Contents.getReadme}. */
export interface ReadmeInput extends RepoInput {
  /** Commit, branch or tag; default the default branch. */
  readonly ref?: string | undefined;
}

/** Names an entry of a repository. */
export interface ContentInput extends ReadmeInput {
  /** Path from the root without a leading slash, any characters: `docs/a#b?.md` is that file. `''` is the root. */
  readonly path: string;
}

/** Who made a commit; the server answers 500 where one of the two is missing. */
export interface CommitPerson {
  readonly name: string;
  readonly email: string;
}

/** What every change of a file takes. */
export interface FileChange extends RepoInput {
  /** Path from the root without a leading slash. */
  readonly path: string;
  /** The commit message. */
  readonly message: string;
  /** Default the default branch. */
  readonly branch?: string | undefined;
  /** Default the authenticated user. */
  readonly committer?: CommitPerson | undefined;
  /** Default the committer. */
  readonly author?: CommitPerson | undefined;
}

/** Input of {@link Contents.create}. */
export interface CreateFile extends FileChange {
  /** Bytes, encoded for you, or a Base64 string. Text: `Buffer.from(text)`. */
  readonly content: Uint8Array | string;
}

/** Input of {@link Contents.update}. */
export interface UpdateFile extends CreateFile {
  /** Blob SHA of the file that is replaced. */
  readonly sha: string;
}

/** Input of {@link Contents.delete}. */
export interface DeleteFile extends FileChange {
  /** Blob SHA of the file that is deleted. */
  readonly sha: string;
}

/** Input of {@link Contents.getArchive}. */
export interface ArchiveInput extends RepoInput {
  readonly archive_format: 'tarball' | 'zipball';
  /** Commit, branch or tag. */
  readonly ref: string;
}

const change = {
  ...inRepo,
  path: filledText,
  message: filledText,
  branch: optional(filledText),
  committer: optional(record),
  author: optional(record),
};

const encoded = rule(
  'bytes (Uint8Array) or a Base64 string; for text use Buffer.from(text)',
  (value) =>
    value instanceof Uint8Array || (typeof value === 'string' && decodeBase64(value) !== undefined),
);

function checkPeople(operation: string, input: FileChange): void {
  for (const role of ['committer', 'author'] as const) {
    const person = input[role];
    if (person === undefined) continue;
    for (const part of ['name', 'email'] as const) {
      if (typeof person[part] === 'string' && person[part] !== '') continue;
      const field = `${role}.${part}`;
      throw new InvalidRequestError(
        `${operation}: ${field}: expected a string that is not empty; the server answers 500 without it`,
        field,
      );
    }
  }
}

function fileBody(
  input: FileChange & { content?: Uint8Array | string; sha?: string },
): Record<string, unknown> {
  const { message, content, sha, branch, committer, author } = input;
  return {
    message,
    content: content === undefined ? undefined : encodeContent(content),
    sha,
    branch,
    committer: committer && { name: committer.name, email: committer.email },
    author: author && { name: author.name, email: author.email },
  };
}

const getReadme = endpoint<ReadmeInput>()({
  operation: 'contents.getReadme',
  method: 'GET',
  path: '/repos/{owner}/{repo}/readme',
  input: { ...inRepo, ref: optional(filledText) },
  answer: json(ContentFile),
});

const at = { ...inRepo, path: text, ref: optional(filledText) };

const getContents = endpoint<ContentInput>()({
  operation: 'contents.get',
  method: 'GET',
  path: '/repos/{owner}/{repo}/contents{/path*}',
  input: at,
  emptyPath: true,
  answer: json(ContentResult),
});

const getRaw = endpoint<ContentInput>()({
  operation: 'contents.getRaw',
  method: 'GET',
  path: '/repos/{owner}/{repo}/contents{/path*}',
  input: { ...at, path: filledText },
  accept: (media) => acceptFor({ ...media, variant: 'raw', json: false }),
  answer: rawFileStream,
});

const createFile = endpoint<CreateFile>()({
  operation: 'contents.create',
  method: 'PUT',
  path: '/repos/{owner}/{repo}/contents{/path*}',
  input: { ...change, content: encoded },
  check: (input) => checkPeople('contents.create', input),
  wire: fileBody,
  answer: json(FileCommit),
});

const updateFile = endpoint<UpdateFile>()({
  operation: 'contents.update',
  method: 'PUT',
  path: '/repos/{owner}/{repo}/contents{/path*}',
  input: { ...change, content: encoded, sha: filledText },
  check: (input) => checkPeople('contents.update', input),
  wire: fileBody,
  answer: json(FileCommit),
});

const deleteFile = endpoint<DeleteFile>()({
  operation: 'contents.delete',
  method: 'DELETE',
  path: '/repos/{owner}/{repo}/contents{/path*}',
  input: { ...change, sha: filledText },
  check: (input) => checkPeople('contents.delete', input),
  wire: fileBody,
  answer: json(FileCommit),
});

const getArchive = endpoint<ArchiveInput>()({
  operation: 'contents.getArchive',
  method: 'GET',
  path: '/repos/{owner}/{repo}/{archive_format}{/ref*}',
  input: { ...inRepo, archive_format: oneOf('tarball', 'zipball'), ref: filledText },
  answer: bytesStream,
});

/** Files and directories of a repository (contract section "Contents"). Files up to 1 MB; {@link Contents.getRaw} streams. */
export class Contents {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  /** The README of a repository. @throws {NotFoundError} it has none. */
  getReadme(input: ReadmeInput, options?: HostingRequestOptions): Call<ContentFile> {
    return this.#caller.call(getReadme, input, options);
  }

  /**
   * A file (also through a symlink), the entries of a directory, a symlink or a submodule; tell them
   * apart by `Array.isArray` and `type`. `contentBytes` and `contentText` decode a file.
   * @throws {NotFoundError}
   */
  get(input: ContentInput, options?: HostingRequestOptions): Call<ContentResult> {
    return this.#caller.call(getContents, input, options);
  }

  /**
   * The bytes of a file or symlink as a stream; nothing is buffered.
   * @throws {ResponseBodyError} the path is a directory or a submodule.
   * @throws {NotFoundError}
   */
  getRaw(input: ContentInput, options?: HostingRequestOptions): Call<Readable> {
    return this.#caller.call(getRaw, input, options);
  }

  /** Creates a file by a commit. @throws {UnprocessableError} the file exists (then `sha` is wanted: {@link update}). */
  create(input: CreateFile, options?: HostingRequestOptions): Call<FileCommit> {
    return this.#caller.call(createFile, input, options);
  }

  /** Replaces a file by a commit. @throws {ConflictError} the file is no longer the one with this `sha`. */
  update(input: UpdateFile, options?: HostingRequestOptions): Call<FileCommit> {
    return this.#caller.call(updateFile, input, options);
  }

  /**
   * Deletes a file by a commit; `content` of the answer is null. Never sent twice.
   * @remarks Outside the service contract; public v3 documentation.
   */
  delete(input: DeleteFile, options?: HostingRequestOptions): Call<FileCommit> {
    return this.#caller.call(deleteFile, input, options);
  }

  /**
   * A tarball or zipball of a repository as a stream. The server sends elsewhere for it; the
   * credentials do not go along.
   * @remarks Outside the service contract; public v3 documentation.
   */
  getArchive(input: ArchiveInput, options?: HostingRequestOptions): Call<Readable> {
    return this.#caller.call(getArchive, input, options);
  }
}
