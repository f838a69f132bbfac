import type { Readable } from 'node:stream';
import type { Call } from '../transport/call.js';
import { endpoint, json, list, nothing } from '../transport/endpoint.js';
import { filledText, flag, id, optional, paging, text } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import {
  type HostingCaller,
  type HostingListOptions,
  type HostingRequestOptions,
  inRepo,
  inRepoById,
  type RepoIdInput,
  type RepoInput,
  type RepoListInput,
} from './caller.js';
import { Release, type ReleaseAsset } from './models/index.js';
import { ReleaseAssets, type RepoIdListInput, type UpdateAsset } from './release-assets.js';
import { type UploadAsset, type UploadOptions, uploadAsset } from './upload-asset.js';

/** Fields of a release that can be set. */
export interface ReleaseFields {
  /** Branch or commit SHA the tag is made from; ignored when the tag exists. Default the default branch. */
  readonly target_commitish?: string | undefined;
  readonly name?: string | undefined;
  readonly body?: string | undefined;
  /** True for a release that only users with push access see. Default false. */
  readonly draft?: boolean | undefined;
  /** Default false. */
  readonly prerelease?: boolean | undefined;
}

/** Input of {@link Releases.create}. */
export interface CreateRelease extends RepoInput, ReleaseFields {
  readonly tag_name: string;
}

/** Input of {@link Releases.update}: what is not given stays. `draft: false` publishes. */
export interface UpdateRelease extends RepoIdInput, ReleaseFields {
  readonly tag_name?: string | undefined;
}

/** Input of {@link Releases.getByTag}. */
export interface ReleaseTagInput extends RepoInput {
  /** The tag, which may hold slashes. */
  readonly tag: string;
}

const releaseFields = {
  target_commitish: optional(filledText),
  name: optional(text),
  body: optional(text),
  draft: optional(flag),
  prerelease: optional(flag),
};

const listReleases = endpoint<RepoListInput>()({
  operation: 'releases.list',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases',
  input: { ...inRepo, ...paging },
  answer: list(Release),
});

const getRelease = endpoint<RepoIdInput>()({
  operation: 'releases.get',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases/{id}',
  input: inRepoById,
  answer: json(Release),
});

const createRelease = endpoint<CreateRelease>()({
  operation: 'releases.create',
  method: 'POST',
  path: '/repos/{owner}/{repo}/releases',
  input: { ...inRepo, tag_name: filledText, ...releaseFields },
  answer: json(Release),
});

const updateRelease = endpoint<UpdateRelease>()({
  operation: 'releases.update',
  method: 'PATCH',
  path: '/repos/{owner}/{repo}/releases/{id}',
  input: { ...inRepo, id, tag_name: optional(filledText), ...releaseFields },
  answer: json(Release),
});

const deleteRelease = endpoint<RepoIdInput>()({
  operation: 'releases.delete',
  method: 'DELETE',
  path: '/repos/{owner}/{repo}/releases/{id}',
  input: inRepoById,
  answer: nothing,
});

const getLatestRelease = endpoint<RepoInput>()({
  operation: 'releases.getLatest',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases/latest',
  input: inRepo,
  answer: json(Release),
});

const getReleaseByTag = endpoint<ReleaseTagInput>()({
  operation: 'releases.getByTag',
  method: 'GET',
  path: '/repos/{owner}/{repo}/releases/tags{/tag*}',
  input: { ...inRepo, tag: filledText },
  answer: json(Release),
});

/**
 * Releases (contract section "Releases"). Published ones are readable by everyone; drafts are listed
 * only for users with push access, and tags without a release not at all.
 */
export class Releases {
  readonly #caller: HostingCaller;
  readonly #assets: ReleaseAssets;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
    this.#assets = new ReleaseAssets(caller);
  }

  /** Releases of a repository. @throws {NotFoundError} unknown or hidden repository. */
  list(input: RepoListInput, options?: HostingListOptions): Paginated<Release> {
    return this.#caller.list(listReleases, input, options);
  }

  /** One release. @throws {NotFoundError} unknown, or a draft without push access. */
  get(input: RepoIdInput, options?: HostingRequestOptions): Call<Release> {
    return this.#caller.call(getRelease, input, options);
  }

  /** Creates a release; needs push access. @throws {UnprocessableError} `already_exists`: the tag has one. */
  create(input: CreateRelease, options?: HostingRequestOptions): Call<Release> {
    return this.#caller.call(createRelease, input, options);
  }

  /** Changes a release; `draft: false` publishes it. Needs push access. */
  update(input: UpdateRelease, options?: HostingRequestOptions): Call<Release> {
    return this.#caller.call(updateRelease, input, options);
  }

  /**
   * Uploads a file to a release, streamed with backpressure.
   * @throws {ConfigurationError} before anything is sent: `upload_url` is on an origin that is neither
   * the API's nor among `trustedOrigins`.
   * @throws {InvalidRequestError} a file that is missing or unreadable, a stream without `size`.
   * @throws {UnprocessableError} `already_exists`: an asset of that name.
   */
  uploadAsset(input: UploadAsset, options?: UploadOptions): Call<ReleaseAsset> {
    return uploadAsset(this.#caller, input, options);
  }

  /**
   * Deletes a release; its tag stays.
   * @remarks Outside the service contract; public v3 documentation.
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(deleteRelease, input, options);
  }

  /**
   * The latest published release that is no prerelease.
   * @remarks Outside the service contract; public v3 documentation.
   */
  getLatest(input: RepoInput, options?: HostingRequestOptions): Call<Release> {
    return this.#caller.call(getLatestRelease, input, options);
  }

  /**
   * The published release of a tag.
   * @remarks Outside the service contract; public v3 documentation.
   */
  getByTag(input: ReleaseTagInput, options?: HostingRequestOptions): Call<Release> {
    return this.#caller.call(getReleaseByTag, input, options);
  }

  /**
   * Assets of a release.
   * @remarks Outside the service contract; public v3 documentation.
   */
  listAssets(input: RepoIdListInput, options?: HostingListOptions): Paginated<ReleaseAsset> {
    return this.#assets.list(input, options);
  }

  /**
   * Facts of one asset.
   * @remarks Outside the service contract; public v3 documentation.
   */
  getAsset(input: RepoIdInput, options?: HostingRequestOptions): Call<ReleaseAsset> {
    return this.#assets.get(input, options);
  }

  /**
   * Renames or relabels an asset.
   * @remarks Outside the service contract; public v3 documentation.
   */
  updateAsset(input: UpdateAsset, options?: HostingRequestOptions): Call<ReleaseAsset> {
    return this.#assets.update(input, options);
  }

  /**
   * Deletes an asset.
   * @remarks Outside the service contract; public v3 documentation.
   */
  deleteAsset(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.#assets.delete(input, options);
  }

  /**
   * The bytes of an asset as a stream, also where the server sends elsewhere for them (the credentials
   * do not go along).
   * @remarks Outside the service contract; public v3 documentation.
   */
  downloadAsset(input: RepoIdInput, options?: HostingRequestOptions): Call<Readable> {
    return this.#assets.download(input, options);
  }
}
