import type { Call, JsonCall } from '../../transport/api-client.js';
import { download } from '../../transport/download/download.js';
import type { Downloaded, Exactly } from '../../transport/download/forms.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
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
  flag,
  id,
  nullable,
  optional,
  type PageInput,
  paging,
  text,
} from '../../transport/request/input.js';
import { Download, Release, ReleaseAsset } from '../models/index.js';
import {
  bytesStream,
  type HostingDownloadOptions,
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  inRepoById,
  type RepoIdInput,
  type RepoInput,
  type RepoListInput,
} from './common.js';
import { type UploadAsset, type UploadOptions, uploadAsset } from './upload-asset.js';

/** Writable fields of a release. */
export interface ReleaseFields {
  /**
   * Branch or commit SHA to create the tag from. Ignored if the tag exists. Default for a new
   * release: the default branch.
   */
  readonly target_commitish?: string | undefined;
  /** Title of the release. Null removes the title. */
  readonly name?: string | null | undefined;
  /** Release notes in Markdown. Null removes the notes. */
  readonly body?: string | null | undefined;
  /**
   * Whether the release is a draft, which only users with push access can see. Default for a new
   * release: false.
   */
  readonly draft?: boolean | undefined;
  /** Whether the release is a prerelease. Default for a new release: false. */
  readonly prerelease?: boolean | undefined;
}

/** Input of {@link Releases.create}. */
export interface CreateRelease extends RepoInput, ReleaseFields {
  /** Name of the tag, for example `v1.0.0`. */
  readonly tag_name: string;
}

/**
 * Input of {@link Releases.update}. Omitted fields keep their value. `draft: false` publishes a
 * draft.
 */
export interface UpdateRelease extends RepoIdInput, ReleaseFields {
  /** Name of the tag, for example `v1.0.0`. */
  readonly tag_name?: string | undefined;
}

/** Input of {@link Releases.getByTag}. */
export interface ReleaseTagInput extends RepoInput {
  /** Name of the tag, which can contain slashes. */
  readonly tag: string;
}

/** Input that identifies a release and selects a page of its assets. */
export interface RepoIdListInput extends RepoIdInput, PageInput {}

/** Input of `releases.updateAsset`. */
export interface UpdateAsset extends RepoIdInput {
  /** File name of the asset. */
  readonly name?: string | undefined;
  /** Text to show instead of the name. Null removes the label. */
  readonly label?: string | null | undefined;
}

const releaseFields = {
  target_commitish: optional(text),
  name: optional(nullable(text)),
  body: optional(nullable(text)),
  draft: optional(flag),
  prerelease: optional(flag),
};

const listReleases = defineEndpoint<RepoListInput>('GET /repos/{owner}/{repo}/releases')({
  operation: 'releases.list',
  input: { ...inRepo, ...paging },
  response: list(Release),
});

const getRelease = defineEndpoint<RepoIdInput>('GET /repos/{owner}/{repo}/releases/{id}')({
  operation: 'releases.get',
  input: inRepoById,
  response: json(Release),
});

const createRelease = defineEndpoint<CreateRelease>('POST /repos/{owner}/{repo}/releases')({
  operation: 'releases.create',
  input: { ...inRepo, tag_name: filledText, ...releaseFields },
  response: json(Release),
});

const updateRelease = defineEndpoint<UpdateRelease>('PATCH /repos/{owner}/{repo}/releases/{id}')({
  operation: 'releases.update',
  input: { ...inRepo, id, tag_name: optional(filledText), ...releaseFields },
  response: json(Release),
});

const deleteRelease = defineEndpoint<RepoIdInput>('DELETE /repos/{owner}/{repo}/releases/{id}')({
  operation: 'releases.delete',
  input: inRepoById,
  response: noContent,
});

const getLatestRelease = defineEndpoint<RepoInput>('GET /repos/{owner}/{repo}/releases/latest')({
  operation: 'releases.getLatest',
  input: inRepo,
  response: unspecified(json(Release)),
});

const getByTag = defineEndpoint<ReleaseTagInput>('GET /repos/{owner}/{repo}/releases/tags{/tag*}')({
  operation: 'releases.getByTag',
  input: { ...inRepo, tag: filledText },
  response: unspecified(json(Release)),
});

const asset = '/repos/{owner}/{repo}/releases/assets/{id}';

const listAssets = defineEndpoint<RepoIdListInput>(
  'GET /repos/{owner}/{repo}/releases/{id}/assets',
)({
  operation: 'releases.listAssets',
  input: { ...inRepoById, ...paging },
  response: unspecified(list(ReleaseAsset)),
});

const getAsset = defineEndpoint<RepoIdInput>(`GET ${asset}`)({
  operation: 'releases.getAsset',
  input: inRepoById,
  response: unspecified(json(ReleaseAsset)),
});

const updateAsset = defineEndpoint<UpdateAsset>(`PATCH ${asset}`)({
  operation: 'releases.updateAsset',
  input: { ...inRepoById, name: optional(filledText), label: optional(nullable(text)) },
  response: unspecified(json(ReleaseAsset)),
});

const deleteAsset = defineEndpoint<RepoIdInput>(`DELETE ${asset}`)({
  operation: 'releases.deleteAsset',
  input: inRepoById,
  response: noContent,
});

const downloadAsset = defineEndpoint<RepoIdInput>(`GET ${asset}`)({
  operation: 'releases.downloadAsset',
  input: inRepoById,
  accept: () => mediaTypes.bytes,
  response: {
    ...bytesStream,
    // Reject the API's JSON description of the asset. If the asset itself is JSON, it comes from a
    // storage host or as an attachment.
    typeMismatch: (type, response, accept) => {
      const { url, headers } = response;
      return /[/+]json$/.test(type) &&
        headers['content-disposition'] === undefined &&
        /\/releases\/assets\/\d+$/.test(url.replace(/\?.*/, ''))
        ? "the body is JSON instead of the asset's bytes, because the server ignores the Accept header. Download browser_download_url instead."
        : bytesStream.typeMismatch(type, response, accept);
    },
  },
});

/**
 * A repository's releases. Everyone can read published releases, but only users with push access
 * see drafts. Tags without a release aren't listed.
 */
export class Releases extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/releases`
   *
   * Lists a repository's releases.
   * @throws {NotFoundError} if the repository doesn't exist or is hidden from the caller.
   * @example for await (const each of hosting.releases.list({ owner, repo })) console.log(each);
   */
  list(input: RepoListInput, options?: HostingListOptions): Paginated<Release> {
    return this.api.list(listReleases, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/{id}`
   *
   * Returns a release.
   * @throws {NotFoundError} if the release doesn't exist, or is a draft and the caller has no push
   * access.
   * @example const { tag_name } = await hosting.releases.get({ owner, repo, id: 1 });
   */
  get(input: RepoIdInput, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(getRelease, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/releases`
   *
   * Creates a release. Requires push access.
   * @throws {UnprocessableError} if the tag already has a release (code `already_exists`).
   * @example await hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' });
   */
  create(input: CreateRelease, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(createRelease, input, options);
  }

  /**
   * `PATCH /repos/{owner}/{repo}/releases/{id}`
   *
   * Updates a release. Omitted fields keep their value. `draft: false` publishes the release.
   * Requires push access.
   * @example await hosting.releases.update({ owner, repo, id: 1, draft: false });
   */
  update(input: UpdateRelease, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(updateRelease, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/releases/{id}/assets`
   *
   * Uploads a file to a release. The client streams the file with backpressure.
   * @throws {ConfigurationError} if the origin of `upload_url` is neither the API's origin nor in
   * `trustedOrigins`. No request is sent.
   * @throws {InvalidRequestError} if the file is missing or unreadable, or a stream has no `size`.
   * @throws {UnprocessableError} if an asset with that name exists (code `already_exists`).
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example await hosting.releases.uploadAsset({ upload_url: release.upload_url, name: 'a.zip', content_type: 'application/zip', data: 'dist/a.zip' });
   */
  uploadAsset(input: UploadAsset, options?: UploadOptions): JsonCall<ReleaseAsset> {
    return uploadAsset(this.api, input, options);
  }

  /**
   * `DELETE /repos/{owner}/{repo}/releases/{id}`
   *
   * Deletes a release but keeps its tag.
   * @example await hosting.releases.delete({ owner, repo, id: 1 });
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteRelease, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/latest`
   *
   * Returns the latest published release, ignoring prereleases.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const { tag_name } = await hosting.releases.getLatest({ owner, repo });
   */
  getLatest(input: RepoInput, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(getLatestRelease, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/tags/{tag}`
   *
   * Returns the published release for a tag.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const { assets } = await hosting.releases.getByTag({ owner, repo, tag: 'v1.0.0' });
   */
  getByTag(input: ReleaseTagInput, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(getByTag, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/{id}/assets`
   *
   * Lists a release's assets.
   * @remarks The API doesn't specify the type of the list's items, so the client accepts items of
   * any type.
   * @example for await (const each of hosting.releases.listAssets({ owner, repo, id: 1 })) console.log(each);
   */
  listAssets(input: RepoIdListInput, options?: HostingListOptions): Paginated<ReleaseAsset> {
    return this.api.list(listAssets, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/assets/{id}`
   *
   * Returns an asset's metadata.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example await hosting.releases.getAsset({ owner, repo, id: 1 });
   */
  getAsset(input: RepoIdInput, options?: HostingRequestOptions): JsonCall<ReleaseAsset> {
    return this.api.call(getAsset, input, options);
  }

  /**
   * `PATCH /repos/{owner}/{repo}/releases/assets/{id}`
   *
   * Changes an asset's name or label.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example await hosting.releases.updateAsset({ owner, repo, id: 1, name: 'rocket.tar.gz' });
   */
  updateAsset(input: UpdateAsset, options?: HostingRequestOptions): JsonCall<ReleaseAsset> {
    return this.api.call(updateAsset, input, options);
  }

  /**
   * `DELETE /repos/{owner}/{repo}/releases/assets/{id}`
   *
   * Deletes an asset.
   * @example await hosting.releases.deleteAsset({ owner, repo, id: 1 });
   */
  deleteAsset(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteAsset, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/assets/{id}`
   *
   * Downloads an asset. Returns a stream by default. To get bytes or save a file, set `as` or
   * `to`. If another host stores the asset, that host receives credentials only if its origin is in
   * `trustedOrigins`.
   * @throws {NotFoundError} if the asset doesn't exist.
   * @example await hosting.releases.downloadAsset({ owner, repo, id: 1 }, { to: 'rocket.zip' });
   */
  downloadAsset<Options extends HostingDownloadOptions = HostingRequestOptions>(
    input: RepoIdInput,
    options?: Exactly<Options>,
  ): Call<Downloaded<Options>> {
    return download(this.api, downloadAsset, input, options);
  }
}

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
