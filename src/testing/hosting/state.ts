import type { Account } from './records/account.js';
import type { Application } from './records/application.js';
import type { AuthorizationRecord } from './records/authorization.js';
import type { Repo } from './records/repository.js';
import type { TeamRecord } from './records/team.js';

/** Access that a user granted in the web flow, until the code is exchanged. */
export interface Grant {
  /** Client id of the application. */
  readonly clientId: string;
  /** Login of the user. */
  readonly login: string;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** URL that the browser is redirected to. */
  readonly redirectUri: string | undefined;
  /** Expiry by the emulator's clock, in epoch ms. */
  readonly expiresAt: number;
}

/** State of the hosting API. */
export class HostingState {
  /** Accounts by login. */
  readonly accounts = new Map<string, Account>();
  /** Repositories by `owner/name`. */
  readonly repos = new Map<string, Repo>();
  /** Authorizations by token. */
  readonly tokens = new Map<string, AuthorizationRecord>();
  /** Applications by client id. */
  readonly applications = new Map<string, Application>();
  /** Teams by id. */
  readonly teams = new Map<number, TeamRecord>();
  /** Pending grants of the OAuth web flow, by code. */
  readonly grants = new Map<string, Grant>();
  /** New names of renamed repositories, by old name. */
  readonly renamed = new Map<string, string>();
  /** Highest id of any record. */
  lastId = 0;
  /** Highest `sequence` of any star. */
  lastStar = 0;

  /** Returns the next id, an ascending integer. */
  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** Returns the repository of an owner with a name; undefined if there is none. */
  repo(owner: string, name: string): Repo | undefined {
    return this.repos.get(`${owner}/${name}`);
  }

  /** Returns the account with a login; undefined if there is none. */
  account(login: string): Account | undefined {
    return this.accounts.get(login);
  }

  /** Returns the teams of an organization in the order of creation. */
  listTeams(org: string): TeamRecord[] {
    return [...this.teams.values()].filter((team) => team.org === org);
  }

  /** Whether a user is in the Owners team of an organization. */
  owns(login: string, org: string): boolean {
    return this.listTeams(org).some((team) => team.name === 'Owners' && team.members.has(login));
  }
}
