import type { Call } from '../transport/call.js';
import { endpoint, json, list, nothing } from '../transport/endpoint.js';
import { paging } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import {
  type HostingCaller,
  type HostingListOptions,
  type HostingRequestOptions,
  inRepo,
  inRepoById,
  type RepoIdInput,
  type RepoListInput,
} from './caller.js';
import { Download } from './models/index.js';

const listDownloads = endpoint<RepoListInput>()({
  operation: 'downloads.list',
  method: 'GET',
  path: '/repos/{owner}/{repo}/downloads',
  input: { ...inRepo, ...paging },
  answer: list(Download),
});

const getDownload = endpoint<RepoIdInput>()({
  operation: 'downloads.get',
  method: 'GET',
  path: '/repos/{owner}/{repo}/downloads/{id}',
  input: inRepoById,
  answer: json(Download),
});

const deleteDownload = endpoint<RepoIdInput>()({
  operation: 'downloads.delete',
  method: 'DELETE',
  path: '/repos/{owner}/{repo}/downloads/{id}',
  input: inRepoById,
  answer: nothing,
});

/**
 * Files offered for download (contract section "Downloads").
 * @deprecated by the service since 11 December 2012: use `releases` and their assets.
 */
export class Downloads {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  /**
   * Downloads of a repository. @throws {NotFoundError}
   * @deprecated Use `releases.listAssets`.
   */
  list(input: RepoListInput, options?: HostingListOptions): Paginated<Download> {
    return this.#caller.list(listDownloads, input, options);
  }

  /**
   * One download. @throws {NotFoundError}
   * @deprecated Use `releases.getAsset`.
   */
  get(input: RepoIdInput, options?: HostingRequestOptions): Call<Download> {
    return this.#caller.call(getDownload, input, options);
  }

  /**
   * Deletes a download. @throws {NotFoundError}
   * @deprecated Use `releases.deleteAsset`.
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(deleteDownload, input, options);
  }
}
