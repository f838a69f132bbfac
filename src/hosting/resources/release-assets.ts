import { endpoint, json, list, noContent, unspecified } from '../../transport/request/endpoint.js';
import {
  filledText,
  nullable,
  optional,
  type PageInput,
  paging,
  text,
} from '../../transport/request/input.js';
import { ReleaseAsset } from '../models/index.js';
import { bytesStream } from './byte-answers.js';
import { inRepoById, type RepoIdInput } from './common.js';

/** Identifies a release and selects a page of its assets. */
export interface RepoIdListInput extends RepoIdInput, PageInput {}

/** Input of `releases.updateAsset`. */
export interface UpdateAsset extends RepoIdInput {
  /** File name of the asset. */
  readonly name?: string | undefined;
  /** Text shown instead of the name. Null removes it. */
  readonly label?: string | null | undefined;
}

const asset = '/repos/{owner}/{repo}/releases/assets/{id}';

export const listAssets = endpoint<RepoIdListInput>(
  'GET /repos/{owner}/{repo}/releases/{id}/assets',
)({
  operation: 'releases.listAssets',
  input: { ...inRepoById, ...paging },
  answer: unspecified(list(ReleaseAsset)),
});

export const getAsset = endpoint<RepoIdInput>(`GET ${asset}`)({
  operation: 'releases.getAsset',
  input: inRepoById,
  answer: unspecified(json(ReleaseAsset)),
});

export const updateAsset = endpoint<UpdateAsset>(`PATCH ${asset}`)({
  operation: 'releases.updateAsset',
  input: { ...inRepoById, name: optional(filledText), label: optional(nullable(text)) },
  answer: unspecified(json(ReleaseAsset)),
});

export const deleteAsset = endpoint<RepoIdInput>(`DELETE ${asset}`)({
  operation: 'releases.deleteAsset',
  input: inRepoById,
  answer: noContent,
});

export const downloadAsset = endpoint<RepoIdInput>(`GET ${asset}`)({
  operation: 'releases.downloadAsset',
  input: inRepoById,
  accept: () => 'application/octet-stream',
  answer: {
    ...bytesStream,
    // An asset may itself be JSON: then it comes from a storage host or as an attachment.
    refuses: (type, { url, headers }) =>
      /[/+]json$/.test(type) &&
      headers['content-disposition'] === undefined &&
      /\/releases\/assets\/\d+$/.test(url.replace(/\?.*/, ''))
        ? 'expected the bytes of the asset, got JSON that describes it: the server ignores Accept (download browser_download_url instead)'
        : undefined,
  },
});
