import type { Account, Application, AuthorizationRecord, Grant, TeamRecord } from './accounts.js';
import type { Repo } from './repo-state.js';

/** Everything the hosting API knows. */
export class HostingState {
  /** By login. */
  readonly accounts = new Map<string, Account>();
  /** By `owner/name`. */
  readonly repos = new Map<string, Repo>();
  /** By token. */
  readonly tokens = new Map<string, AuthorizationRecord>();
  /** By client id. */
  readonly applications = new Map<string, Application>();
  /** By id. */
  readonly teams = new Map<number, TeamRecord>();
  /** Codes of the OAuth web flow that were not exchanged yet. */
  readonly grants = new Map<string, Grant>();
  /** Old names of repositories, with the new ones. */
  readonly renamed = new Map<string, string>();
  /** The highest id that was given to anything. */
  lastId = 0;
  /** The highest `sequence` of any star. */
  lastStar = 0;

  /** The next id: whole numbers, rising. */
  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** The repository of an owner and a name; undefined where there is none. */
  repo(owner: string, name: string): Repo | undefined {
    return this.repos.get(`${owner}/${name}`);
  }

  /** The account of a login; undefined where there is none. */
  account(login: string): Account | undefined {
    return this.accounts.get(login);
  }

  /** Teams of an organization, in the order they were made. */
  teamsOf(org: string): TeamRecord[] {
    return [...this.teams.values()].filter((team) => team.org === org);
  }

  /** Whether somebody is in the Owners team of an organization. */
  owns(login: string, org: string): boolean {
    return this.teamsOf(org).some((team) => team.name === 'Owners' && team.members.has(login));
  }
}
