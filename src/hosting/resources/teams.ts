import type { Call, JsonCall } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { defineEndpoint, exists, json, list, noContent } from '../../transport/request/endpoint.js';
import {
  filledText,
  id,
  oneOf,
  optional,
  type PageInput,
  paging,
  texts,
} from '../../transport/request/input.js';
import { Repository, Team, TeamSummary, User } from '../models/index.js';

import { type HostingListOptions, type HostingRequestOptions, HostingResource } from './common.js';

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

const listMembers = defineEndpoint<TeamListInput>('GET /teams/{id}/members')({
  operation: 'teams.listMembers',
  input: { id, ...paging },
  response: list(User),
});

const isMember = defineEndpoint<TeamMemberInput>('GET /teams/{id}/members/{username}')({
  operation: 'teams.isMember',
  input: member,
  response: exists,
});

const addMember = defineEndpoint<TeamMemberInput>('PUT /teams/{id}/members/{username}')({
  operation: 'teams.addMember',
  input: member,
  response: noContent,
  retry: 'idempotent',
});

const removeMember = defineEndpoint<TeamMemberInput>('DELETE /teams/{id}/members/{username}')({
  operation: 'teams.removeMember',
  input: member,
  response: noContent,
  retry: 'idempotent',
});

/** Input that identifies a team's repository. */
export interface TeamRepoInput extends TeamInput {
  /** Login of the owner. */
  readonly owner: string;
  /** Name of the repository, without the owner. */
  readonly repo: string;
}

/** Input that identifies a repository to add to a team. */
export interface AddTeamRepo extends TeamInput {
  /** Login of the repository's owner: the team's organization, or the owner of a direct fork. */
  readonly org: string;
  /** Name of the repository, without the owner. */
  readonly repo: string;
}

const teamRepo = { id, owner: filledText, repo: filledText };

const listRepos = defineEndpoint<TeamListInput>('GET /teams/{id}/repos')({
  operation: 'teams.listRepos',
  input: { id, ...paging },
  response: list(Repository),
});

const hasRepo = defineEndpoint<TeamRepoInput>('GET /teams/{id}/repos/{owner}/{repo}')({
  operation: 'teams.hasRepo',
  input: teamRepo,
  response: exists,
});

const addRepo = defineEndpoint<AddTeamRepo>('PUT /teams/{id}/repos/{org}/{repo}')({
  operation: 'teams.addRepo',
  input: { id, org: filledText, repo: filledText },
  response: noContent,
  retry: 'idempotent',
});

const removeRepo = defineEndpoint<TeamRepoInput>('DELETE /teams/{id}/repos/{owner}/{repo}')({
  operation: 'teams.removeRepo',
  input: teamRepo,
  response: noContent,
  retry: 'idempotent',
});

/** Access that a team's members have to the team's repositories. */
export type TeamPermission = 'pull' | 'push' | 'admin';

/** Input of {@link Teams.list}. */
export interface ListTeams extends PageInput {
  /** Login of the organization. */
  readonly org: string;
}

/** Input of {@link Teams.create}. */
export interface CreateTeam {
  /** Login of the organization. */
  readonly org: string;
  /** Name of the team. */
  readonly name: string;
  /** Repositories to add to the team, as `owner/name`. */
  readonly repo_names?: readonly string[] | undefined;
  /** Access to the team's repositories. Default: `pull`. */
  readonly permission?: TeamPermission | undefined;
}

/** Input of {@link Teams.update}. */
export interface UpdateTeam extends TeamInput {
  /** Name of the team. */
  readonly name: string;
  /**
   * Access to the team's repositories. If you omit the permission, some servers reset it to `pull`.
   */
  readonly permission?: TeamPermission | undefined;
}

const permission = optional(oneOf('pull', 'push', 'admin'));

const listTeams = defineEndpoint<ListTeams>('GET /orgs/{org}/teams')({
  operation: 'teams.list',
  input: { org: filledText, ...paging },
  response: list(TeamSummary),
});

const getTeam = defineEndpoint<TeamInput>('GET /teams/{id}')({
  operation: 'teams.get',
  input: { id },
  response: json(Team),
});

const createTeam = defineEndpoint<CreateTeam>('POST /orgs/{org}/teams')({
  operation: 'teams.create',
  input: { org: filledText, name: filledText, repo_names: optional(texts), permission },
  response: json(Team),
});

const updateTeam = defineEndpoint<UpdateTeam>('PATCH /teams/{id}')({
  operation: 'teams.update',
  input: { id, name: filledText, permission },
  response: json(Team),
});

const deleteTeam = defineEndpoint<TeamInput>('DELETE /teams/{id}')({
  operation: 'teams.delete',
  input: { id },
  response: noContent,
});

const listMyTeams = defineEndpoint<PageInput>('GET /user/teams')({
  operation: 'teams.listMine',
  input: paging,
  response: list(Team),
});

/**
 * An organization's teams. Only members of the organization's Owners team can manage a team.
 * Reading requires the `read:org` scope, and changes require `write:org`.
 */
export class Teams extends HostingResource {
  /**
   * `GET /orgs/{org}/teams`
   *
   * Lists summaries of an organization's teams. {@link get} also returns the numbers of
   * members and repositories.
   * @throws {NotFoundError} if the organization doesn't exist or the caller isn't a member.
   * @example for await (const each of hosting.teams.list({ org: 'acme' })) console.log(each);
   */
  list(input: ListTeams, options?: HostingListOptions): Paginated<TeamSummary> {
    return this.api.list(listTeams, input, options);
  }

  /**
   * `GET /teams/{id}`
   *
   * Returns a team.
   * @throws {NotFoundError} if the team doesn't exist or is hidden from the caller.
   * @example const { name } = await hosting.teams.get({ id: 1 });
   */
  get(input: TeamInput, options?: HostingRequestOptions): JsonCall<Team> {
    return this.api.call(getTeam, input, options);
  }

  /**
   * `POST /orgs/{org}/teams`
   *
   * Creates a team. Requires organization ownership.
   * @throws {UnprocessableError} if the server rejects a field, for example a name that is already
   * taken.
   * @example await hosting.teams.create({ org: 'acme', name: 'core' });
   */
  create(input: CreateTeam, options?: HostingRequestOptions): JsonCall<Team> {
    return this.api.call(createTeam, input, options);
  }

  /**
   * `PATCH /teams/{id}`
   *
   * Renames a team or changes its permission. Requires organization ownership. If you omit
   * `permission`, some servers reset it to `pull`. To keep the permission, pass its current value.
   * @throws {NotFoundError} if the team doesn't exist or is hidden from the caller.
   * @throws {UnprocessableError} if the server rejects a field, for example a name that is already
   * taken.
   * @example await hosting.teams.update({ id: 1, name: 'core' });
   */
  update(input: UpdateTeam, options?: HostingRequestOptions): JsonCall<Team> {
    return this.api.call(updateTeam, input, options);
  }

  /**
   * `DELETE /teams/{id}`
   *
   * Deletes a team. Requires organization ownership.
   * @throws {NotFoundError} if the team doesn't exist or is hidden from the caller.
   * @example await hosting.teams.delete({ id: 1 });
   */
  delete(input: TeamInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteTeam, input, options);
  }

  /**
   * `GET /teams/{id}/members`
   *
   * Lists a team's members. Requires team membership or organization ownership.
   * @throws {NotFoundError} if the team doesn't exist or is hidden from the caller.
   * @example for await (const each of hosting.teams.listMembers({ id: 1 })) console.log(each);
   */
  listMembers(input: TeamListInput, options?: HostingListOptions): Paginated<User> {
    return this.api.list(listMembers, input, options);
  }

  /**
   * `GET /teams/{id}/members/{username}`
   *
   * Checks whether a user is a member of a team. Also returns false if the team doesn't exist or is
   * hidden. Requires team membership or organization ownership.
   * @example if (await hosting.teams.isMember({ id: 1, username: 'mona' })) console.log('yes');
   */
  isMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<boolean> {
    return this.api.call(isMember, input, options);
  }

  /**
   * `PUT /teams/{id}/members/{username}`
   *
   * Adds a user to a team. Requires admin permission for the team, or organization ownership. The
   * call is idempotent, so the client retries it after a temporary failure.
   * @throws {UnprocessableError} if the user is an organization (code `org`).
   * @example await hosting.teams.addMember({ id: 1, username: 'mona' });
   */
  addMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(addMember, input, options);
  }

  /**
   * `DELETE /teams/{id}/members/{username}`
   *
   * Removes a user from a team without deleting the user. Requires admin permission for the team,
   * or organization ownership. The call is idempotent, so the client retries it after a temporary
   * failure.
   * @throws {NotFoundError} if the user isn't a member, or the team doesn't exist or is hidden from
   * the caller.
   * @example await hosting.teams.removeMember({ id: 1, username: 'mona' });
   */
  removeMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(removeMember, input, options);
  }

  /**
   * `GET /teams/{id}/repos`
   *
   * Lists a team's repositories.
   * @throws {NotFoundError} if the team doesn't exist or is hidden from the caller.
   * @example for await (const each of hosting.teams.listRepos({ id: 1 })) console.log(each);
   */
  listRepos(input: TeamListInput, options?: HostingListOptions): Paginated<Repository> {
    return this.api.list(listRepos, input, options);
  }

  /**
   * `GET /teams/{id}/repos/{owner}/{repo}`
   *
   * Checks whether a team has access to a repository. Also returns false if the team or the
   * repository doesn't exist or is hidden.
   * @example if (await hosting.teams.hasRepo({ id: 1, owner, repo })) console.log('yes');
   */
  hasRepo(input: TeamRepoInput, options?: HostingRequestOptions): Call<boolean> {
    return this.api.call(hasRepo, input, options);
  }

  /**
   * `PUT /teams/{id}/repos/{org}/{repo}`
   *
   * Adds a repository to a team. Requires organization ownership. The repository must belong to the
   * organization or be a direct fork of one of the organization's repositories. The call is
   * idempotent, so the client retries it after a temporary failure.
   * @throws {UnprocessableError} if the repository belongs to a different owner and isn't a direct
   * fork (code `not_owned`).
   * @example await hosting.teams.addRepo({ id: 1, org: 'acme', repo });
   */
  addRepo(input: AddTeamRepo, options?: HostingRequestOptions): Call<void> {
    return this.api.call(addRepo, input, options);
  }

  /**
   * `DELETE /teams/{id}/repos/{owner}/{repo}`
   *
   * Removes a repository from a team without deleting it. Requires organization ownership. The
   * server rejects removals from the Owners team, which always has access to all repositories. The
   * call is idempotent, so the client retries it after a temporary failure.
   * @example await hosting.teams.removeRepo({ id: 1, owner, repo });
   */
  removeRepo(input: TeamRepoInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(removeRepo, input, options);
  }

  /**
   * `GET /user/teams`
   *
   * Lists the caller's teams in all organizations. A token needs the `user` or `repo` scope.
   * @throws {AuthenticationError} if credentials are missing or invalid.
   * @example for await (const each of hosting.teams.listMine()) console.log(each);
   */
  listMine(input: PageInput = {}, options?: HostingListOptions): Paginated<Team> {
    return this.api.list(listMyTeams, input, options);
  }
}
