import * as z from 'zod/mini';
import { hookEvents } from '../hosting/models/hook.js';
import { fields, type Model, model, nullish, openEnum, ref } from '../schema/model.js';

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
  /** Name without the owner. */
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

/** Validated part of a payload, common to all events. */
export interface EventEnvelope {
  /** Account that triggered the event. Absent in `push` events from older servers. */
  sender?: EventAccount | null | undefined;
  /** Repository that the event concerns. Absent if there is none. */
  repository?: EventRepository | null | undefined;
  /** Organization that the event concerns. Absent if there is none. */
  organization?: EventAccount | null | undefined;
  /** Other fields of the payload. */
  [field: string]: unknown;
}

/** Fields common to the payloads of all events. */
export interface EventPayload extends EventEnvelope {
  /** Action within the event, such as `opened` or `closed`. Validated for `issues` only. */
  action?: string | null | undefined;
}

const EventAccount = model<EventAccount>('open')('EventAccount', () => ({
  login: z.string(),
  id: z.nullish(z.int()),
  type: z.nullish(openEnum('User', 'Organization', 'Bot')),
  ...fields(nullish(z.string), 'url html_url avatar_url'),
}));

const EventOwner = model<EventOwner>('open')('EventOwner', () => ({
  ...fields(nullish(z.string), 'login name email'),
  id: z.nullish(z.int()),
}));

const EventRepository = model<EventRepository>('open')('EventRepository', () => ({
  id: z.nullish(z.int()),
  ...fields(nullish(z.string), 'name full_name url html_url default_branch'),
  owner: z.nullish(ref(EventOwner)),
  ...fields(nullish(z.boolean), 'private fork'),
}));

/** Returns the field schemas that all event models share (see {@link EventEnvelope}). */
const envelopeFields = () => ({
  sender: z.nullish(ref(EventAccount)),
  repository: z.nullish(ref(EventRepository)),
  organization: z.nullish(ref(EventAccount)),
});

export const EventEnvelope = model<EventEnvelope>('open')('EventPayload', envelopeFields);

/** Subject of an event. Its fields are unspecified. */
export type EventSubject = Record<string, unknown>;

/** Payload of a `ping`, sent when a hook is created or pinged. */
export interface PingPayload extends EventPayload {
  /** Random aphorism. */
  zen: string;
  /** Hook ID. */
  hook_id: number;
}

/** Payload of `issues`, sent when an issue is opened, closed or changed. */
export interface IssuesPayload extends EventPayload {
  action: 'opened' | 'closed' | (string & {});
  /** Issue that was opened, closed or changed. */
  issue: EventSubject;
}

/** Payload of `push`, sent for every git push. */
export interface PushPayload extends EventPayload {
  /** Full name of the pushed reference, for example `refs/heads/main`. */
  ref?: string | null | undefined;
  /** SHA before the push. Zeros if the push created the reference. */
  before?: string | null | undefined;
  /** SHA after the push. Zeros if the push deleted the reference. */
  after?: string | null | undefined;
  /** Whether the push created the reference. */
  created?: boolean | null | undefined;
  /** Whether the push deleted the reference. */
  deleted?: boolean | null | undefined;
  /** Whether the push was forced. */
  forced?: boolean | null | undefined;
  /** URL of a web page that shows the changes. */
  compare?: string | null | undefined;
  /** Commits, oldest first. Servers omit some commits of a large push. */
  commits?: EventSubject[] | null | undefined;
  /** Newest commit. Null if the branch was deleted. */
  head_commit?: EventSubject | null | undefined;
}

/** Payload of `create` and `delete`, sent when a branch or tag is created or deleted. */
export interface RefPayload extends EventPayload {
  /** Name of the branch or tag, without `refs/heads/` or `refs/tags/`. */
  ref?: string | null | undefined;
  /** Reference type. */
  ref_type?: 'branch' | 'tag' | (string & {}) | null | undefined;
}

/**
 * Payload of comment events, sent for comments on a commit, an issue, or a line of a pull request.
 */
export interface CommentPayload extends EventPayload {
  /** Comment that was added. */
  comment?: EventSubject | null | undefined;
  /** Issue that was commented on. Sent with `issue_comment`. */
  issue?: EventSubject | null | undefined;
  /** Pull request that was commented on. Sent with `pull_request_review_comment`. */
  pull_request?: EventSubject | null | undefined;
}

/** Payload of `pull_request`, sent when a pull request is opened, closed or synchronized. */
export interface PullRequestPayload extends EventPayload {
  action?: 'opened' | 'closed' | 'synchronize' | (string & {}) | null | undefined;
  /** Pull request number. */
  number?: number | null | undefined;
  /** Pull request that was opened, closed or changed. */
  pull_request?: EventSubject | null | undefined;
}

/** Payload of `deployment` and `deployment_status`. */
export interface DeploymentPayload extends EventPayload {
  /** Deployment that was created or has a new status. */
  deployment?: EventSubject | null | undefined;
  /** Deployment status. Sent with `deployment_status`. */
  deployment_status?: EventSubject | null | undefined;
}

/** Payload of `status`, sent when a commit's status changes. */
export interface StatusPayload extends EventPayload {
  /** Commit SHA. */
  sha?: string | null | undefined;
  /** Commit state. */
  state?: 'pending' | 'success' | 'failure' | 'error' | (string & {}) | null | undefined;
  /** Status description. */
  description?: string | null | undefined;
  /** URL with details about the status. */
  target_url?: string | null | undefined;
}

/** Payload of `fork`, sent when a repository is forked. */
export interface ForkPayload extends EventPayload {
  /** New repository. */
  forkee?: EventSubject | null | undefined;
}

/** Payload of `gollum`, sent when wiki pages are updated. */
export interface GollumPayload extends EventPayload {
  /** Pages that changed. */
  pages?: EventSubject[] | null | undefined;
}

/** Payload of `member`, sent when a collaborator is added to a user's repository. */
export interface MemberPayload extends EventPayload {
  /** Collaborator who was added. */
  member?: EventSubject | null | undefined;
}

/** Payload of `page_build`, sent when a Pages site's build succeeds or fails. */
export interface PageBuildPayload extends EventPayload {
  /** Build that succeeded or failed. */
  build?: EventSubject | null | undefined;
}

/** Payload of `release`, sent when a release is published. */
export interface ReleasePayload extends EventPayload {
  /** Release that was published. */
  release?: EventSubject | null | undefined;
}

/**
 * Payload of `team_add`, sent when a team is added to a repository or the team's access changes.
 */
export interface TeamAddPayload extends EventPayload {
  /** Team that was added, or whose access changed. */
  team?: EventSubject | null | undefined;
}

/**
 * Payloads of the known events, by name. Only the envelope (`sender`, `repository`,
 * `organization`), the fields of `ping`, and `action` and `issue` in `issues` events are validated.
 * The API doesn't specify the other fields. Their types describe what servers are known to send,
 * but nothing validates them.
 */
export interface EventPayloads {
  /** A comment was added to a commit. */
  commit_comment: CommentPayload;
  /** A branch, a tag or a repository was created. */
  create: RefPayload;
  /** A branch or a tag was deleted. */
  delete: RefPayload;
  /** A deployment was created. */
  deployment: DeploymentPayload;
  /** A deployment has a new status. */
  deployment_status: DeploymentPayload;
  /** The repository was forked. */
  fork: ForkPayload;
  /** Wiki pages were changed. */
  gollum: GollumPayload;
  /** A comment was added to an issue or a pull request. */
  issue_comment: CommentPayload;
  /** An issue was opened, closed or changed. */
  issues: IssuesPayload;
  /** A collaborator was added. */
  member: MemberPayload;
  /** A Pages site's build succeeded or failed. */
  page_build: PageBuildPayload;
  /** The repository became public. */
  public: EventPayload;
  /** A comment was added to a pull request's diff. */
  pull_request_review_comment: CommentPayload;
  /** A pull request was opened, closed or changed. */
  pull_request: PullRequestPayload;
  /** Commits were pushed. */
  push: PushPayload;
  /** A release was published. */
  release: ReleasePayload;
  /** A commit has a new status. */
  status: StatusPayload;
  /** A team was added to the repository, or the team's access changed. */
  team_add: TeamAddPayload;
  /** The repository was starred. */
  watch: EventPayload;
  /** A hook was created, or a ping was requested. */
  ping: PingPayload;
}

type CheckedPing = EventEnvelope & Pick<PingPayload, 'zen' | 'hook_id'>;

type CheckedIssues = EventEnvelope & Pick<IssuesPayload, 'issue'> & { action: string };

const Ping = model<CheckedPing>('open')('PingPayload', () => ({
  ...envelopeFields(),
  zen: z.string(),
  hook_id: z.int(),
}));

const Issues = model<CheckedIssues>('open')('IssuesPayload', () => ({
  ...envelopeFields(),
  action: z.string(),
  issue: z.record(z.string(), z.unknown()),
}));

/**
 * Returns the model of the payload fields that the API specifies for an event. Other fields aren't
 * validated.
 */
export function payloadModel(event: string): Model<EventEnvelope> {
  if (event === 'ping') return Ping;
  return event === 'issues' ? Issues : EventEnvelope;
}

const names: ReadonlySet<string> = new Set<keyof EventPayloads>(
  hookEvents.filter((event) => event !== '*'),
);

export function isKnownEvent(event: string): event is keyof EventPayloads {
  return names.has(event);
}

/** Name of a known event. */
export type DeliveredEvent = keyof EventPayloads;

/** Delivery of a known event. */
export interface EventDelivery<Event extends DeliveredEvent> {
  /** Event name, which determines the type of `payload`. */
  readonly event: Event;
  /** Unique delivery ID, a GUID. Undefined if the server sent no ID. */
  readonly id: string | undefined;
  /** Event payload. */
  readonly payload: EventPayloads[Event];
}

/** Delivery of an unknown event. */
export interface OtherDelivery {
  /** Always `other`. `name` contains the event's name. */
  readonly event: 'other';
  /** Event name. */
  readonly name: string;
  /** Unique delivery ID, a GUID. Undefined if the server sent no ID. */
  readonly id: string | undefined;
  /** Event payload. Only the fields common to all events are validated. */
  readonly payload: EventPayload;
}

/** Delivery of any event. A `switch` over `event` narrows `payload`. */
export type Delivery =
  | { [Event in DeliveredEvent]: EventDelivery<Event> }[DeliveredEvent]
  | OtherDelivery;
