import * as z from 'zod/mini';
import * as check from '../checks.js';
import {
  accountKind,
  applicationKind,
  authorizationKind,
  teamKind,
} from '../hosting/records/accounts.js';
import { repositoryKind, type StarRecord } from '../hosting/records/repository.js';
import { createCheck, type DataOf, type Loose } from '../record.js';
import { type FileData, filesCheck, type GitData, gitCheck } from './git-data.js';

/** State of the hosting API. */
export interface HostingData {
  /** Highest ID of any record. */
  readonly lastId?: number | undefined;
  /** Users and organizations. The first user is signed in to the web pages. */
  readonly accounts?: readonly AccountData[] | undefined;
  /** OAuth applications. */
  readonly applications?: readonly ApplicationData[] | undefined;
  /** Tokens and their scopes. */
  readonly tokens?: readonly AuthorizationData[] | undefined;
  /** Repositories with their content. */
  readonly repositories?: readonly RepositoryData[] | undefined;
  /** Teams of organizations. */
  readonly teams?: readonly TeamData[] | undefined;
  /** New names of renamed repositories by old name, as `owner/name`. */
  readonly renamed?: Readonly<Record<string, string>> | undefined;
}

/** A user or an organization. Default: a user. */
export interface AccountData extends DataOf<typeof accountKind> {
  /**
   * Logins of an organization's owners. Creates the Owners team, which has access to all of the
   * organization's repositories.
   */
  readonly owners?: readonly string[] | undefined;
}

/** An OAuth application. */
export interface ApplicationData extends DataOf<typeof applicationKind> {}

/** A token and its scopes. */
export interface AuthorizationData extends DataOf<typeof authorizationKind> {}

/** A team. */
export interface TeamData extends DataOf<typeof teamKind> {}

/** A repository. */
export interface RepositoryData extends DataOf<typeof repositoryKind> {
  /** Files of the default branch by path, in one commit. */
  readonly files?: Readonly<Record<string, FileData>> | undefined;
  /** Complete history, instead of `files`. */
  readonly git?: GitData | undefined;
  /** Logins in the order of their stars, or an object that maps logins to stars or star times. */
  readonly stargazers?:
    | readonly string[]
    | Readonly<Record<string, string | Loose<StarRecord>>>
    | undefined;
}

const starCheck = z.strictObject({
  starredAt: z.optional(check.time()),
  sequence: z.optional(check.id()),
});

const repositoryCheck = z.extend(createCheck(repositoryKind), {
  files: z.optional(filesCheck),
  git: z.optional(gitCheck),
  stargazers: z.optional(
    z.union(
      [check.texts(), check.dictionary(z.union([check.time(), starCheck]))],
      'must be an array of logins, or an object that maps logins to times or to { starredAt, sequence }',
    ),
  ),
});

export const hostingCheck = z.partial(
  z.strictObject({
    lastId: check.count(),
    accounts: z.array(z.extend(createCheck(accountKind), { owners: z.optional(check.texts()) })),
    applications: z.array(createCheck(applicationKind)),
    tokens: z.array(createCheck(authorizationKind)),
    repositories: z.array(repositoryCheck),
    teams: z.array(createCheck(teamKind)),
    renamed: check.dictionary(check.fullName(), check.fullName()),
  }),
);
