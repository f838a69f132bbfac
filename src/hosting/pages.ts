import type { Call } from '../transport/call.js';
import { endpoint, json, list } from '../transport/endpoint.js';
import { paging } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import {
  type HostingCaller,
  type HostingListOptions,
  type HostingRequestOptions,
  inRepo,
  type RepoInput,
  type RepoListInput,
} from './caller.js';
import { PagesBuild, PagesSite } from './models/index.js';

const getPages = endpoint<RepoInput>()({
  operation: 'pages.get',
  method: 'GET',
  path: '/repos/{owner}/{repo}/pages',
  input: inRepo,
  answer: json(PagesSite),
});

const listBuilds = endpoint<RepoListInput>()({
  operation: 'pages.listBuilds',
  method: 'GET',
  path: '/repos/{owner}/{repo}/pages/builds',
  input: { ...inRepo, ...paging },
  answer: list(PagesBuild),
});

const getLatestBuild = endpoint<RepoInput>()({
  operation: 'pages.getLatestBuild',
  method: 'GET',
  path: '/repos/{owner}/{repo}/pages/builds/latest',
  input: inRepo,
  answer: json(PagesBuild),
});

/** Pages sites (contract section "Pages"). Readable only by authenticated owners of the repository. */
export class Pages {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  /** The site of a repository. @throws {NotFoundError} there is none, or the caller is no owner. */
  get(input: RepoInput, options?: HostingRequestOptions): Call<PagesSite> {
    return this.#caller.call(getPages, input, options);
  }

  /** Builds of the site. @throws {NotFoundError} */
  listBuilds(input: RepoListInput, options?: HostingListOptions): Paginated<PagesBuild> {
    return this.#caller.list(listBuilds, input, options);
  }

  /** The latest build of the site; its `status` is null while it is not built, then `building`, `built` or `errored`. @throws {NotFoundError} */
  getLatestBuild(input: RepoInput, options?: HostingRequestOptions): Call<PagesBuild> {
    return this.#caller.call(getLatestBuild, input, options);
  }
}
