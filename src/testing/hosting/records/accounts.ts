import * as z from 'zod/mini';
import * as check from '../../checks.js';
import { sha1 } from '../../random.js';
import {
  converted,
  field,
  type Loose,
  optional,
  type RecordOf,
  record,
  required,
} from '../../record.js';
import { dated } from './shared-fields.js';

/** Scopes that each scope implies. */
const implied: Readonly<Record<string, readonly string[]>> = {
  user: ['user:email', 'user:follow'],
  repo: ['public_repo', 'repo_deployment', 'repo:status', 'notifications'],
  'write:repo_hook': ['read:repo_hook'],
  'admin:repo_hook': ['write:repo_hook', 'read:repo_hook'],
  'write:org': ['read:org'],
  'admin:org': ['write:org', 'read:org'],
  'write:public_key': ['read:public_key'],
  'admin:public_key': ['write:public_key', 'read:public_key'],
};

function findImplied(scope: string): readonly string[] {
  return Object.hasOwn(implied, scope) ? (implied[scope] ?? []) : [];
}

const known = new Set([
  ...Object.keys(implied),
  ...Object.values(implied).flat(),
  'delete_repo',
  'gist',
]);

/** @internal */
export function isScope(name: string): boolean {
  return known.has(name);
}

/**
 * @internal Returns the requested scopes without duplicates and without scopes that another
 * requested scope implies.
 */
export function normalized(scopes: readonly string[]): string[] {
  const brought = new Set(scopes.flatMap(findImplied));
  return [...new Set(scopes)].filter((scope) => !brought.has(scope));
}

/** @internal Returns whether the granted scopes include or imply one of the required scopes. */
export function grants(granted: readonly string[], wanted: readonly string[]): boolean {
  return granted.some((scope) =>
    [scope, ...findImplied(scope)].some((each) => wanted.includes(each)),
  );
}

/** @internal */
export const accountKind = record(
  {
    /** Numeric ID. */
    id: field(check.id(), ({ id }) => id),
    /** Login name, such as `mona`. */
    login: required(check.slug()),
    /** Type of the account. */
    type: field(z.enum(['User', 'Organization']), 'User'),
    /** Whether the account administers the server. */
    siteAdmin: field(check.flag(), false),
    /** Whether the account is suspended. Requests with the account's credentials get a 403. */
    suspended: field(check.flag(), false),
    /** Password for Basic authentication. Undefined if the account has no password. */
    password: optional(check.text()),
    /** One-time password. Undefined if two-factor authentication is off. */
    otp: optional(check.text()),
  },
  ['login'],
);

/** A user or organization of the emulator. */
export interface Account extends RecordOf<typeof accountKind> {}

/** Properties of a new account. */
export type AccountInput = Loose<Omit<Account, 'id' | 'login' | 'type'>>;

/** @internal */
export const applicationKind = record(
  {
    /** 20-character client ID. */
    clientId: field(check.text(), ({ id }, { name }) =>
      sha1('client id', `${name} ${id}`).slice(0, 20),
    ),
    /** Client secret, 40 characters. */
    clientSecret: field(check.text(), ({ id }, { name }) => sha1('client secret', `${name} ${id}`)),
    /** Name of the application. */
    name: required(check.name()),
    /** Home page of the application. */
    url: field(check.text(), 'https://app.example.com'),
    /** URL that the web flow redirects to. */
    callbackUrl: field(z.url(), 'https://app.example.com/callback'),
    /**
     * Whether a loopback `redirect_uri` may have any port (RFC 8252, section 7.3). Needed for apps
     * in development.
     */
    anyPort: field(check.flag(), false),
    /** Whether the application is suspended. Its users get the `application_suspended` error. */
    suspended: field(check.flag(), false),
  },
  ['clientId'],
);

/** An OAuth application. */
export interface Application extends RecordOf<typeof applicationKind> {}

/** Properties of a new application. */
export type NewApplication = Loose<Omit<Application, 'name'>>;

/** @internal */
export const authorizationKind = record(
  {
    /** Numeric ID. */
    id: field(check.id(), ({ id }) => id),
    /** Value of the token. */
    token: field(check.name(), ({ id }, { login }) => sha1('token', String(login), String(id))),
    /** Login of the owner. */
    login: required(check.slug()),
    /** Granted scopes. */
    scopes: field<readonly string[]>(z.array(check.headerText()), []),
    /** Client ID of the application. Undefined for a personal token. */
    clientId: optional(check.text()),
    /** Text that describes the token. */
    note: field(check.nullText(), null),
    /** URL of a page about the token's application. */
    noteUrl: field(check.nullText(), null),
    ...dated,
  },
  ['token'],
);

/** A token and its scopes. */
export interface AuthorizationRecord extends RecordOf<typeof authorizationKind> {}

/** Properties of a new token. */
export type TokenInput = Loose<
  Pick<AuthorizationRecord, 'token' | 'clientId' | 'note' | 'noteUrl'>
>;

const asSet = {
  decode: (names: readonly string[]) => new Set(names),
  encode: (names: Set<string>) => [...names],
};

/** @internal */
export const teamKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** Login of the organization. */
  org: required(check.slug()),
  /** Name of the team. */
  name: required(check.name()),
  /** Access level of the members. */
  permission: field(check.permission(), 'pull'),
  /** Logins of the members. */
  members: converted(check.texts(), () => new Set<string>(), asSet),
  /** Repositories, as `owner/name`. */
  repos: converted(z.array(check.fullName()), () => new Set<string>(), asSet),
});

/** An organization's team. */
export interface TeamRecord extends RecordOf<typeof teamKind> {}

/** Properties of a new team. */
export interface NewTeam {
  /** Access level of the members. Default: `pull`. */
  readonly permission?: TeamRecord['permission'] | undefined;
  /** Logins of the members. */
  readonly members?: readonly string[] | undefined;
  /** Repositories, as `owner/name`. */
  readonly repos?: readonly string[] | undefined;
}
