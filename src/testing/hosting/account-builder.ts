import type { EmulatorClock } from '../clock.js';
import { sha1 } from '../random.js';
import type { Account, Application, AuthorizationRecord, TeamRecord } from './accounts.js';
import { normalized } from './scopes.js';
import { HostingState } from './state.js';

/** The same type, with properties that may be left out or undefined. */
export type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Adds who there is: users, organizations, teams, tokens, applications. */
export class AccountBuilder {
  /** Everything it knows: read it in assertions, change it to set a scene. */
  state = new HostingState();
  protected readonly clock: EmulatorClock;

  constructor(clock: EmulatorClock) {
    this.clock = clock;
  }

  /** Adds a user, without a password unless one is given. */
  addUser(login: string, input: Loose<Omit<Account, 'id' | 'login' | 'type'>> = {}): Account {
    return this.#addAccount(login, 'User', input);
  }

  /** Adds an organization with its Owners team. @param owners logins. */
  addOrg(login: string, owners: readonly string[] = []): Account {
    const account = this.#addAccount(login, 'Organization', {});
    this.addTeam(login, 'Owners', { permission: 'admin', members: owners });
    return account;
  }

  /** Adds a token of a user. Its value is made up unless it is given. */
  addToken(
    login: string,
    scopes: readonly string[] = [],
    input: {
      readonly token?: string | undefined;
      readonly clientId?: string | undefined;
      readonly note?: string | undefined;
      readonly noteUrl?: string | undefined;
    } = {},
  ): AuthorizationRecord {
    const id = this.state.nextId();
    const now = this.clock.iso();
    const record: AuthorizationRecord = {
      id,
      token: input.token ?? sha1('token', login, String(id)),
      login,
      scopes: normalized(scopes),
      clientId: input.clientId,
      note: input.note ?? null,
      noteUrl: input.noteUrl ?? null,
      createdAt: now,
      updatedAt: now,
    };
    this.state.tokens.set(record.token, record);
    return record;
  }

  /** Adds an OAuth application. Its id (20 characters) and secret (40) are made up unless they are given. */
  addApplication(name: string, input: Loose<Omit<Application, 'name'>> = {}): Application {
    const seed = `${name} ${this.state.nextId()}`;
    const application: Application = {
      clientId: input.clientId ?? sha1('client id', seed).slice(0, 20),
      clientSecret: input.clientSecret ?? sha1('client secret', seed),
      name,
      url: input.url ?? 'https://app.example.com',
      callbackUrl: input.callbackUrl ?? 'https://app.example.com/callback',
      suspended: input.suspended ?? false,
    };
    this.state.applications.set(application.clientId, application);
    return application;
  }

  /** Adds a team. @param input.permission default `pull`. @param input.repos `owner/name`. */
  addTeam(
    org: string,
    name: string,
    input: {
      readonly permission?: TeamRecord['permission'] | undefined;
      readonly members?: readonly string[] | undefined;
      readonly repos?: readonly string[] | undefined;
    } = {},
  ): TeamRecord {
    const team: TeamRecord = {
      id: this.state.nextId(),
      org,
      name,
      permission: input.permission ?? 'pull',
      members: new Set(input.members),
      repos: new Set(input.repos),
    };
    this.state.teams.set(team.id, team);
    return team;
  }

  #addAccount(
    login: string,
    type: Account['type'],
    input: Loose<Omit<Account, 'id' | 'login' | 'type'>>,
  ): Account {
    const account: Account = {
      id: this.state.nextId(),
      login,
      type,
      siteAdmin: input.siteAdmin ?? false,
      suspended: input.suspended ?? false,
      password: input.password,
      otp: input.otp,
    };
    this.state.accounts.set(login, account);
    return account;
  }
}
