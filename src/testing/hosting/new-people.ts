import { sha1 } from '../random.js';
import type { Account, Application, AuthorizationRecord, TeamRecord } from './accounts.js';
import type { Loose, Origin } from './new-records.js';
import { normalized } from './scopes.js';

/** Properties of a new account. */
export type AccountInput = Loose<Omit<Account, 'id' | 'login' | 'type'>>;

/** Properties of a new token. */
export type TokenInput = Loose<
  Pick<AuthorizationRecord, 'token' | 'clientId' | 'note' | 'noteUrl'>
>;

/** Properties of a new application. */
export type ApplicationInput = Loose<Omit<Application, 'name'>>;

/** Properties of a new team. */
export interface TeamInput {
  /** Access level of the members. Default: `pull`. */
  readonly permission?: TeamRecord['permission'] | undefined;
  /** Logins of the members. */
  readonly members?: readonly string[] | undefined;
  /** Repositories, as `owner/name`. */
  readonly repos?: readonly string[] | undefined;
}

export function newAccount(
  { id }: Origin,
  login: string,
  type: Account['type'],
  input: AccountInput,
): Account {
  return {
    id,
    login,
    type,
    siteAdmin: input.siteAdmin ?? false,
    suspended: input.suspended ?? false,
    password: input.password,
    otp: input.otp,
  };
}

export function newToken(
  { id, now }: Origin,
  login: string,
  scopes: readonly string[],
  input: TokenInput,
): AuthorizationRecord {
  return {
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
}

export function newApplication({ id }: Origin, name: string, input: ApplicationInput): Application {
  const seed = `${name} ${id}`;
  return {
    clientId: input.clientId ?? sha1('client id', seed).slice(0, 20),
    clientSecret: input.clientSecret ?? sha1('client secret', seed),
    name,
    url: input.url ?? 'https://app.example.com',
    callbackUrl: input.callbackUrl ?? 'https://app.example.com/callback',
    anyPort: input.anyPort ?? false,
    suspended: input.suspended ?? false,
  };
}

export function newTeam({ id }: Origin, org: string, name: string, input: TeamInput): TeamRecord {
  return {
    id,
    org,
    name,
    permission: input.permission ?? 'pull',
    members: new Set(input.members),
    repos: new Set(input.repos),
  };
}
