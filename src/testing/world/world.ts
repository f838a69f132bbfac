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
 * What an emulator knows, as plain data: what `emulator.export()` gives, and what a file for `--seed` and
 * `createEmulator({ seed })` holds. Everything that is not required may be left out of a file: it then is
 * as `addUser`, `addRepo` and their like make it. Times are ISO 8601.
 */
export interface World {
  /** Fixed time of the emulator's clock. Default: the clock runs. */
  readonly now?: string | undefined;
  /** Milliseconds by which a running clock is ahead of the present. Ignored with `now`. Default: 0. */
  readonly ahead?: number | undefined;
  /** The hosting API. */
  readonly hosting?: HostingData | undefined;
  /** The support API. */
  readonly support?: SupportData | undefined;
  /** The appliance. */
  readonly console?: ConsoleData | undefined;
}

/** Bytes: as text where they are some, else as Base64. */
export type BytesData = string | Base64Data;

/** Bytes that are no text. */
export interface Base64Data {
  /** Standard Base64 (RFC 4648, section 4). */
  readonly base64: string;
}

/** What a path leads to. */
export type FileData =
  | BytesData
  | { readonly symlink: string }
  | { readonly submodule: string; readonly hosted?: boolean | undefined };

/** Everything of the hosting API. */
export interface HostingData {
  /** The highest id that was given to anything. */
  readonly lastId?: number | undefined;
  /** Users and organizations; the first user is signed in at the web pages. */
  readonly accounts?: readonly AccountData[] | undefined;
  /** OAuth applications. */
  readonly applications?: readonly (Loose<Application> & { readonly name: string })[] | undefined;
  /** Tokens, and what they may do. */
  readonly tokens?:
    | readonly (Loose<AuthorizationRecord> & { readonly login: string })[]
    | undefined;
  /** Repositories with everything in them. */
  readonly repositories?: readonly RepositoryData[] | undefined;
  /** Teams of organizations. */
  readonly teams?: readonly TeamData[] | undefined;
  /** Old names of repositories, with the new ones: `owner/name`. */
  readonly renamed?: Readonly<Record<string, string>> | undefined;
}

/** A user (default), or an organization. */
export interface AccountData extends Loose<Omit<Account, 'login'>> {
  /** Unique name. */
  readonly login: string;
  /** Of an organization: makes its Owners team, which has all its repositories. Logins. */
  readonly owners?: readonly string[] | undefined;
}

/** A team. */
export interface TeamData extends Loose<Pick<TeamRecord, 'id' | 'permission'>> {
  /** Login of the organization. */
  readonly org: string;
  /** Its name. */
  readonly name: string;
  /** Logins. */
  readonly members?: readonly string[] | undefined;
  /** `owner/name`. */
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
  /** Login of a user or organization. */
  readonly owner: string;
  /** Its name, without the owner. */
  readonly name: string;
  /** Files of the default branch, by path: one commit. */
  readonly files?: Readonly<Record<string, FileData>> | undefined;
  /** In place of `files`: the whole history. */
  readonly git?: GitData | undefined;
  /** Who may do what, besides the owner and teams; by login. */
  readonly collaborators?: Readonly<Record<string, 'pull' | 'push' | 'admin'>> | undefined;
  /** Logins, in the order they starred it; or the star of each login, or its time alone. */
  readonly stargazers?:
    | readonly string[]
    | Readonly<Record<string, string | Loose<StarRecord>>>
    | undefined;
  /** Pull requests, by their numbers. */
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
  /** The Pages site, with its builds, oldest first. */
  readonly pages?:
    | (Loose<Omit<PagesRecord, 'builds'>> & {
        readonly builds?: readonly Loose<PagesBuildRecord>[] | undefined;
      })
    | undefined;
}

/** A release. */
export interface ReleaseData extends Loose<Omit<ReleaseRecord, 'tagName' | 'assets'>> {
  /** Its tag. */
  readonly tagName: string;
  /** Files of the release; without `content` they have a `size` alone. */
  readonly assets?:
    | readonly (Loose<Omit<Asset, 'name' | 'content'>> & {
        readonly name: string;
        readonly content?: BytesData | undefined;
      })[]
    | undefined;
}

/** Where a reference points to. */
export interface RefData {
  /** SHA of the commit. */
  readonly sha: string;
  /** What it points to. */
  readonly type: 'commit' | 'tag';
}

/** What git holds. */
export interface GitData {
  /** Files by their SHA, links and submodules by any other name. */
  readonly objects: Readonly<Record<string, FileData>>;
  /** The tree: the name in `objects` of what is at each path. */
  readonly commits: readonly (Omit<CommitRecord, 'tree'> & {
    /** Name in `objects`, by path. */
    readonly tree: Readonly<Record<string, string>>;
  })[];
  /** Full names, `heads/main`. */
  readonly refs: Readonly<Record<string, RefData>>;
}

/** Everything of the support API. */
export interface SupportData {
  /** Who may open sessions. */
  readonly users?: readonly SupportUser[] | undefined;
  /** Names. */
  readonly campaigns?: readonly string[] | undefined;
  /** Contacts, in the order they were made. */
  readonly contacts?: readonly ContactData[] | undefined;
  /** Cases, in the order they were made. */
  readonly cases?: readonly CaseData[] | undefined;
  /** Sessions that were opened. */
  readonly sessions?: readonly Session[] | undefined;
}

/** What times and notes of a record look like in a file. */
interface RecordData {
  /** When it was made. */
  readonly created?: string | undefined;
  /** When it was changed last. */
  readonly updated?: string | undefined;
  /** Texts, or notes with date (milliseconds since the epoch) and author. */
  readonly notes?: readonly (string | ContactNote)[] | undefined;
}

/** A contact. */
export interface ContactData extends Omit<ContactSeed, keyof RecordData | 'profiles'>, RecordData {
  /** Its identities in channels. */
  readonly profiles?: readonly StoredProfile[] | undefined;
}

/** A case. */
export interface CaseData extends Omit<CaseSeed, keyof RecordData>, RecordData {
  /** Whether it was opened again. */
  readonly reopened?: boolean | undefined;
  /** When it was opened last. */
  readonly lastOpened?: string | undefined;
}

/** Everything of the Management Console, but for a configuration run that is under way. */
export interface ConsoleData {
  /** Hash of the license that signs requests; left out on a bare appliance. */
  readonly licenseMd5?: string | undefined;
  /** Merged into the settings of a new appliance. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Since or from when maintenance is on; left out where it is off. */
  readonly maintenance?: string | undefined;
  /** The status of the last configuration run. */
  readonly standing?: ConfigurationStatus | undefined;
  /** Open connections by service. */
  readonly connections?: Readonly<Record<string, number>> | undefined;
  /** Public keys, as they stand in a file of authorized keys. */
  readonly keys?: readonly string[] | undefined;
}
