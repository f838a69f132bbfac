import { endpoint, list, membership, noContent } from '../../transport/request/endpoint.js';
import { filledText, id, paging } from '../../transport/request/input.js';
import { Repository } from '../models/index.js';
import type { TeamInput, TeamListInput } from './team-members.js';

/** Identifies a repository of a team. */
export interface TeamRepoInput extends TeamInput {
  /** Login of the owner. */
  readonly owner: string;
  /** Name of the repository, without its owner. */
  readonly repo: string;
}

/** Identifies a repository to add to a team. */
export interface AddTeamRepo extends TeamInput {
  /** Login of the organization that owns the repository, or of the owner of a direct fork. */
  readonly org: string;
  /** Name of the repository, without its owner. */
  readonly repo: string;
}

const teamRepo = { id, owner: filledText, repo: filledText };

export const listRepos = endpoint<TeamListInput>('GET /teams/{id}/repos')({
  operation: 'teams.listRepos',
  input: { id, ...paging },
  answer: list(Repository),
});

export const hasRepo = endpoint<TeamRepoInput>('GET /teams/{id}/repos/{owner}/{repo}')({
  operation: 'teams.hasRepo',
  input: teamRepo,
  answer: membership,
});

export const addRepo = endpoint<AddTeamRepo>('PUT /teams/{id}/repos/{org}/{repo}')({
  operation: 'teams.addRepo',
  input: { id, org: filledText, repo: filledText },
  answer: noContent,
  retry: 'idempotent',
});

export const removeRepo = endpoint<TeamRepoInput>('DELETE /teams/{id}/repos/{owner}/{repo}')({
  operation: 'teams.removeRepo',
  input: teamRepo,
  answer: noContent,
  retry: 'idempotent',
});
