import type { Call } from '../transport/call.js';
import { endpoint, list, membership, nothing } from '../transport/endpoint.js';
import { filledText, id, type PageInput, paging } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import type { HostingCaller, HostingListOptions, HostingRequestOptions } from './caller.js';
import { User } from './models/index.js';

/** Names a team. */
export interface TeamInput {
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
  replayable: true,
});

const removeMember = endpoint<TeamMemberInput>()({
  operation: 'teams.removeMember',
  method: 'DELETE',
  path: '/teams/{id}/members/{username}',
  input: member,
  answer: nothing,
  replayable: true,
});

/** The part of `Teams` that is about members. */
export class TeamMembers {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  list(input: TeamListInput, options?: HostingListOptions): Paginated<User> {
    return this.#caller.list(listMembers, input, options);
  }

  has(input: TeamMemberInput, options?: HostingRequestOptions): Call<boolean> {
    return this.#caller.call(isMember, input, options);
  }

  add(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(addMember, input, options);
  }

  remove(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(removeMember, input, options);
  }
}
