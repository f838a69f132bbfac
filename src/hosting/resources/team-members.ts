import type { ResultOf } from '../../transport/options.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { endpoint, list, membership, nothing } from '../../transport/request/endpoint.js';
import { filledText, id, type PageInput, paging } from '../../transport/request/input.js';
import type { Call } from '../../transport/response/answer-info.js';
import { User } from '../models/index.js';
import type { HostingApi, HostingListOptions, HostingRequestOptions } from './common.js';

/** Names a team. */
export interface TeamInput {
  /** Numeric id of the team. */
  readonly id: number;
}

/** Names a team and a page of a list in it. */
export interface TeamListInput extends TeamInput, PageInput {}

/** Names a user in a team. */
export interface TeamMemberInput extends TeamInput {
  /** Login of the user. */
  readonly username: string;
}

const member = { id, username: filledText };

const listMembers = endpoint<TeamListInput>()({
  operation: 'teams.listMembers',
  method: 'GET',
  path: '/teams/{id}/members',
  input: { id, ...paging },
  answer: list(User),
});

const isMember = endpoint<TeamMemberInput>()({
  operation: 'teams.isMember',
  method: 'GET',
  path: '/teams/{id}/members/{username}',
  input: member,
  answer: membership,
});

const addMember = endpoint<TeamMemberInput>()({
  operation: 'teams.addMember',
  method: 'PUT',
  path: '/teams/{id}/members/{username}',
  input: member,
  answer: nothing,
  retry: 'idempotent',
});

const removeMember = endpoint<TeamMemberInput>()({
  operation: 'teams.removeMember',
  method: 'DELETE',
  path: '/teams/{id}/members/{username}',
  input: member,
  answer: nothing,
  retry: 'idempotent',
});

/** The part of `Teams` that is about members. */
export class TeamMembers {
  readonly #api: HostingApi;

  constructor(api: HostingApi) {
    this.#api = api;
  }

  list<S>(input: TeamListInput, options?: HostingListOptions<S>): Paginated<ResultOf<S, User>> {
    return this.#api.list(listMembers, input, options);
  }

  has(input: TeamMemberInput, options?: HostingRequestOptions): Call<boolean> {
    return this.#api.call(isMember, input, options);
  }

  add(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.#api.call(addMember, input, options);
  }

  remove(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.#api.call(removeMember, input, options);
  }
}
