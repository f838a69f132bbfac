import type { Account, Application, AuthorizationRecord, TeamRecord } from './records/accounts.js';
import type { Repo } from './records/repository.js';

/** Access that a user granted in the web flow. Stored until the application exchanges the code. */
export interface Grant {
  /** Client ID of the application. */
  readonly clientId: string;
  /** Login of the user. */
  readonly login: string;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** `redirect_uri` of the authorization request. Undefined if the request had none. */
  readonly redirectUri: string | undefined;
  /** Expiry time on the emulator's clock, in epoch ms. */
  readonly expiresAt: number;
}

/** Map with case-insensitive keys. Each key keeps the letter case in which it was first set. */
class NameMap<V> extends Map<string, V> {
  readonly #stored = new Map<string, string>();

  #find(key: string): string {
    return this.#stored.get(key.toLowerCase()) ?? key;
  }

  override get(key: string): V | undefined {
    return super.get(this.#find(key));
  }

  override has(key: string): boolean {
    return super.has(this.#find(key));
  }

  override set(key: string, value: V): this {
    const stored = this.#find(key);
    this.#stored.set(key.toLowerCase(), stored);
    return super.set(stored, value);
  }

  override delete(key: string): boolean {
    const stored = this.#find(key);
    this.#stored.delete(key.toLowerCase());
    return super.delete(stored);
  }
}

/** State of the hosting API. */
export class HostingState {
  /** Accounts by login. */
  readonly accounts: Map<string, Account> = new NameMap();
  /** Repositories by `owner/name`. */
  readonly repos: Map<string, Repo> = new NameMap();
  /** Authorizations by token. */
  readonly tokens = new Map<string, AuthorizationRecord>();
  /** Applications by client ID. */
  readonly applications = new Map<string, Application>();
  /** Teams by ID. */
  readonly teams = new Map<number, TeamRecord>();
  /** Pending grants of the OAuth web flow, by code. */
  readonly grants = new Map<string, Grant>();
  /** New names of renamed repositories, by old name. */
  readonly renamed: Map<string, string> = new NameMap();
  /** Highest ID of any record. */
  lastId = 0;
  /** Highest `sequence` of any star. */
  lastStar = 0;

  /** Returns the next ID. IDs are integers in ascending order. */
  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** Returns a repository by owner and name. Undefined if it doesn't exist. */
  repo(owner: string, name: string): Repo | undefined {
    return this.repos.get(`${owner}/${name}`);
  }

  /** Returns an account by login. Undefined if it doesn't exist. */
  account(login: string): Account | undefined {
    return this.accounts.get(login);
  }

  /** Returns a path parameter. A login or repository name has its stored letter case. */
  param(params: Readonly<Record<string, string>>, name: string): string {
    const value = params[name] ?? '';
    if (name === 'repo') return this.repo(params.owner ?? '', value)?.name ?? value;
    const isLogin = ['owner', 'org', 'username', 'user'].includes(name);
    return (isLogin ? this.account(value)?.login : undefined) ?? value;
  }

  /** Returns an organization's teams in creation order. */
  listTeams(org: string): TeamRecord[] {
    return [...this.teams.values()].filter((team) => team.org === org);
  }

  /** Returns an organization's team by name. Undefined if it doesn't exist. */
  team(org: string, name: string): TeamRecord | undefined {
    return this.listTeams(org).find((team) => team.name === name);
  }

  /** Returns whether a user is in an organization's Owners team. */
  owns(login: string, org: string): boolean {
    return this.team(org, 'Owners')?.members.has(login) ?? false;
  }
}
