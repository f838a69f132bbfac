import type { Call, JsonCall } from '../../transport/call.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { endpoint, json, list, nothing } from '../../transport/request/endpoint.js';
import {
  filledText,
  id,
  oneOf,
  optional,
  type PageInput,
  paging,
  texts,
} from '../../transport/request/input.js';
import { type Repository, Team, TeamSummary, type User } from '../models/index.js';
import { type HostingListOptions, type HostingRequestOptions, HostingResource } from './common.js';
import type { TeamInput, TeamListInput, TeamMemberInput } from './team-members.js';
import * as members from './team-members.js';
import type { AddTeamRepo, TeamRepoInput } from './team-repos.js';
import * as repos from './team-repos.js';

/** What members of a team may do in its repositories. */
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
  /** Repositories of the team, as `owner/name`. */
  readonly repo_names?: readonly string[] | undefined;
  /** Default `pull`. */
  readonly permission?: TeamPermission | undefined;
}

/** Input of {@link Teams.update}. */
export interface UpdateTeam extends TeamInput {
  /** Name of the team. */
  readonly name: string;
  /** Default `pull`: a server may reset the permission where it is not given. */
  readonly permission?: TeamPermission | undefined;
}

const permission = optional(oneOf('pull', 'push', 'admin'));

const listTeams = endpoint<ListTeams>('GET /orgs/{org}/teams')({
  operation: 'teams.list',
  input: { org: filledText, ...paging },
  answer: list(TeamSummary),
});

const getTeam = endpoint<TeamInput>('GET /teams/{id}')({
  operation: 'teams.get',
  input: { id },
  answer: json(Team),
});

const createTeam = endpoint<CreateTeam>('POST /orgs/{org}/teams')({
  operation: 'teams.create',
  input: { org: filledText, name: filledText, repo_names: optional(texts), permission },
  answer: json(Team),
});

const updateTeam = endpoint<UpdateTeam>('PATCH /teams/{id}')({
  operation: 'teams.update',
  input: { id, name: filledText, permission },
  answer: json(Team),
});

const deleteTeam = endpoint<TeamInput>('DELETE /teams/{id}')({
  operation: 'teams.delete',
  input: { id },
  answer: nothing,
});

const listMyTeams = endpoint<PageInput>('GET /user/teams')({
  operation: 'teams.listMine',
  input: paging,
  answer: list(Team),
});

/**
 * Teams of an organization. All actions need an authenticated member of the
 * organization's Owners team; a token needs the scope `read:org`.
 */
export class Teams extends HostingResource {
  /**
   * `GET /orgs/{org}/teams`
   *
   * Teams of an organization, in short: {@link get} tells permission and numbers.
   * @throws {NotFoundError}
   * @example for await (const each of hosting.teams.list({ org: 'acme' })) console.log(each);
   */
  list(input: ListTeams, options?: HostingListOptions): Paginated<TeamSummary> {
    return this.api.list(listTeams, input, options);
  }

  /**
   * `GET /teams/{id}`
   *
   * One team.
   * @throws {NotFoundError}
   * @example await hosting.teams.get({ id: 1 });
   */
  get(input: TeamInput, options?: HostingRequestOptions): JsonCall<Team> {
    return this.api.call(getTeam, input, options);
  }

  /**
   * `POST /orgs/{org}/teams`
   *
   * Makes a team. Needs an owner of the organization.
   * @throws {UnprocessableError}
   * @example await hosting.teams.create({ org: 'acme', name: 'core' });
   */
  create(input: CreateTeam, options?: HostingRequestOptions): JsonCall<Team> {
    return this.api.call(createTeam, input, options);
  }

  /**
   * `PATCH /teams/{id}`
   *
   * Renames a team or changes its permission. Needs an owner of the organization. Without `permission`
   * a server may reset it to `pull`: give the present one to keep it.
   * @throws {NotFoundError}
   * @example await hosting.teams.update({ id: 1, name: 'core' });
   */
  update(input: UpdateTeam, options?: HostingRequestOptions): JsonCall<Team> {
    return this.api.call(updateTeam, input, options);
  }

  /**
   * `DELETE /teams/{id}`
   *
   * Deletes a team. Needs an owner of the organization.
   * @throws {NotFoundError}
   * @example await hosting.teams.delete({ id: 1 });
   */
  delete(input: TeamInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteTeam, input, options);
  }

  /**
   * `GET /teams/{id}/members`
   *
   * Members of a team. Needs a member of the team.
   * @throws {NotFoundError}
   * @example for await (const each of hosting.teams.listMembers({ id: 1 })) console.log(each);
   */
  listMembers(input: TeamListInput, options?: HostingListOptions): Paginated<User> {
    return this.api.list(members.listMembers, input, options);
  }

  /**
   * `GET /teams/{id}/members/{username}`
   *
   * Whether a user is a member; false also where the team is missing or hidden. Needs a member of
   * the team.
   * @example if (await hosting.teams.isMember({ id: 1, username: 'mona' })) console.log('yes');
   */
  isMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<boolean> {
    return this.api.call(members.isMember, input, options);
  }

  /**
   * `PUT /teams/{id}/members/{username}`
   *
   * Adds a user to a team. Needs admin permission in the team, or an owner of the organization. Safe to
   * repeat, and repeated after a failed connection.
   * @throws {UnprocessableError} code `org`: the user is an organization.
   * @example await hosting.teams.addMember({ id: 1, username: 'mona' });
   */
  addMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(members.addMember, input, options);
  }

  /**
   * `DELETE /teams/{id}/members/{username}`
   *
   * Removes a user from a team, and from nothing else. Needs admin permission in the team, or an owner of
   * the organization. Safe to repeat, and repeated after a failed connection.
   * @throws {NotFoundError}
   * @example await hosting.teams.removeMember({ id: 1, username: 'mona' });
   */
  removeMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(members.removeMember, input, options);
  }

  /**
   * `GET /teams/{id}/repos`
   *
   * Repositories of a team.
   * @throws {NotFoundError}
   * @example for await (const each of hosting.teams.listRepos({ id: 1 })) console.log(each);
   */
  listRepos(input: TeamListInput, options?: HostingListOptions): Paginated<Repository> {
    return this.api.list(repos.listRepos, input, options);
  }

  /**
   * `GET /teams/{id}/repos/{owner}/{repo}`
   *
   * Whether a team manages a repository; false also where one of them is missing or hidden.
   * @example if (await hosting.teams.hasRepo({ id: 1, owner, repo })) console.log('yes');
   */
  hasRepo(input: TeamRepoInput, options?: HostingRequestOptions): Call<boolean> {
    return this.api.call(repos.hasRepo, input, options);
  }

  /**
   * `PUT /teams/{id}/repos/{org}/{repo}`
   *
   * Gives a repository to a team. Needs an owner of the organization; the repository must be the
   * organization's own, or a direct fork of one. Safe to repeat, and repeated after a failed connection.
   * @throws {UnprocessableError} code `not_owned`: it is neither.
   * @example await hosting.teams.addRepo({ id: 1, org: 'acme', repo });
   */
  addRepo(input: AddTeamRepo, options?: HostingRequestOptions): Call<void> {
    return this.api.call(repos.addRepo, input, options);
  }

  /**
   * `DELETE /teams/{id}/repos/{owner}/{repo}`
   *
   * Takes a repository from a team; the repository itself stays. Needs an owner of the organization. Not
   * allowed for the Owners team, which always has all repositories. Safe to repeat, and repeated after
   * a failed connection.
   * @example await hosting.teams.removeRepo({ id: 1, owner, repo });
   */
  removeRepo(input: TeamRepoInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(repos.removeRepo, input, options);
  }

  /**
   * `GET /user/teams`
   *
   * Teams of the caller in all organizations. A token needs the scope `user` or `repo`.
   * @throws {AuthenticationError}
   * @example for await (const each of hosting.teams.listMine()) console.log(each);
   */
  listMine(input: PageInput = {}, options?: HostingListOptions): Paginated<Team> {
    return this.api.list(listMyTeams, input, options);
  }
}
