import type { JsonCall } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { defineEndpoint, json, list } from '../../transport/request/endpoint.js';
import { paging } from '../../transport/request/input.js';
import { PagesBuild, PagesSite } from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  type RepoInput,
  type RepoListInput,
} from './common.js';

const getPages = defineEndpoint<RepoInput>('GET /repos/{owner}/{repo}/pages')({
  operation: 'pages.get',
  input: inRepo,
  response: json(PagesSite),
});

const listBuilds = defineEndpoint<RepoListInput>('GET /repos/{owner}/{repo}/pages/builds')({
  operation: 'pages.listBuilds',
  input: { ...inRepo, ...paging },
  response: list(PagesBuild),
});

const getLatestBuild = defineEndpoint<RepoInput>('GET /repos/{owner}/{repo}/pages/builds/latest')({
  operation: 'pages.getLatestBuild',
  input: inRepo,
  response: json(PagesBuild),
});

/** Pages sites. Reading a site requires admin access to the repository. */
export class Pages extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/pages`
   *
   * Returns a repository's Pages site.
   * @throws {NotFoundError} if the repository has no site or the caller has no admin access.
   * @example const { status } = await hosting.pages.get({ owner, repo });
   */
  get(input: RepoInput, options?: HostingRequestOptions): JsonCall<PagesSite> {
    return this.api.call(getPages, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/pages/builds`
   *
   * Lists a site's builds.
   * @throws {NotFoundError} if the repository has no site or the caller has no admin access.
   * @example for await (const each of hosting.pages.listBuilds({ owner, repo })) console.log(each);
   */
  listBuilds(input: RepoListInput, options?: HostingListOptions): Paginated<PagesBuild> {
    return this.api.list(listBuilds, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/pages/builds/latest`
   *
   * Returns a site's latest build. The build's `status` is null before the build starts, then
   * `building`, `built` or `errored`.
   * @throws {NotFoundError} if the repository has no site, the site has no builds, or the caller
   * has no admin access.
   * @example const { status } = await hosting.pages.getLatestBuild({ owner, repo });
   */
  getLatestBuild(input: RepoInput, options?: HostingRequestOptions): JsonCall<PagesBuild> {
    return this.api.call(getLatestBuild, input, options);
  }
}
