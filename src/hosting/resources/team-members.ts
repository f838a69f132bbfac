import { defineEndpoint, exists, list, noContent } from '../../transport/request/endpoint.js';
import { filledText, id, type PageInput, paging } from '../../transport/request/input.js';
import { User } from '../models/index.js';

/** Input that identifies a team. */
export interface TeamInput {
  /** Numeric ID of the team. */
  readonly id: number;
}

/** Input that identifies a team and selects a page of one of its lists. */
export interface TeamListInput extends TeamInput, PageInput {}

/** Input that identifies a user in a team. */
export interface TeamMemberInput extends TeamInput {
  /** Login of the user. */
  readonly username: string;
}

const member = { id, username: filledText };

export const listMembers = defineEndpoint<TeamListInput>('GET /teams/{id}/members')({
  operation: 'teams.listMembers',
  input: { id, ...paging },
  response: list(User),
});

export const isMember = defineEndpoint<TeamMemberInput>('GET /teams/{id}/members/{username}')({
  operation: 'teams.isMember',
  input: member,
  response: exists,
});

export const addMember = defineEndpoint<TeamMemberInput>('PUT /teams/{id}/members/{username}')({
  operation: 'teams.addMember',
  input: member,
  response: noContent,
  retry: 'idempotent',
});

export const removeMember = defineEndpoint<TeamMemberInput>(
  'DELETE /teams/{id}/members/{username}',
)({
  operation: 'teams.removeMember',
  input: member,
  response: noContent,
  retry: 'idempotent',
});
