import { endpoint, list, membership, nothing } from '../../transport/request/endpoint.js';
import { filledText, id, type PageInput, paging } from '../../transport/request/input.js';
import { User } from '../models/index.js';

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

export const listMembers = endpoint<TeamListInput>()({
  operation: 'teams.listMembers',
  method: 'GET',
  path: '/teams/{id}/members',
  input: { id, ...paging },
  answer: list(User),
});

export const isMember = endpoint<TeamMemberInput>()({
  operation: 'teams.isMember',
  method: 'GET',
  path: '/teams/{id}/members/{username}',
  input: member,
  answer: membership,
});

export const addMember = endpoint<TeamMemberInput>()({
  operation: 'teams.addMember',
  method: 'PUT',
  path: '/teams/{id}/members/{username}',
  input: member,
  answer: nothing,
  retry: 'idempotent',
});

export const removeMember = endpoint<TeamMemberInput>()({
  operation: 'teams.removeMember',
  method: 'DELETE',
  path: '/teams/{id}/members/{username}',
  input: member,
  answer: nothing,
  retry: 'idempotent',
});
