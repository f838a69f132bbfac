import type { Readable } from 'node:stream';
import type { Call } from '../transport/call.js';
import { endpoint, json, list, nothing } from '../transport/endpoint.js';
import { filledText, optional, type PageInput, paging, text } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import { bytesStream } from './byte-answers.js';
import {
  type HostingCaller,
  type HostingListOptions,
  type HostingRequestOptions,
  inRepoById,
  type RepoIdInput,
} from './caller.js';
import { ReleaseAsset } from './models/index.js';

/** Names a release and a page of the list of its assets. */
export interface RepoIdListInput extends RepoIdInput, PageInput {}

/** Input of `releases.updateAsset`. */
export interface UpdateAsset extends RepoIdInput {
  readonly name?: string | undefined;
  readonly label?: string | undefined;
}

const listAssets = endpoint<RepoIdListInput>()({
  operation: 'releases.listAssets',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases/{id}/assets',
  input: { ...inRepoById, ...paging },
  answer: list(ReleaseAsset),
});

const getAsset = endpoint<RepoIdInput>()({
  operation: 'releases.getAsset',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases/assets/{id}',
  input: inRepoById,
  answer: json(ReleaseAsset),
});

const updateAsset = endpoint<UpdateAsset>()({
  operation: 'releases.updateAsset',
  method: 'PATCH',
  path: '/repos/{owner}/{repo}/releases/assets/{id}',
  input: { ...inRepoById, name: optional(filledText), label: optional(text) },
  answer: json(ReleaseAsset),
});

const deleteAsset = endpoint<RepoIdInput>()({
  operation: 'releases.deleteAsset',
  method: 'DELETE',
  path: '/repos/{owner}/{repo}/releases/assets/{id}',
  input: inRepoById,
  answer: nothing,
});

const downloadAsset = endpoint<RepoIdInput>()({
  operation: 'releases.downloadAsset',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases/assets/{id}',
  input: inRepoById,
  accept: () => 'application/octet-stream',
  answer: bytesStream,
});

/** Assets of releases: outside the contract but for the upload. Users reach them through `releases`. */
export class ReleaseAssets {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  list(input: RepoIdListInput, options?: HostingListOptions): Paginated<ReleaseAsset> {
    return this.#caller.list(listAssets, input, options);
  }

  get(input: RepoIdInput, options?: HostingRequestOptions): Call<ReleaseAsset> {
    return this.#caller.call(getAsset, input, options);
  }

  update(input: UpdateAsset, options?: HostingRequestOptions): Call<ReleaseAsset> {
    return this.#caller.call(updateAsset, input, options);
  }

  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(deleteAsset, input, options);
  }

  download(input: RepoIdInput, options?: HostingRequestOptions): Call<Readable> {
    return this.#caller.call(downloadAsset, input, options);
  }
}
