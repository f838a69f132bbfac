import type { ResultOf } from '../../transport/options.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { endpoint, list, membership, nothing } from '../../transport/request/endpoint.js';
import { filledText, id, paging } from '../../transport/request/input.js';
import type { Call } from '../../transport/response/answer-info.js';
import { Repository } from '../models/index.js';
import type { HostingApi, HostingListOptions, HostingRequestOptions } from './common.js';
import type { TeamInput, TeamListInput } from './team-members.js';

/** Names a repository of a team. */
export interface TeamRepoInput extends TeamInput {
  /** Login of the owner. */
  readonly owner: string;
  /** Name of the repository, without the owner. */
  readonly repo: string;
}

/** Names a repository to give to a team. */
export interface AddTeamRepo extends TeamInput {
  /** Login of the organization that owns the repository; of a direct fork, its owner. */
  readonly org: string;
  /** Name of the repository, without the owner. */
  readonly repo: string;
}

const teamRepo = { id, owner: filledText, repo: filledText };

const listRepos = endpoint<TeamListInput>()({
  operation: 'teams.listRepos',
  method: 'GET',
  path: '/teams/{id}/repos',
  input: { id, ...paging },
  answer: list(Repository),
});

const hasRepo = endpoint<TeamRepoInput>()({
  operation: 'teams.hasRepo',
  method: 'GET',
  path: '/teams/{id}/repos/{owner}/{repo}',
  input: teamRepo,
  answer: membership,
});

const addRepo = endpoint<AddTeamRepo>()({
  operation: 'teams.addRepo',
  method: 'PUT',
  path: '/teams/{id}/repos/{org}/{repo}',
  input: { id, org: filledText, repo: filledText },
  answer: nothing,
  retry: 'idempotent',
});

const removeRepo = endpoint<TeamRepoInput>()({
  operation: 'teams.removeRepo',
  method: 'DELETE',
  path: '/teams/{id}/repos/{owner}/{repo}',
  input: teamRepo,
  answer: nothing,
  retry: 'idempotent',
});

/** The part of `Teams` that is about repositories. */
export class TeamRepos {
  readonly #api: HostingApi;

  constructor(api: HostingApi) {
    this.#api = api;
  }

  list<S>(
    input: TeamListInput,
    options?: HostingListOptions<S>,
  ): Paginated<ResultOf<S, Repository>> {
    return this.#api.list(listRepos, input, options);
  }

  has(input: TeamRepoInput, options?: HostingRequestOptions): Call<boolean> {
    return this.#api.call(hasRepo, input, options);
  }

  add(input: AddTeamRepo, options?: HostingRequestOptions): Call<void> {
    return this.#api.call(addRepo, input, options);
  }

  remove(input: TeamRepoInput, options?: HostingRequestOptions): Call<void> {
    return this.#api.call(removeRepo, input, options);
  }
}
