import type { Call } from '../transport/call.js';
import { endpoint, json, list, nothing } from '../transport/endpoint.js';
import {
  filledText,
  id,
  oneOf,
  optional,
  type PageInput,
  paging,
  texts,
} from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import type { HostingCaller, HostingListOptions, HostingRequestOptions } from './caller.js';
import { type Repository, Team, TeamSummary, type User } from './models/index.js';
import {
  type TeamInput,
  type TeamListInput,
  type TeamMemberInput,
  TeamMembers,
} from './team-members.js';
import { type AddTeamRepo, type TeamRepoInput, TeamRepos } from './team-repos.js';

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
  readonly name: string;
  /** Repositories of the team, as `owner/name`. */
  readonly repo_names?: readonly string[] | undefined;
  /** Default `pull`. */
  readonly permission?: TeamPermission | undefined;
}

/** Input of {@link Teams.update}. */
export interface UpdateTeam extends TeamInput {
  readonly name: string;
  /** Default `pull`: a server may reset the permission where it is not given. */
  readonly permission?: TeamPermission | undefined;
}

const permission = optional(oneOf('pull', 'push', 'admin'));

const listTeams = endpoint<ListTeams>()({
  operation: 'teams.list',
  method: 'GET',
  path: '/orgs/{org}/teams',
  input: { org: filledText, ...paging },
  answer: list(TeamSummary),
});

const getTeam = endpoint<TeamInput>()({
  operation: 'teams.get',
  method: 'GET',
  path: '/teams/{id}',
  input: { id },
  answer: json(Team),
});

const createTeam = endpoint<CreateTeam>()({
  operation: 'teams.create',
  method: 'POST',
  path: '/orgs/{org}/teams',
  input: { org: filledText, name: filledText, repo_names: optional(texts), permission },
  answer: json(Team),
});

const updateTeam = endpoint<UpdateTeam>()({
  operation: 'teams.update',
  method: 'PATCH',
  path: '/teams/{id}',
  input: { id, name: filledText, permission },
  answer: json(Team),
});

const deleteTeam = endpoint<TeamInput>()({
  operation: 'teams.delete',
  method: 'DELETE',
  path: '/teams/{id}',
  input: { id },
  answer: nothing,
});

const listMyTeams = endpoint<PageInput>()({
  operation: 'teams.listMine',
  method: 'GET',
  path: '/user/teams',
  input: paging,
  answer: list(Team),
});

/**
 * Teams of an organization (contract section "Teams"). All actions need an authenticated member of the
 * organization's Owners team; a token needs the scope `read:org`.
 */
export class Teams {
  readonly #caller: HostingCaller;
  readonly #members: TeamMembers;
  readonly #repos: TeamRepos;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
    this.#members = new TeamMembers(caller);
    this.#repos = new TeamRepos(caller);
  }

  /** Teams of an organization, in short: {@link get} tells permission and numbers. @throws {NotFoundError} */
  list(input: ListTeams, options?: HostingListOptions): Paginated<TeamSummary> {
    return this.#caller.list(listTeams, input, options);
  }

  /** One team. @throws {NotFoundError} */
  get(input: TeamInput, options?: HostingRequestOptions): Call<Team> {
    return this.#caller.call(getTeam, input, options);
  }

  /** Makes a team. Needs an owner of the organization. @throws {UnprocessableError} */
  create(input: CreateTeam, options?: HostingRequestOptions): Call<Team> {
    return this.#caller.call(createTeam, input, options);
  }

  /**
   * Renames a team or changes its permission. Needs an owner of the organization. Without `permission`
   * a server may reset it to `pull`: give the present one to keep it.
   * @throws {NotFoundError}
   */
  update(input: UpdateTeam, options?: HostingRequestOptions): Call<Team> {
    return this.#caller.call(updateTeam, input, options);
  }

  /** Deletes a team. Needs an owner of the organization. @throws {NotFoundError} */
  delete(input: TeamInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(deleteTeam, input, options);
  }

  /** Members of a team. Needs a member of the team. @throws {NotFoundError} */
  listMembers(input: TeamListInput, options?: HostingListOptions): Paginated<User> {
    return this.#members.list(input, options);
  }

  /** Whether a user is a member; false also where the team is missing or hidden. Needs a member of the team. */
  isMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<boolean> {
    return this.#members.has(input, options);
  }

  /**
   * Adds a user to a team. Needs admin permission in the team, or an owner of the organization. Safe to
   * repeat, and repeated after a failed connection.
   * @throws {UnprocessableError} code `org`: the user is an organization.
   */
  addMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.#members.add(input, options);
  }

  /**
   * Removes a user from a team, and from nothing else. Needs admin permission in the team, or an owner of
   * the organization. Safe to repeat, and repeated after a failed connection.
   * @throws {NotFoundError}
   */
  removeMember(input: TeamMemberInput, options?: HostingRequestOptions): Call<void> {
    return this.#members.remove(input, options);
  }

  /** Repositories of a team. @throws {NotFoundError} */
  listRepos(input: TeamListInput, options?: HostingListOptions): Paginated<Repository> {
    return this.#repos.list(input, options);
  }

  /** Whether a team manages a repository; false also where one of them is missing or hidden. */
  hasRepo(input: TeamRepoInput, options?: HostingRequestOptions): Call<boolean> {
    return this.#repos.has(input, options);
  }

  /**
   * Gives a repository to a team. Needs an owner of the organization; the repository must be the
   * organization's own, or a direct fork of one. Safe to repeat, and repeated after a failed connection.
   * @throws {UnprocessableError} code `not_owned`: it is neither.
   */
  addRepo(input: AddTeamRepo, options?: HostingRequestOptions): Call<void> {
    return this.#repos.add(input, options);
  }

  /**
   * Takes a repository from a team; the repository itself stays. Needs an owner of the organization. Not
   * allowed for the Owners team, which always has all repositories. Safe to repeat, and repeated after
   * a failed connection.
   */
  removeRepo(input: TeamRepoInput, options?: HostingRequestOptions): Call<void> {
    return this.#repos.remove(input, options);
  }

  /** Teams of the caller in all organizations. A token needs the scope `user` or `repo`. @throws {AuthenticationError} */
  listMine(input: PageInput = {}, options?: HostingListOptions): Paginated<Team> {
    return this.#caller.list(listMyTeams, input, options);
  }
}
