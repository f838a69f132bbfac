import { endpoint, list, membership, noContent } from '../../transport/request/endpoint.js';
import { filledText, id, type PageInput, paging } from '../../transport/request/input.js';
import { User } from '../models/index.js';

/** Identifies a team. */
export interface TeamInput {
  /** Numeric ID of the team. */
  readonly id: number;
}

/** Identifies a team and selects a page of one of its lists. */
export interface TeamListInput extends TeamInput, PageInput {}

/** Identifies a user in a team. */
export interface TeamMemberInput extends TeamInput {
  /** Login of the user. */
  readonly username: string;
}

const member = { id, username: filledText };

export const listMembers = endpoint<TeamListInput>('GET /teams/{id}/members')({
  operation: 'teams.listMembers',
  input: { id, ...paging },
  answer: list(User),
});

export const isMember = endpoint<TeamMemberInput>('GET /teams/{id}/members/{username}')({
  operation: 'teams.isMember',
  input: member,
  answer: membership,
});

export const addMember = endpoint<TeamMemberInput>('PUT /teams/{id}/members/{username}')({
  operation: 'teams.addMember',
  input: member,
  answer: noContent,
  retry: 'idempotent',
});

export const removeMember = endpoint<TeamMemberInput>('DELETE /teams/{id}/members/{username}')({
  operation: 'teams.removeMember',
  input: member,
  answer: noContent,
  retry: 'idempotent',
});
