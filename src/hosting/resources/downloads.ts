import type { Call, JsonCall } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { defineEndpoint, json, list, noContent } from '../../transport/request/endpoint.js';
import { paging } from '../../transport/request/input.js';
import { Download } from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  inRepoById,
  type RepoIdInput,
  type RepoListInput,
} from './common.js';

const listDownloads = defineEndpoint<RepoListInput>('GET /repos/{owner}/{repo}/downloads')({
  operation: 'downloads.list',
  input: { ...inRepo, ...paging },
  response: list(Download),
});

const getDownload = defineEndpoint<RepoIdInput>('GET /repos/{owner}/{repo}/downloads/{id}')({
  operation: 'downloads.get',
  input: inRepoById,
  response: json(Download),
});

const deleteDownload = defineEndpoint<RepoIdInput>('DELETE /repos/{owner}/{repo}/downloads/{id}')({
  operation: 'downloads.delete',
  input: inRepoById,
  response: noContent,
});

/**
 * Files that a repository offers for download.
 * @deprecated The service deprecated downloads on December 11, 2012. Use `releases` and their
 * assets.
 */
export class Downloads extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/downloads`
   *
   * Lists a repository's downloads.
   * @throws {NotFoundError} if the repository doesn't exist.
   * @deprecated Use `releases.listAssets`.
   * @example for await (const each of hosting.downloads.list({ owner, repo })) console.log(each);
   */
  list(input: RepoListInput, options?: HostingListOptions): Paginated<Download> {
    return this.api.list(listDownloads, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/downloads/{id}`
   *
   * Returns a download's metadata.
   * @throws {NotFoundError} if the download doesn't exist.
   * @deprecated Use `releases.getAsset`.
   * @example await hosting.downloads.get({ owner, repo, id: 1 });
   */
  get(input: RepoIdInput, options?: HostingRequestOptions): JsonCall<Download> {
    return this.api.call(getDownload, input, options);
  }

  /**
   * `DELETE /repos/{owner}/{repo}/downloads/{id}`
   *
   * Deletes a download.
   * @throws {NotFoundError} if the download doesn't exist.
   * @deprecated Use `releases.deleteAsset`.
   * @example await hosting.downloads.delete({ owner, repo, id: 1 });
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteDownload, input, options);
  }
}
