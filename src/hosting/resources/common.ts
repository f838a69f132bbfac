import { type ApiClient, Resource } from '../../transport/api-client.js';
import type { AuthOptions } from '../../transport/call-settings.js';
import type { DownloadOptions } from '../../transport/download/forms.js';
import type { ListOptions } from '../../transport/pagination/paginated.js';
import { id, name, type PageInput } from '../../transport/request/input.js';
import type { HostingAuth } from '../auth/schemes.js';

/** What every resource of the hosting API calls through. */
export type HostingApi = ApiClient<HostingAuth>;

/** Methods of one resource. */
export abstract class HostingResource extends Resource<HostingAuth> {}

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

/** Rules of {@link RepoInput}. */
export const inRepo = { owner: name, repo: name };

/** Rules of {@link RepoIdInput}. */
export const inRepoById = { ...inRepo, id };
