import type { ResultOf } from '../../transport/options.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { endpoint, json, list } from '../../transport/request/endpoint.js';
import { paging } from '../../transport/request/input.js';
import type { Call } from '../../transport/response/answer-info.js';
import { PagesBuild, PagesSite } from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  type RepoInput,
  type RepoListInput,
} from './common.js';

const getPages = endpoint<RepoInput>('GET /repos/{owner}/{repo}/pages')({
  operation: 'pages.get',
  input: inRepo,
  answer: json(PagesSite),
});

const listBuilds = endpoint<RepoListInput>('GET /repos/{owner}/{repo}/pages/builds')({
  operation: 'pages.listBuilds',
  input: { ...inRepo, ...paging },
  answer: list(PagesBuild),
});

const getLatestBuild = endpoint<RepoInput>('GET /repos/{owner}/{repo}/pages/builds/latest')({
  operation: 'pages.getLatestBuild',
  input: inRepo,
  answer: json(PagesBuild),
});

/** Pages sites. Readable only by authenticated owners of the repository. */
export class Pages extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/pages`
   *
   * The site of a repository.
   * @throws {NotFoundError} there is none, or the caller is no owner.
   * @example await hosting.pages.get({ owner, repo });
   */
  get<S>(input: RepoInput, options?: HostingRequestOptions<S>): Call<ResultOf<S, PagesSite>> {
    return this.api.call(getPages, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/pages/builds`
   *
   * Builds of the site.
   * @throws {NotFoundError}
   * @example for await (const each of hosting.pages.listBuilds({ owner, repo })) console.log(each);
   */
  listBuilds<S>(
    input: RepoListInput,
    options?: HostingListOptions<S>,
  ): Paginated<ResultOf<S, PagesBuild>> {
    return this.api.list(listBuilds, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/pages/builds/latest`
   *
   * The latest build of the site; its `status` is null while it is not built, then `building`,
   * `built` or `errored`.
   * @throws {NotFoundError}
   * @example await hosting.pages.getLatestBuild({ owner, repo });
   */
  getLatestBuild<S>(
    input: RepoInput,
    options?: HostingRequestOptions<S>,
  ): Call<ResultOf<S, PagesBuild>> {
    return this.api.call(getLatestBuild, input, options);
  }
}
