import type { ConfigurationStatus } from '../../console/models/status.js';
import type { ContactNote } from '../../support/models/contact.js';
import type { Account, Application, AuthorizationRecord, TeamRecord } from '../hosting/accounts.js';
import type { Loose } from '../hosting/new-records.js';
import type {
  Asset,
  CommentRecord,
  CommitRecord,
  DownloadRecord,
  HookRecord,
  PagesBuildRecord,
  PagesRecord,
  Pull,
  ReleaseRecord,
  Repo,
  StarRecord,
} from '../hosting/repo-state.js';
import type { StoredProfile } from '../support/records.js';
import type { CaseSeed, ContactSeed } from '../support/seeds.js';
import type { Session, SupportUser } from '../support/sessions.js';

/**
 * State of an emulator as plain data: the result of `emulator.export()`, and the content of a file for
 * `--seed` and `createEmulator({ seed })`. Omitted fields get the defaults of `addUser`, `addRepo` and the
 * similar methods. Times are in ISO 8601.
 */
export interface Dataset {
  /** Fixed time of the emulator's clock. Default: the clock runs. */
  readonly now?: string | undefined;
  /** Milliseconds by which a running clock is ahead of the present. Ignored with `now`. Default: 0. */
  readonly ahead?: number | undefined;
  /** State of the hosting API. */
  readonly hosting?: HostingData | undefined;
  /** State of the support API. */
  readonly support?: SupportData | undefined;
  /** State of the appliance. */
  readonly console?: ConsoleData | undefined;
}

/** Bytes: text if they are valid UTF-8, otherwise Base64. */
export type BytesData = string | Base64Data;

/** Bytes that aren't text. */
export interface Base64Data {
  /** Standard Base64 (RFC 4648, section 4). */
  readonly base64: string;
}

/** Content of a path. */
export type FileData =
  | BytesData
  | { readonly symlink: string }
  | { readonly submodule: string; readonly hosted?: boolean | undefined };

/** State of the hosting API. */
export interface HostingData {
  /** Highest id of any record. */
  readonly lastId?: number | undefined;
  /** Users and organizations. The first user is signed in to the web pages. */
  readonly accounts?: readonly AccountData[] | undefined;
  /** OAuth applications. */
  readonly applications?: readonly (Loose<Application> & { readonly name: string })[] | undefined;
  /** Tokens and their scopes. */
  readonly tokens?:
    | readonly (Loose<AuthorizationRecord> & { readonly login: string })[]
    | undefined;
  /** Repositories with their content. */
  readonly repositories?: readonly RepositoryData[] | undefined;
  /** Teams of organizations. */
  readonly teams?: readonly TeamData[] | undefined;
  /** New names of renamed repositories by old name, as `owner/name`. */
  readonly renamed?: Readonly<Record<string, string>> | undefined;
}

/** A user or an organization. Default: a user. */
export interface AccountData extends Loose<Omit<Account, 'login'>> {
  /** Unique name. */
  readonly login: string;
  /** Logins of an organization's owners. Creates its Owners team, which has all its repositories. */
  readonly owners?: readonly string[] | undefined;
}

/** A team. */
export interface TeamData extends Loose<Pick<TeamRecord, 'id' | 'permission'>> {
  /** Login of the organization. */
  readonly org: string;
  /** Name of the team. */
  readonly name: string;
  /** Logins of the members. */
  readonly members?: readonly string[] | undefined;
  /** Repositories, as `owner/name`. */
  readonly repos?: readonly string[] | undefined;
}

type OfRepository =
  | 'id'
  | 'description'
  | 'isPrivate'
  | 'forkOf'
  | 'language'
  | 'defaultBranch'
  | 'createdAt'
  | 'updatedAt';

/** A repository. */
export interface RepositoryData extends Loose<Pick<Repo, OfRepository>> {
  /** Login of the owner. */
  readonly owner: string;
  /** Name, without the owner. */
  readonly name: string;
  /** Files of the default branch by path, in one commit. */
  readonly files?: Readonly<Record<string, FileData>> | undefined;
  /** Complete history, instead of `files`. */
  readonly git?: GitData | undefined;
  /** Access levels of collaborators, by login. */
  readonly collaborators?: Readonly<Record<string, 'pull' | 'push' | 'admin'>> | undefined;
  /** Logins in the order of their stars, or the star (or only its time) of each login. */
  readonly stargazers?:
    | readonly string[]
    | Readonly<Record<string, string | Loose<StarRecord>>>
    | undefined;
  /** Pull requests, in the order of their numbers. */
  readonly pulls?: readonly Loose<Pull>[] | undefined;
  /** Releases, oldest first. */
  readonly releases?: readonly ReleaseData[] | undefined;
  /** Comments on commits. */
  readonly comments?: readonly (Loose<CommentRecord> & { readonly body: string })[] | undefined;
  /** Webhooks. */
  readonly hooks?:
    | readonly (Loose<HookRecord> & { readonly config: Readonly<Record<string, string>> })[]
    | undefined;
  /** Downloads (deprecated by the service). */
  readonly downloads?: readonly (Loose<DownloadRecord> & { readonly name: string })[] | undefined;
  /** Pages site, with its builds, oldest first. */
  readonly pages?:
    | (Loose<Omit<PagesRecord, 'builds'>> & {
        readonly builds?: readonly Loose<PagesBuildRecord>[] | undefined;
      })
    | undefined;
}

/** A release. */
export interface ReleaseData extends Loose<Omit<ReleaseRecord, 'tagName' | 'assets'>> {
  /** Name of the tag. */
  readonly tagName: string;
  /** Files of the release. A file without `content` has only a `size`. */
  readonly assets?:
    | readonly (Loose<Omit<Asset, 'name' | 'content'>> & {
        readonly name: string;
        readonly content?: BytesData | undefined;
      })[]
    | undefined;
}

/** Target of a reference. */
export interface RefData {
  /** SHA of the commit. */
  readonly sha: string;
  /** Type of the target. */
  readonly type: 'commit' | 'tag';
}

/** Git history of a repository. */
export interface GitData {
  /** Files by SHA; links and submodules by any other name. */
  readonly objects: Readonly<Record<string, FileData>>;
  /** Commits with their trees. */
  readonly commits: readonly (Omit<CommitRecord, 'tree'> & {
    /** Names in `objects`, by path. */
    readonly tree: Readonly<Record<string, string>>;
  })[];
  /** References by full name, such as `heads/main`. */
  readonly refs: Readonly<Record<string, RefData>>;
}

/** State of the support API. */
export interface SupportData {
  /** API users. */
  readonly users?: readonly SupportUser[] | undefined;
  /** Names of the campaigns. */
  readonly campaigns?: readonly string[] | undefined;
  /** Contacts, in the order of creation. */
  readonly contacts?: readonly ContactData[] | undefined;
  /** Cases, in the order of creation. */
  readonly cases?: readonly CaseData[] | undefined;
  /** Sessions. */
  readonly sessions?: readonly Session[] | undefined;
}

/** Times and notes of a record in a file. */
interface RecordData {
  /** Time of creation. */
  readonly created?: string | undefined;
  /** Time of the last change. */
  readonly updated?: string | undefined;
  /** Texts, or notes with a date (epoch ms) and author. */
  readonly notes?: readonly (string | ContactNote)[] | undefined;
}

/** A contact. */
export interface ContactData extends Omit<ContactSeed, keyof RecordData | 'profiles'>, RecordData {
  /** Profiles in channels. */
  readonly profiles?: readonly StoredProfile[] | undefined;
}

/** A case. */
export interface CaseData extends Omit<CaseSeed, keyof RecordData>, RecordData {
  /** Whether the case was reopened. */
  readonly reopened?: boolean | undefined;
  /** Time when the case was last opened. */
  readonly lastOpened?: string | undefined;
}

/** State of the Management Console, except for a configuration run in progress. */
export interface ConsoleData {
  /** MD5 hash of the license that authenticates requests. Omitted on an appliance without a license. */
  readonly licenseMd5?: string | undefined;
  /** Settings, which are merged into those of a new appliance. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Start of maintenance. Omitted if maintenance is off. */
  readonly maintenance?: string | undefined;
  /** Status of the last configuration run. */
  readonly standing?: ConfigurationStatus | undefined;
  /** Open connections by service. */
  readonly connections?: Readonly<Record<string, number>> | undefined;
  /** Public keys in the format of an `authorized_keys` file. */
  readonly keys?: readonly string[] | undefined;
}
