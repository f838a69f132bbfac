import { endpoint, json, list, nothing } from '../../transport/request/endpoint.js';
import {
  filledText,
  optional,
  type PageInput,
  paging,
  text,
} from '../../transport/request/input.js';
import { ReleaseAsset } from '../models/index.js';
import { bytesStream } from './byte-answers.js';
import { inRepoById, type RepoIdInput } from './common.js';

/** Names a release and a page of the list of its assets. */
export interface RepoIdListInput extends RepoIdInput, PageInput {}

/** Input of `releases.updateAsset`. */
export interface UpdateAsset extends RepoIdInput {
  /** File name. */
  readonly name?: string | undefined;
  /** Shown instead of the name. */
  readonly label?: string | undefined;
}

export const listAssets = endpoint<RepoIdListInput>()({
  operation: 'releases.listAssets',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases/{id}/assets',
  input: { ...inRepoById, ...paging },
  answer: list(ReleaseAsset),
});

export const getAsset = endpoint<RepoIdInput>()({
  operation: 'releases.getAsset',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases/assets/{id}',
  input: inRepoById,
  answer: json(ReleaseAsset),
});

export const updateAsset = endpoint<UpdateAsset>()({
  operation: 'releases.updateAsset',
  method: 'PATCH',
  path: '/repos/{owner}/{repo}/releases/assets/{id}',
  input: { ...inRepoById, name: optional(filledText), label: optional(text) },
  answer: json(ReleaseAsset),
});

export const deleteAsset = endpoint<RepoIdInput>()({
  operation: 'releases.deleteAsset',
  method: 'DELETE',
  path: '/repos/{owner}/{repo}/releases/assets/{id}',
  input: inRepoById,
  answer: nothing,
});

export const downloadAsset = endpoint<RepoIdInput>()({
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
