import { defineEndpoint, exists, list, noContent } from '../../transport/request/endpoint.js';
import { filledText, id, paging } from '../../transport/request/input.js';
import { Repository } from '../models/index.js';
import type { TeamInput, TeamListInput } from './team-members.js';

/** Input that identifies a team's repository. */
export interface TeamRepoInput extends TeamInput {
  /** Login of the owner. */
  readonly owner: string;
  /** Name of the repository, without the owner. */
  readonly repo: string;
}

/** Input that identifies a repository to add to a team. */
export interface AddTeamRepo extends TeamInput {
  /**
   * Login of the repository's owner: the team's organization, or the owner of a direct fork of one
   * of its repositories.
   */
  readonly org: string;
  /** Name of the repository, without the owner. */
  readonly repo: string;
}

const teamRepo = { id, owner: filledText, repo: filledText };

export const listRepos = defineEndpoint<TeamListInput>('GET /teams/{id}/repos')({
  operation: 'teams.listRepos',
  input: { id, ...paging },
  response: list(Repository),
});

export const hasRepo = defineEndpoint<TeamRepoInput>('GET /teams/{id}/repos/{owner}/{repo}')({
  operation: 'teams.hasRepo',
  input: teamRepo,
  response: exists,
});

export const addRepo = defineEndpoint<AddTeamRepo>('PUT /teams/{id}/repos/{org}/{repo}')({
  operation: 'teams.addRepo',
  input: { id, org: filledText, repo: filledText },
  response: noContent,
  retry: 'idempotent',
});

export const removeRepo = defineEndpoint<TeamRepoInput>('DELETE /teams/{id}/repos/{owner}/{repo}')({
  operation: 'teams.removeRepo',
  input: teamRepo,
  response: noContent,
  retry: 'idempotent',
});
