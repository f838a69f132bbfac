import * as z from 'zod/mini';
import type { PullRequest } from '../hosting/models/index.js';
import { fields, model, nullish, openEnum, ref } from '../schema/model.js';

/** Account in an event. The available attributes depend on the server and the event. */
export interface EventAccount {
  /** Account login, unique on the server. */
  login: string;
  /** Numeric ID. Stays the same when the account is renamed. */
  id?: number | null | undefined;
  /** Account type. */
  type?: 'User' | 'Organization' | 'Bot' | (string & {}) | null | undefined;
  /** API URL of the account. */
  url?: string | null | undefined;
  /** URL of the profile page. */
  html_url?: string | null | undefined;
  /** URL of the account's avatar. */
  avatar_url?: string | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

/**
 * Repository owner. In `push` events from older servers, the owner has `name` instead of `login`.
 */
export interface EventOwner {
  /** Account login, unique on the server. */
  login?: string | null | undefined;
  /** Account login in `push` events. */
  name?: string | null | undefined;
  /** Numeric ID. Stays the same when the account is renamed. */
  id?: number | null | undefined;
  /** Public email address, in `push` events. */
  email?: string | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

/** Repository in an event. The available attributes depend on the server and the event. */
export interface EventRepository {
  /** Numeric ID. Stays the same when the repository is renamed or transferred. */
  id?: number | null | undefined;
  /** Name of the repository, without the owner. */
  name?: string | null | undefined;
  /** Name with the owner, `owner/name`. Absent in `push` events from older servers. */
  full_name?: string | null | undefined;
  /** User or organization that owns the repository. */
  owner?: EventOwner | null | undefined;
  /** Whether only users with access can see the repository. */
  private?: boolean | null | undefined;
  /** Whether the repository is a fork. */
  fork?: boolean | null | undefined;
  /** API URL. In `push` events, the URL of the web page. */
  url?: string | null | undefined;
  /** URL of the web page. */
  html_url?: string | null | undefined;
  /** Name of the default branch. */
  default_branch?: string | null | undefined;
  /** Other attributes. In `push` events, times are seconds since the epoch. */
  [attribute: string]: unknown;
}

/** Subject of an event. Fields without a declared type have the type `unknown`. */
export type EventSubject = Record<string, unknown>;

/** Issue in an event. The issue of a pull request has `pull_request`. */
export interface EventIssue extends EventSubject {
  /** Numeric ID. */
  id: number;
  /** Number of the issue in its repository. */
  number: number;
  /** One-line title. */
  title: string;
  /** Description in Markdown. Null or empty if there is none. */
  body?: string | null | undefined;
  /** State of the issue. */
  state: 'open' | 'closed' | (string & {});
  /** API URL of the issue. */
  url: string;
  /** URL of the web page. */
  html_url: string;
  /** Author of the issue. Null if the account was deleted. */
  user: EventAccount | null;
  /** Labels of the issue. */
  labels?: EventLabel[] | null | undefined;
  /** Account that the issue is assigned to. Null if there is none. */
  assignee?: EventAccount | null | undefined;
  /** Number of comments. */
  comments?: number | null | undefined;
  /** Creation time, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
  /** Closing time, in the format `YYYY-MM-DDTHH:MM:SSZ`. Null while the issue is open. */
  closed_at?: string | null | undefined;
  /** The pull request's links. Absent for other issues. */
  pull_request?: EventSubject | null | undefined;
}

/** Label of an issue or a pull request. */
export interface EventLabel extends EventSubject {
  /** Name of the label. */
  name: string;
  /** Color as six hexadecimal digits. */
  color?: string | null | undefined;
}

/** Comment in an event. */
export interface EventComment extends EventSubject {
  /** Numeric ID. */
  id: number;
  /** Text in Markdown. */
  body: string;
  /** API URL of the comment. */
  url: string;
  /** URL of the web page. */
  html_url: string;
  /** Author of the comment. Null if the account was deleted. */
  user: EventAccount | null;
  /** Creation time, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
  /** SHA of the commit. Sent for comments on a commit or a diff. */
  commit_id?: string | null | undefined;
  /** Path of the file. Sent for comments on a line. */
  path?: string | null | undefined;
  /** Index of the line in the diff. Null if the comment isn't on a line of the diff. */
  position?: number | null | undefined;
}

/** Author or committer of a pushed commit. */
export interface PushPerson extends EventSubject {
  /** Full name. */
  name: string;
  /** Email address. */
  email?: string | null | undefined;
  /** Account login. Absent if no account has the email address. */
  username?: string | null | undefined;
}

/** Commit in a `push` event. */
export interface PushCommit extends EventSubject {
  /** SHA of the commit. */
  id: string;
  /** Commit message. */
  message: string;
  /** Time of the commit in ISO 8601, with an offset. */
  timestamp: string;
  /** URL of the commit's web page. */
  url: string;
  /** Whether no earlier push contained the commit. */
  distinct?: boolean | null | undefined;
  /** Author of the changes. */
  author: PushPerson;
  /** Person who committed the changes. */
  committer: PushPerson;
  /** Paths of added files. */
  added?: string[] | null | undefined;
  /** Paths of removed files. */
  removed?: string[] | null | undefined;
  /** Paths of modified files. */
  modified?: string[] | null | undefined;
}

/** Deployment in an event. */
export interface EventDeployment extends EventSubject {
  /** Numeric ID. */
  id: number;
  /** SHA of the deployed commit. */
  sha: string;
  /** Deployed branch, tag or SHA. */
  ref?: string | null | undefined;
  /** Name of the environment. */
  environment?: string | null | undefined;
  /** Description of the deployment. Null if there is none. */
  description?: string | null | undefined;
  /** Account that created the deployment. */
  creator?: EventAccount | null | undefined;
}

/** Status of a deployment in an event. */
export interface EventDeploymentStatus extends EventSubject {
  /** Numeric ID. */
  id: number;
  /** State of the deployment. */
  state: 'pending' | 'success' | 'failure' | 'error' | (string & {});
  /** Description of the status. */
  description?: string | null | undefined;
  /** URL with details about the status. */
  target_url?: string | null | undefined;
}

/** Pull request in an event. */
export type EventPullRequest = PullRequest & EventSubject;

export const EventAccount = model<EventAccount>('open')('EventAccount', () => ({
  login: z.string(),
  id: z.nullish(z.int()),
  type: z.nullish(openEnum('User', 'Organization', 'Bot')),
  ...fields(nullish(z.string), 'url html_url avatar_url'),
}));

const EventOwner = model<EventOwner>('open')('EventOwner', () => ({
  ...fields(nullish(z.string), 'login name email'),
  id: z.nullish(z.int()),
}));

export const EventRepository = model<EventRepository>('open')('EventRepository', () => ({
  id: z.nullish(z.int()),
  ...fields(nullish(z.string), 'name full_name url html_url default_branch'),
  owner: z.nullish(ref(EventOwner)),
  ...fields(nullish(z.boolean), 'private fork'),
}));

/** Wiki page in a `gollum` event. */
export interface GollumPage extends EventSubject {
  /** Name of the page. */
  page_name: string;
  /** Title of the page. */
  title: string;
  /** What happened to the page. */
  action: 'created' | 'edited' | (string & {});
  /** SHA of the page's version. */
  sha: string;
  /** URL of the web page. */
  html_url: string;
}
