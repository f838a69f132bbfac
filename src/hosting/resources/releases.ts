import type { Readable } from 'node:stream';
import type { Call, JsonCall } from '../../transport/call.js';
import { download } from '../../transport/download/download.js';
import type {
  As,
  AsStream,
  DownloadedFile,
  DownloadResult,
  ToFile,
} from '../../transport/download/forms.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { endpoint, json, list, nothing, unspecified } from '../../transport/request/endpoint.js';
import {
  filledText,
  flag,
  id,
  nullable,
  optional,
  paging,
  text,
} from '../../transport/request/input.js';
import { Release, type ReleaseAsset } from '../models/index.js';
import {
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
import type { RepoIdListInput, UpdateAsset } from './release-assets.js';
import * as assets from './release-assets.js';
import { type UploadAsset, type UploadOptions, uploadAsset } from './upload-asset.js';

/** Fields of a release that can be set. */
export interface ReleaseFields {
  /** Branch or commit SHA the tag is made from; ignored when the tag exists. Default the default branch. */
  readonly target_commitish?: string | undefined;
  /** Title of the release. Null removes it. */
  readonly name?: string | null | undefined;
  /** Text of the release, as Markdown. Null removes it. */
  readonly body?: string | null | undefined;
  /** True for a release that only users with push access see. Default false. */
  readonly draft?: boolean | undefined;
  /** Default false. */
  readonly prerelease?: boolean | undefined;
}

/** Input of {@link Releases.create}. */
export interface CreateRelease extends RepoInput, ReleaseFields {
  /** Name of the tag, as `v1.0.0`. */
  readonly tag_name: string;
}

/** Input of {@link Releases.update}: what is not given stays. `draft: false` publishes. */
export interface UpdateRelease extends RepoIdInput, ReleaseFields {
  /** Name of the tag, as `v1.0.0`. */
  readonly tag_name?: string | undefined;
}

/** Input of {@link Releases.getByTag}. */
export interface ReleaseTagInput extends RepoInput {
  /** The tag, which may hold slashes. */
  readonly tag: string;
}

const releaseFields = {
  target_commitish: optional(text),
  name: optional(nullable(text)),
  body: optional(nullable(text)),
  draft: optional(flag),
  prerelease: optional(flag),
};

const listReleases = endpoint<RepoListInput>('GET /repos/{owner}/{repo}/releases')({
  operation: 'releases.list',
  input: { ...inRepo, ...paging },
  answer: list(Release),
});

const getRelease = endpoint<RepoIdInput>('GET /repos/{owner}/{repo}/releases/{id}')({
  operation: 'releases.get',
  input: inRepoById,
  answer: json(Release),
});

const createRelease = endpoint<CreateRelease>('POST /repos/{owner}/{repo}/releases')({
  operation: 'releases.create',
  input: { ...inRepo, tag_name: filledText, ...releaseFields },
  answer: json(Release),
});

const updateRelease = endpoint<UpdateRelease>('PATCH /repos/{owner}/{repo}/releases/{id}')({
  operation: 'releases.update',
  input: { ...inRepo, id, tag_name: optional(filledText), ...releaseFields },
  answer: json(Release),
});

const deleteRelease = endpoint<RepoIdInput>('DELETE /repos/{owner}/{repo}/releases/{id}')({
  operation: 'releases.delete',
  input: inRepoById,
  answer: nothing,
});

const getLatestRelease = endpoint<RepoInput>('GET /repos/{owner}/{repo}/releases/latest')({
  operation: 'releases.getLatest',
  input: inRepo,
  answer: unspecified(json(Release)),
});

const getByTag = endpoint<ReleaseTagInput>('GET /repos/{owner}/{repo}/releases/tags{/tag*}')({
  operation: 'releases.getByTag',
  input: { ...inRepo, tag: filledText },
  answer: unspecified(json(Release)),
});

/**
 * Releases. Published ones are readable by everyone; drafts are listed
 * only for users with push access, and tags without a release not at all.
 */
export class Releases extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/releases`
   *
   * Releases of a repository.
   * @throws {NotFoundError} unknown or hidden repository.
   * @example for await (const each of hosting.releases.list({ owner, repo })) console.log(each);
   */
  list(input: RepoListInput, options?: HostingListOptions): Paginated<Release> {
    return this.api.list(listReleases, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/{id}`
   *
   * One release.
   * @throws {NotFoundError} unknown, or a draft without push access.
   * @example await hosting.releases.get({ owner, repo, id: 1 });
   */
  get(input: RepoIdInput, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(getRelease, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/releases`
   *
   * Creates a release; needs push access.
   * @throws {UnprocessableError} `already_exists`: the tag has one.
   * @example await hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' });
   */
  create(input: CreateRelease, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(createRelease, input, options);
  }

  /**
   * `PATCH /repos/{owner}/{repo}/releases/{id}`
   *
   * Changes a release; `draft: false` publishes it. Needs push access.
   * @example await hosting.releases.update({ owner, repo, id: 1, draft: false });
   */
  update(input: UpdateRelease, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(updateRelease, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/releases/{id}/assets`
   *
   * Uploads a file to a release, streamed with backpressure.
   * @throws {ConfigurationError} before anything is sent: `upload_url` is on an origin that is neither
   * the API's nor among `trustedOrigins`.
   * @throws {InvalidRequestError} a file that is missing or unreadable, a stream without `size`.
   * @throws {UnprocessableError} `already_exists`: an asset of that name.
   * @remarks The interface doesn't specify the response: any JSON is accepted.
   * @example await hosting.releases.uploadAsset({ upload_url: release.upload_url, name: 'a.zip', content_type: 'application/zip', data: 'dist/a.zip' });
   */
  uploadAsset(input: UploadAsset, options?: UploadOptions): JsonCall<ReleaseAsset> {
    return uploadAsset(this.api, input, options);
  }

  /**
   * `DELETE /repos/{owner}/{repo}/releases/{id}`
   *
   * Deletes a release; its tag stays.
   * @remarks Known from the public v3 documentation.
   * @example await hosting.releases.delete({ owner, repo, id: 1 });
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteRelease, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/latest`
   *
   * The latest published release that is no prerelease.
   * @remarks The interface doesn't specify the response: any JSON is accepted.
   * @example await hosting.releases.getLatest({ owner, repo });
   */
  getLatest(input: RepoInput, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(getLatestRelease, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/tags/{tag}`
   *
   * The published release of a tag.
   * @remarks The interface doesn't specify the response: any JSON is accepted.
   * @example await hosting.releases.getByTag({ owner, repo, tag: 'v1.0.0' });
   */
  getByTag(input: ReleaseTagInput, options?: HostingRequestOptions): JsonCall<Release> {
    return this.api.call(getByTag, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/{id}/assets`
   *
   * Assets of a release.
   * @remarks The interface doesn't specify the items of this list: any JSON is accepted as one.
   * @example for await (const each of hosting.releases.listAssets({ owner, repo, id: 1 })) console.log(each);
   */
  listAssets(input: RepoIdListInput, options?: HostingListOptions): Paginated<ReleaseAsset> {
    return this.api.list(assets.listAssets, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/assets/{id}`
   *
   * Facts of one asset.
   * @remarks The interface doesn't specify the response: any JSON is accepted.
   * @example await hosting.releases.getAsset({ owner, repo, id: 1 });
   */
  getAsset(input: RepoIdInput, options?: HostingRequestOptions): JsonCall<ReleaseAsset> {
    return this.api.call(assets.getAsset, input, options);
  }

  /**
   * `PATCH /repos/{owner}/{repo}/releases/assets/{id}`
   *
   * Renames or relabels an asset.
   * @remarks The interface doesn't specify the response: any JSON is accepted.
   * @example await hosting.releases.updateAsset({ owner, repo, id: 1, name: 'rocket.tar.gz' });
   */
  updateAsset(input: UpdateAsset, options?: HostingRequestOptions): JsonCall<ReleaseAsset> {
    return this.api.call(assets.updateAsset, input, options);
  }

  /**
   * `DELETE /repos/{owner}/{repo}/releases/assets/{id}`
   *
   * Deletes an asset.
   * @remarks Known from the public v3 documentation.
   * @example await hosting.releases.deleteAsset({ owner, repo, id: 1 });
   */
  deleteAsset(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(assets.deleteAsset, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/releases/assets/{id}`
   *
   * Downloads an asset as a stream, which is not buffered. Credentials are not sent to the host that stores it.
   * @throws {NotFoundError} if there is no such asset.
   * @example await hosting.releases.downloadAsset({ owner, repo, id: 1 }, { to: 'rocket.zip' });
   */
  downloadAsset(input: RepoIdInput, options?: HostingDownloadOptions & AsStream): Call<Readable>;
  /** Downloads an asset to a file, whole or not at all. */
  downloadAsset(input: RepoIdInput, options: HostingDownloadOptions & ToFile): Call<DownloadedFile>;
  /** Downloads an asset as a web stream. */
  downloadAsset(
    input: RepoIdInput,
    options: HostingDownloadOptions & As<'web'>,
  ): Call<ReadableStream<Uint8Array>>;
  /** Downloads an asset as bytes, at most `maxResponseBytes`. */
  downloadAsset(
    input: RepoIdInput,
    options: HostingDownloadOptions & As<'bytes'>,
  ): Call<Uint8Array>;
  /** Downloads an asset in the form that the options specify. */
  downloadAsset(input: RepoIdInput, options?: HostingDownloadOptions): Call<DownloadResult>;
  downloadAsset(input: RepoIdInput, options?: HostingDownloadOptions): Call<DownloadResult> {
    return download(this.api, assets.downloadAsset, input, options);
  }
}
