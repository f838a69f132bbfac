import { InvalidRequestError } from '../errors.js';
import type { Call } from '../transport/call.js';
import { endpoint, json, list, nothing } from '../transport/endpoint.js';
import { filledText, flag, optional, type PageInput, paging } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import {
  type HostingCaller,
  type HostingListOptions,
  type HostingRequestOptions,
  inRepo,
  type RepoInput,
} from './caller.js';
import { GitReference } from './models/index.js';

/** Names a reference. */
export interface GitRefInput extends RepoInput {
  /** `heads/<branch>` or `tags/<tag>`, slashes in the name included; without `refs/` in front. */
  readonly ref: string;
}

/** Input of {@link GitRefs.list}. */
export interface ListGitRefs extends RepoInput, PageInput {
  /** Only references below it: `tags`, `heads`, `notes`, `heads/feature`. Default all. */
  readonly namespace?: string | undefined;
}

/** Input of {@link GitRefs.create}. */
export interface CreateGitRef extends RepoInput {
  /** Fully qualified: `refs/heads/<branch>`, `refs/tags/<tag>`; with at least two slashes. */
  readonly ref: string;
  /** SHA-1 of the object it points to. */
  readonly sha: string;
}

/** Input of {@link GitRefs.update}. */
export interface UpdateGitRef extends GitRefInput {
  /** SHA-1 of the object it shall point to. */
  readonly sha: string;
  /** True moves it wherever to, and may lose commits. Default false: fast-forward updates only. */
  readonly force?: boolean | undefined;
}

/** A reference below `refs/`. What stands in `refs/` itself has no slash: the stash. */
function checkRef(operation: string, { ref }: GitRefInput): void {
  if (ref.startsWith('refs/')) {
    throw new InvalidRequestError(
      `${operation}: ref: expected it without 'refs/' in front: write '${ref.slice('refs/'.length)}'`,
      'ref',
    );
  }
  if (!ref.includes('/') && ref !== 'stash') {
    throw new InvalidRequestError(
      `${operation}: ref: expected 'heads/<branch>' or 'tags/<tag>': write 'heads/${ref}' for the branch`,
      'ref',
    );
  }
}

function checkFullRef({ ref }: CreateGitRef): void {
  if (/^refs\/[^/]+\/./.test(ref)) return;
  const hint = /^(?:heads|tags|notes)\/./.test(ref) ? `: write 'refs/${ref}'` : '';
  throw new InvalidRequestError(
    `gitRefs.create: ref: expected it fully qualified, as 'refs/heads/<branch>' or 'refs/tags/<tag>'${hint}`,
    'ref',
  );
}

/** A prefix of several names is answered with all of them (`public-facts.md`). */
function severalNames(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  return `there is no reference of that very name, but ${value.length} that begin like it; gitRefs.list with a namespace gives them`;
}

const inRef = { ...inRepo, ref: filledText };

const getRef = endpoint<GitRefInput>()({
  operation: 'gitRefs.get',
  method: 'GET',
  path: '/repos/{owner}/{repo}/git/refs{/ref*}',
  input: inRef,
  check: (input) => checkRef('gitRefs.get', input),
  answer: { ...json(GitReference), mismatch: severalNames },
});

const listRefs = endpoint<ListGitRefs>()({
  operation: 'gitRefs.list',
  method: 'GET',
  path: '/repos/{owner}/{repo}/git/refs{/namespace*}',
  emptyPath: true,
  input: { ...inRepo, namespace: optional(filledText), ...paging },
  check: ({ namespace }) => {
    if (namespace?.startsWith('refs/') !== true) return;
    throw new InvalidRequestError(
      `gitRefs.list: namespace: expected it without 'refs/' in front: write '${namespace.slice('refs/'.length)}'`,
      'namespace',
    );
  },
  answer: list(GitReference),
});

const createRef = endpoint<CreateGitRef>()({
  operation: 'gitRefs.create',
  method: 'POST',
  path: '/repos/{owner}/{repo}/git/refs',
  input: { ...inRef, sha: filledText },
  check: checkFullRef,
  answer: json(GitReference),
});

const updateRef = endpoint<UpdateGitRef>()({
  operation: 'gitRefs.update',
  method: 'PATCH',
  path: '/repos/{owner}/{repo}/git/refs{/ref*}',
  input: { ...inRef, sha: filledText, force: optional(flag) },
  check: (input) => checkRef('gitRefs.update', input),
  answer: json(GitReference),
});

const deleteRef = endpoint<GitRefInput>()({
  operation: 'gitRefs.delete',
  method: 'DELETE',
  path: '/repos/{owner}/{repo}/git/refs{/ref*}',
  input: inRef,
  check: (input) => checkRef('gitRefs.delete', input),
  answer: nothing,
});

/**
 * Git references (contract section "Git references"). One that exists is named `heads/<branch>` or
 * `tags/<tag>`; a new one `refs/heads/<branch>` or `refs/tags/<tag>`, as the server wants it.
 */
export class GitRefs {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  /**
   * One reference.
   * @throws {InvalidRequestError} a `ref` with `refs/` in front, or without a slash.
   * @throws {ResponseShapeError} there is none of that very name, and the server answered with those that
   * begin like it.
   * @throws {NotFoundError}
   */
  get(input: GitRefInput, options?: HostingRequestOptions): Call<GitReference> {
    return this.#caller.call(getRef, input, options);
  }

  /** Every reference of the repository or of one namespace, notes and stashes included. @throws {NotFoundError} @throws {ConflictError} an empty repository. */
  list(input: ListGitRefs, options?: HostingListOptions): Paginated<GitReference> {
    return this.#caller.list(listRefs, input, options);
  }

  /**
   * Makes a branch, a tag or another reference.
   * @throws {InvalidRequestError} a `ref` that does not begin with `refs/` or has fewer than two slashes.
   * @throws {UnprocessableError} it exists, or the object does not.
   */
  create(input: CreateGitRef, options?: HostingRequestOptions): Call<GitReference> {
    return this.#caller.call(createRef, input, options);
  }

  /**
   * Points a reference to another object.
   * @throws {InvalidRequestError} a `ref` with `refs/` in front, or without a slash.
   * @throws {UnprocessableError} no such reference or object, or no fast-forward without `force`.
   */
  update(input: UpdateGitRef, options?: HostingRequestOptions): Call<GitReference> {
    return this.#caller.call(updateRef, input, options);
  }

  /**
   * Deletes a reference.
   * @throws {InvalidRequestError} a `ref` with `refs/` in front, or without a slash.
   * @throws {UnprocessableError} no such reference.
   */
  delete(input: GitRefInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(deleteRef, input, options);
  }
}
