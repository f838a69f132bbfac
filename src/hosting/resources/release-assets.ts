import { mediaTypes } from '../../transport/request/body.js';
import {
  defineEndpoint,
  json,
  list,
  noContent,
  unspecified,
} from '../../transport/request/endpoint.js';
import {
  filledText,
  nullable,
  optional,
  type PageInput,
  paging,
  text,
} from '../../transport/request/input.js';
import { ReleaseAsset } from '../models/index.js';
import { bytesStream } from './byte-responses.js';
import { inRepoById, type RepoIdInput } from './common.js';

/** Input that identifies a release and selects a page of its assets. */
export interface RepoIdListInput extends RepoIdInput, PageInput {}

/** Input of `releases.updateAsset`. */
export interface UpdateAsset extends RepoIdInput {
  /** File name of the asset. */
  readonly name?: string | undefined;
  /** Text shown instead of the name. Null removes it. */
  readonly label?: string | null | undefined;
}

const asset = '/repos/{owner}/{repo}/releases/assets/{id}';

export const listAssets = defineEndpoint<RepoIdListInput>(
  'GET /repos/{owner}/{repo}/releases/{id}/assets',
)({
  operation: 'releases.listAssets',
  input: { ...inRepoById, ...paging },
  response: unspecified(list(ReleaseAsset)),
});

export const getAsset = defineEndpoint<RepoIdInput>(`GET ${asset}`)({
  operation: 'releases.getAsset',
  input: inRepoById,
  response: unspecified(json(ReleaseAsset)),
});

export const updateAsset = defineEndpoint<UpdateAsset>(`PATCH ${asset}`)({
  operation: 'releases.updateAsset',
  input: { ...inRepoById, name: optional(filledText), label: optional(nullable(text)) },
  response: unspecified(json(ReleaseAsset)),
});

export const deleteAsset = defineEndpoint<RepoIdInput>(`DELETE ${asset}`)({
  operation: 'releases.deleteAsset',
  input: inRepoById,
  response: noContent,
});

export const downloadAsset = defineEndpoint<RepoIdInput>(`GET ${asset}`)({
  operation: 'releases.downloadAsset',
  input: inRepoById,
  accept: () => mediaTypes.bytes,
  response: {
    ...bytesStream,
    // Reject the API's JSON description of the asset. If the asset itself is JSON, it comes from a
    // storage host or as an attachment.
    typeMismatch: (type, { url, headers }) =>
      /[/+]json$/.test(type) &&
      headers['content-disposition'] === undefined &&
      /\/releases\/assets\/\d+$/.test(url.replace(/\?.*/, ''))
        ? "the body is JSON instead of the asset's bytes, because the server ignores the Accept header. Download browser_download_url instead."
        : undefined,
  },
});
