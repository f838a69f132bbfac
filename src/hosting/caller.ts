import type { AuthOptions, Caller } from '../transport/caller.js';
import { filledText, id, type PageInput } from '../transport/input.js';
import type { ListOptions } from '../transport/paginated.js';
import type { HostingAuth } from './auth.js';

/** What every resource of the hosting API calls through. */
export type HostingCaller = Caller<HostingAuth>;

/** Options of one call; `auth` overrides the client's credentials. */
export type HostingRequestOptions = AuthOptions<HostingAuth>;

/** Options of a list. */
export type HostingListOptions = HostingRequestOptions & ListOptions;

/** Names a repository. */
export interface RepoInput {
  /** Login of the user or organization. */
  readonly owner: string;
  /** Name of the repository, without the owner. */
  readonly repo: string;
}

/** Names a repository and a page of a list in it. */
export interface RepoListInput extends RepoInput, PageInput {}

/** Names something in a repository by its numeric id. */
export interface RepoIdInput extends RepoInput {
  readonly id: number;
}

/** Rules of {@link RepoInput}. */
export const inRepo = { owner: filledText, repo: filledText };

/** Rules of {@link RepoIdInput}. */
export const inRepoById = { ...inRepo, id };
