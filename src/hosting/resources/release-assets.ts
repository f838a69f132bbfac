import { download } from '../../transport/download/download.js';
import type { DownloadGiven, DownloadOf } from '../../transport/download/forms.js';
import type { ResultOf, WithSchema } from '../../transport/options.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { endpoint, json, list, nothing } from '../../transport/request/endpoint.js';
import {
  filledText,
  optional,
  type PageInput,
  paging,
  text,
} from '../../transport/request/input.js';
import type { Call } from '../../transport/response/answer-info.js';
import { ReleaseAsset } from '../models/index.js';
import { bytesStream } from './byte-answers.js';
import {
  type HostingApi,
  type HostingDownloadOptions,
  type HostingListOptions,
  type HostingRequestOptions,
  inRepoById,
  type RepoIdInput,
} from './common.js';

/** Names a release and a page of the list of its assets. */
export interface RepoIdListInput extends RepoIdInput, PageInput {}

/** Input of `releases.updateAsset`. */
export interface UpdateAsset extends RepoIdInput {
  /** File name. */
  readonly name?: string | undefined;
  /** Shown instead of the name. */
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
  answer: {
    ...bytesStream,
    // An asset may be JSON itself: then it comes from a store, or as an attachment.
    refuses: (type, { url, headers }) =>
      /[/+]json$/.test(type) &&
      headers['content-disposition'] === undefined &&
      /\/releases\/assets\/\d+$/.test(url.replace(/\?.*/, ''))
        ? 'the bytes of the asset were expected, and JSON that describes it came: the server ignores Accept (browser_download_url has the bytes)'
        : undefined,
  },
});

/** Assets of releases. Users reach them through `releases`. */
export class ReleaseAssets {
  readonly #api: HostingApi;

  constructor(api: HostingApi) {
    this.#api = api;
  }

  list<Options extends WithSchema<HostingListOptions> = HostingListOptions>(
    input: RepoIdListInput,
    options?: Options,
  ): Paginated<ResultOf<Options, ReleaseAsset>> {
    return this.#api.list(listAssets, input, options);
  }

  get<Options extends WithSchema<HostingRequestOptions> = HostingRequestOptions>(
    input: RepoIdInput,
    options?: Options,
  ): Call<ResultOf<Options, ReleaseAsset>> {
    return this.#api.call(getAsset, input, options);
  }

  update<Options extends WithSchema<HostingRequestOptions> = HostingRequestOptions>(
    input: UpdateAsset,
    options?: Options,
  ): Call<ResultOf<Options, ReleaseAsset>> {
    return this.#api.call(updateAsset, input, options);
  }

  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.#api.call(deleteAsset, input, options);
  }

  download<Options extends HostingDownloadOptions = HostingRequestOptions>(
    input: RepoIdInput,
    options?: DownloadGiven<Options>,
  ): Call<DownloadOf<Options>> {
    return download(this.#api, downloadAsset, input, options);
  }
}
