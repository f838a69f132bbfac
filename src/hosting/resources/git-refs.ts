import type { Call, JsonCall } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { defineEndpoint, json, list, noContent } from '../../transport/request/endpoint.js';
import {
  createInputError,
  filledText,
  flag,
  optional,
  type PageInput,
  paging,
  text,
} from '../../transport/request/input.js';
import { GitReference } from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  type RepoInput,
} from './common.js';

/** Name of a reference without `refs/`, such as `heads/<branch>`, `tags/<tag>` or `stash`. */
export type GitRefName =
  | `heads/${string}`
  | `tags/${string}`
  | `notes/${string}`
  | `pull/${string}`
  | `remotes/${string}`
  | 'stash';

/** Input that identifies a reference. */
export interface GitRefInput extends RepoInput {
  /**
   * Name of the reference without `refs/`, such as `heads/<branch>` or `tags/<tag>`. Branch and tag
   * names can contain slashes. The type covers only common namespaces. For other namespaces, cast
   * the name: `` `changes/${id}` as GitRefName ``.
   */
  readonly ref: GitRefName;
}

/** Input of {@link GitRefs.list}. */
export interface ListGitRefs extends RepoInput, PageInput {
  /**
   * Prefix of the references to list, without `refs/`, such as `tags` or `heads/feature`. A leading
   * slash is ignored. Default: all references.
   */
  readonly namespace?: string | undefined;
}

/** Input of {@link GitRefs.create}. */
export interface CreateGitRef extends RepoInput {
  /**
   * Fully qualified name with at least two slashes, such as `refs/heads/<branch>` or
   * `refs/tags/<tag>`.
   */
  readonly ref: `refs/${string}/${string}`;
  /** SHA-1 of the object that the reference points to. */
  readonly sha: string;
}

/** Input of {@link GitRefs.update}. */
export interface UpdateGitRef extends GitRefInput {
  /** SHA-1 of the object that the reference will point to. */
  readonly sha: string;
  /**
   * Whether to allow updates that aren't fast-forwards, which can discard commits. Default: false.
   */
  readonly force?: boolean | undefined;
}

/** Rejects names that start with `refs/` and names without a namespace (except `stash`). */
function checkRef(operation: string, { ref }: GitRefInput): void {
  if (ref.startsWith('refs/')) {
    const why = `must not start with 'refs/'. Use '${ref.slice('refs/'.length)}'.`;
    throw createInputError('ref', why, operation);
  }
  if (!ref.includes('/') && ref !== 'stash') {
    const why = `must be 'heads/<branch>' or 'tags/<tag>' (got '${ref}'). For a branch, use 'heads/${ref}'.`;
    throw createInputError('ref', why, operation);
  }
}

function checkFullRef({ ref }: CreateGitRef): void {
  if (/^refs.*\/.*\//s.test(ref)) return;
  const hint = /^(?:heads|tags|notes)\/./.test(ref) ? `. Use 'refs/${ref}'.` : '';
  const why = `must be fully qualified, such as 'refs/heads/<branch>' or 'refs/tags/<tag>' (got '${ref}')${hint}`;
  throw createInputError('ref', why, 'gitRefs.create');
}

/** Describes the problem if the server sends an array because only longer names match. */
function severalNames(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  return `no reference has this exact name, but ${value.length === 1 ? 'one longer name starts' : `${value.length} longer names start`} with it. To list the references, use gitRefs.list with a namespace.`;
}

const inRef = { ...inRepo, ref: filledText };

const getRef = defineEndpoint<GitRefInput>('GET /repos/{owner}/{repo}/git/refs{/ref*}')({
  operation: 'gitRefs.get',
  input: inRef,
  check: (input) => checkRef('gitRefs.get', input),
  response: { ...json(GitReference), mismatch: severalNames },
});

const listRefs = defineEndpoint<ListGitRefs>('GET /repos/{owner}/{repo}/git/refs{/namespace*}')({
  operation: 'gitRefs.list',
  emptyPath: true,
  input: { ...inRepo, namespace: optional(text), ...paging },
  response: list(GitReference),
});

const createRef = defineEndpoint<CreateGitRef>('POST /repos/{owner}/{repo}/git/refs')({
  operation: 'gitRefs.create',
  input: { ...inRef, sha: filledText },
  check: checkFullRef,
  response: json(GitReference),
});

const updateRef = defineEndpoint<UpdateGitRef>('PATCH /repos/{owner}/{repo}/git/refs{/ref*}')({
  operation: 'gitRefs.update',
  input: { ...inRef, sha: filledText, force: optional(flag) },
  check: (input) => checkRef('gitRefs.update', input),
  response: json(GitReference),
});

const deleteRef = defineEndpoint<GitRefInput>('DELETE /repos/{owner}/{repo}/git/refs{/ref*}')({
  operation: 'gitRefs.delete',
  input: inRef,
  check: (input) => checkRef('gitRefs.delete', input),
  response: noContent,
});

/**
 * Git references. Refer to an existing reference as `heads/<branch>` or `tags/<tag>`. To create a
 * reference, pass its full name, `refs/heads/<branch>` or `refs/tags/<tag>`.
 */
export class GitRefs extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/git/refs/{ref}`
   *
   * Returns a branch, tag or other reference.
   * @throws {InvalidRequestError} if `ref` starts with `refs/`, or has no slash and isn't `stash`.
   * @throws {ResponseShapeError} if only references with longer names match, because the server
   * then responds with a list.
   * @throws {NotFoundError} if no reference matches.
   * @example const found = await hosting.gitRefs.get({ owner, repo, ref: 'heads/main' });
   */
  get(input: GitRefInput, options?: HostingRequestOptions): JsonCall<GitReference> {
    return this.api.call(getRef, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/git/refs/{namespace}`
   *
   * Lists the references in a repository or in one of its namespaces, including notes and stashes.
   * @throws {NotFoundError} if the repository or the namespace doesn't exist.
   * @throws {ConflictError} if the repository is empty.
   * @example for await (const { ref } of hosting.gitRefs.list({ owner, repo })) console.log(ref);
   */
  list(input: ListGitRefs, options?: HostingListOptions): Paginated<GitReference> {
    const namespace = input?.namespace;
    const bare =
      typeof namespace === 'string' ? { ...input, namespace: namespace.replace(/^\//, '') } : input;
    return this.api.list(listRefs, bare, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/git/refs`
   *
   * Creates a branch, tag or other reference.
   * @throws {InvalidRequestError} if `ref` doesn't start with `refs` or has fewer than two
   * slashes.
   * @throws {UnprocessableError} if the name is invalid, the reference already exists, or the object
   * doesn't exist.
   * @example await hosting.gitRefs.create({ owner, repo, ref: 'refs/heads/topic', sha });
   */
  create(input: CreateGitRef, options?: HostingRequestOptions): JsonCall<GitReference> {
    return this.api.call(createRef, input, options);
  }

  /**
   * `PATCH /repos/{owner}/{repo}/git/refs/{ref}`
   *
   * Moves a reference to another object.
   * @throws {InvalidRequestError} if `ref` starts with `refs/`, or has no slash and isn't `stash`.
   * @throws {UnprocessableError} if the reference or object doesn't exist, or the update isn't a
   * fast-forward and `force` isn't set.
   * @example await hosting.gitRefs.update({ owner, repo, ref: 'heads/topic', sha });
   */
  update(input: UpdateGitRef, options?: HostingRequestOptions): JsonCall<GitReference> {
    return this.api.call(updateRef, input, options);
  }

  /**
   * `DELETE /repos/{owner}/{repo}/git/refs/{ref}`
   *
   * Deletes a branch, tag or other reference.
   * @throws {InvalidRequestError} if `ref` starts with `refs/`, or has no slash and isn't `stash`.
   * @throws {UnprocessableError} if the reference doesn't exist.
   * @example await hosting.gitRefs.delete({ owner, repo, ref: 'heads/main' });
   */
  delete(input: GitRefInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteRef, input, options);
  }
}
