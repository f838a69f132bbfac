import type { ApiClient, AuthOptions } from '../../transport/api-client.js';
import type { DownloadOptions } from '../../transport/download/forms.js';
import type { ListOptions } from '../../transport/pagination/paginated.js';
import { id, type PageInput, rule } from '../../transport/request/input.js';
import type { HostingAuth } from '../auth/schemes.js';

/** What every resource of the hosting API calls through. */
export type HostingApi = ApiClient<HostingAuth>;

/** Options of one call; `auth` overrides the client's credentials. */
export type HostingRequestOptions = AuthOptions<HostingAuth>;

/** Options of a list. */
export type HostingListOptions = HostingRequestOptions & ListOptions;

/** Options of a download: the form of its bytes, or the file that gets them. */
export type HostingDownloadOptions = DownloadOptions<HostingAuth>;

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
  /** Numeric id. */
  readonly id: number;
}

/** A login, or the name of a repository: `owner/name` in one of them would be a repository that is never found. */
export const name = rule(
  "a name without '/': owner and repository are given by themselves",
  (value) => typeof value === 'string' && /^[^/]+$/.test(value),
);

/** Rules of {@link RepoInput}. */
export const inRepo = { owner: name, repo: name };

/** Rules of {@link RepoIdInput}. */
export const inRepoById = { ...inRepo, id };
