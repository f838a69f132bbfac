import type { PagesBuild, Release, TeamSummary } from '../hosting/models/index.js';
import type {
  EventAccount,
  EventComment,
  EventDeployment,
  EventDeploymentStatus,
  EventIssue,
  EventPullRequest,
  EventRepository,
  EventSubject,
  GollumPage,
  PushCommit,
  PushPerson,
} from './event-subjects.js';

/** Validated part of a payload, common to all events. */
export interface EventEnvelope {
  /** Account that triggered the event. Absent in `push` events from older servers. */
  sender?: EventAccount | null | undefined;
  /** Repository that the event concerns. Absent if the event concerns no repository. */
  repository?: EventRepository | null | undefined;
  /** Organization that the event concerns. Absent if the event concerns no organization. */
  organization?: EventAccount | null | undefined;
  /** Other fields of the payload. */
  [field: string]: unknown;
}

/** Fields common to the payloads of all events. */
export interface EventPayload extends EventEnvelope {
  /** Action within the event, such as `opened` or `closed`. Validated for `issues` only. */
  action?: string | null | undefined;
}

/** Payload of a `ping`, sent when a hook is created or pinged. */
export interface PingPayload extends EventPayload {
  /** Random aphorism. */
  zen: string;
  /** Hook ID. */
  hook_id: number;
}

/** Payload of `issues`, sent when an issue is opened, closed or changed. */
export interface IssuesPayload extends EventPayload {
  action:
    | 'opened'
    | 'closed'
    | 'reopened'
    | 'edited'
    | 'assigned'
    | 'unassigned'
    | 'labeled'
    | 'unlabeled'
    | (string & {});
  /** Issue that was opened, closed or changed. */
  issue: EventIssue;
}

/** Payload of `push`, sent for every git push. */
export interface PushPayload extends EventPayload {
  /** Full name of the pushed reference, for example `refs/heads/main`. */
  ref: string;
  /** SHA before the push. Zeros if the push created the reference. */
  before: string;
  /** SHA after the push. Zeros if the push deleted the reference. */
  after: string;
  /** Whether the push created the reference. */
  created?: boolean | null | undefined;
  /** Whether the push deleted the reference. */
  deleted?: boolean | null | undefined;
  /** Whether the push was forced. */
  forced?: boolean | null | undefined;
  /** URL of a web page that shows the changes. */
  compare?: string | null | undefined;
  /** Commits, oldest first. Servers omit some commits of a large push. */
  commits: PushCommit[];
  /** Newest commit. Null if the branch was deleted. */
  head_commit?: PushCommit | null | undefined;
  /** Account that pushed. */
  pusher?: PushPerson | null | undefined;
}

/** Payload of `create` and `delete`, sent when a branch or tag is created or deleted. */
export interface RefPayload extends EventPayload {
  /** Name of the branch or tag, without `refs/heads/` or `refs/tags/`. */
  ref: string;
  /** Reference type. */
  ref_type: 'branch' | 'tag' | (string & {});
}

/** Payload of `commit_comment`, sent when a comment is added to a commit. */
export interface CommentPayload extends EventPayload {
  action: 'created' | 'edited' | 'deleted' | (string & {});
  /** Comment that was added or changed. */
  comment: EventComment;
}

/** Payload of `issue_comment`, sent when a comment is added to an issue or a pull request. */
export interface IssueCommentPayload extends CommentPayload {
  /** Issue that was commented on. */
  issue: EventIssue;
}

/**
 * Payload of `pull_request_review_comment`, sent when a comment is added to a pull request's diff.
 */
export interface ReviewCommentPayload extends CommentPayload {
  /** Pull request that was commented on. */
  pull_request: EventPullRequest;
}

/** Payload of `pull_request`, sent when a pull request is opened, closed or synchronized. */
export interface PullRequestPayload extends EventPayload {
  action:
    | 'opened'
    | 'closed'
    | 'reopened'
    | 'synchronize'
    | 'edited'
    | 'assigned'
    | 'unassigned'
    | 'labeled'
    | 'unlabeled'
    | (string & {});
  /** Pull request number. */
  number: number;
  /** Pull request that was opened, closed or changed. */
  pull_request: EventPullRequest;
}

/** Payload of `deployment`, sent when a deployment is created. */
export interface DeploymentPayload extends EventPayload {
  action?: 'created' | (string & {}) | null | undefined;
  /** Deployment that was created or has a new status. */
  deployment: EventDeployment;
}

/** Payload of `deployment_status`, sent when a deployment has a new status. */
export interface DeploymentStatusPayload extends DeploymentPayload {
  /** New status of the deployment. */
  deployment_status: EventDeploymentStatus;
}

/** Payload of `status`, sent when a commit's status changes. */
export interface StatusPayload extends EventPayload {
  /** Commit SHA. */
  sha: string;
  /** Commit state. */
  state: 'pending' | 'success' | 'failure' | 'error' | (string & {});
  /** Name that distinguishes a commit's statuses. */
  context?: string | null | undefined;
  /** Status description. */
  description?: string | null | undefined;
  /** URL with details about the status. */
  target_url?: string | null | undefined;
}

/** Payload of `fork`, sent when a repository is forked. */
export interface ForkPayload extends EventPayload {
  /** New repository. */
  forkee: EventRepository;
}

/** Payload of `member`, sent when a collaborator is added to a user's repository. */
export interface MemberPayload extends EventPayload {
  action: 'added' | 'edited' | 'removed' | (string & {});
  /** Collaborator who was added, changed or removed. */
  member: EventAccount;
}

/** Payload of `release`, sent when a release is published. */
export interface ReleasePayload extends EventPayload {
  action:
    | 'published'
    | 'created'
    | 'edited'
    | 'deleted'
    | 'prereleased'
    | 'released'
    | (string & {});
  /** Release that was published or changed. */
  release: Release & EventSubject;
}

/** Payload of `watch`, sent when a repository is starred. */
export interface WatchPayload extends EventPayload {
  action: 'started' | (string & {});
}

/** Payload of `gollum`, sent when wiki pages are updated. */
export interface GollumPayload extends EventPayload {
  /** Pages that changed. */
  pages: GollumPage[];
}

/** Payload of `page_build`, sent when a Pages site's build succeeds or fails. */
export interface PageBuildPayload extends EventPayload {
  /** Build that succeeded or failed. */
  build: PagesBuild;
}

/**
 * Payload of `team_add`, sent when a team is added to a repository or the team's access changes.
 */
export interface TeamAddPayload extends EventPayload {
  /** Team that was added, or whose access changed. */
  team: TeamSummary & EventSubject;
}

/**
 * Payloads of the known events, by name. Only the envelope (`sender`, `repository`,
 * `organization`), the fields of `ping`, and `action` and `issue` in `issues` events are validated.
 * The API doesn't specify the other fields. Their types describe what servers are known to send,
 * but nothing validates them. Undeclared fields have the type `unknown`.
 */
export interface EventPayloads {
  /** A comment was added to a commit. */
  commit_comment: CommentPayload;
  /** A branch or a tag was created. */
  create: RefPayload;
  /** A branch or a tag was deleted. */
  delete: RefPayload;
  /** A deployment was created. */
  deployment: DeploymentPayload;
  /** A deployment has a new status. */
  deployment_status: DeploymentStatusPayload;
  /** The repository was forked. */
  fork: ForkPayload;
  /** Wiki pages were changed. */
  gollum: GollumPayload;
  /** A comment was added to an issue or a pull request. */
  issue_comment: IssueCommentPayload;
  /** An issue was opened, closed or changed. */
  issues: IssuesPayload;
  /** A collaborator was added. */
  member: MemberPayload;
  /** A Pages site's build succeeded or failed. */
  page_build: PageBuildPayload;
  /** The repository became public. */
  public: EventPayload;
  /** A comment was added to a pull request's diff. */
  pull_request_review_comment: ReviewCommentPayload;
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
  watch: WatchPayload;
  /** A hook was created, or a ping was requested. */
  ping: PingPayload;
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

/** Delivery of any event. A `switch` on `event` narrows `payload`. */
export type Delivery =
  | { [Event in DeliveredEvent]: EventDelivery<Event> }[DeliveredEvent]
  | OtherDelivery;
