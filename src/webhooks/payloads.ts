import * as z from 'zod/mini';
import { hookEvents } from '../hosting/models/hook-event.js';
import { type Model, model } from '../schema/model.js';
import { EventEnvelope, type EventPayload, envelope } from './envelope.js';

/** The subject of an event. Its fields are not specified. */
export type EventSubject = Record<string, unknown>;

/** Sent when a hook is created, and whenever it is pinged. */
export interface PingPayload extends EventPayload {
  /** A line of wisdom. */
  zen: string;
  /** Id of the hook. */
  hook_id: number;
}

/** An issue was opened or closed. */
export interface IssuesPayload extends EventPayload {
  action: 'opened' | 'closed' | (string & {});
  /** The issue. */
  issue: EventSubject;
}

/** Any git push. */
export interface PushPayload extends EventPayload {
  /** What was pushed to, in full: `refs/heads/main`. */
  ref?: string | null | undefined;
  /** SHA before the push; zeros when the reference was created. */
  before?: string | null | undefined;
  /** SHA after the push; zeros when the reference was deleted. */
  after?: string | null | undefined;
  /** Whether the push made the branch or tag. */
  created?: boolean | null | undefined;
  /** Whether the push deleted it. */
  deleted?: boolean | null | undefined;
  /** Whether commits were replaced. */
  forced?: boolean | null | undefined;
  /** Web page that shows what changed. */
  compare?: string | null | undefined;
  /** The commits, oldest first; servers leave some out of a large push. */
  commits?: EventSubject[] | null | undefined;
  /** The newest commit; null where the branch was deleted. */
  head_commit?: EventSubject | null | undefined;
}

/** A branch or tag was created or deleted. */
export interface RefPayload extends EventPayload {
  /** Name without `refs/heads/`. */
  ref?: string | null | undefined;
  /** Whether it is a branch, a tag or a repository. */
  ref_type?: 'branch' | 'tag' | (string & {}) | null | undefined;
}

/** A commit, an issue, or a line of a pull request was commented on. */
export interface CommentPayload extends EventPayload {
  /** The comment. */
  comment?: EventSubject | null | undefined;
  /** Of `issue_comment`. */
  issue?: EventSubject | null | undefined;
  /** Of `pull_request_review_comment`. */
  pull_request?: EventSubject | null | undefined;
}

/** A pull request was opened, closed or synchronized. */
export interface PullRequestPayload extends EventPayload {
  action?: 'opened' | 'closed' | 'synchronize' | (string & {}) | null | undefined;
  /** Number of the pull request. */
  number?: number | null | undefined;
  /** The pull request. */
  pull_request?: EventSubject | null | undefined;
}

/** A deployment was created, or got a status. */
export interface DeploymentPayload extends EventPayload {
  /** The deployment. */
  deployment?: EventSubject | null | undefined;
  /** Of `deployment_status`. */
  deployment_status?: EventSubject | null | undefined;
}

/** A commit got a status. */
export interface StatusPayload extends EventPayload {
  /** Commit that has the status. */
  sha?: string | null | undefined;
  /** `pending`, `success`, `failure` or `error`. */
  state?: 'pending' | 'success' | 'failure' | 'error' | (string & {}) | null | undefined;
  /** What the status says. */
  description?: string | null | undefined;
  /** Where there is more about it. */
  target_url?: string | null | undefined;
}

/** A repository was forked. */
export interface ForkPayload extends EventPayload {
  /** The new repository. */
  forkee?: EventSubject | null | undefined;
}

/** Pages of the wiki were updated. */
export interface GollumPayload extends EventPayload {
  /** The pages that were changed. */
  pages?: EventSubject[] | null | undefined;
}

/** A collaborator was added to a repository of a user. */
export interface MemberPayload extends EventPayload {
  /** The collaborator. */
  member?: EventSubject | null | undefined;
}

/** A Pages site was built, or its build failed. */
export interface PageBuildPayload extends EventPayload {
  /** The build. */
  build?: EventSubject | null | undefined;
}

/** A release was published. */
export interface ReleasePayload extends EventPayload {
  /** The release. */
  release?: EventSubject | null | undefined;
}

/** A team was added to a repository, or changed on it. */
export interface TeamAddPayload extends EventPayload {
  /** The team. */
  team?: EventSubject | null | undefined;
}

/**
 * The payload of each known event. The envelope (`sender`, `repository`, `organization`), `ping`, and
 * `action` and `issue` of `issues` are validated. The interface doesn't specify the other fields: their
 * types name what servers are known to send, and nothing checks them.
 */
export interface EventPayloads {
  /** A commit was commented on. */
  commit_comment: CommentPayload;
  /** A branch, a tag or a repository was made. */
  create: RefPayload;
  /** A branch or a tag was deleted. */
  delete: RefPayload;
  /** A deployment was made. */
  deployment: DeploymentPayload;
  /** A deployment has a new status. */
  deployment_status: DeploymentPayload;
  /** The repository was forked. */
  fork: ForkPayload;
  /** Pages of the wiki were changed. */
  gollum: GollumPayload;
  /** An issue or a pull request was commented on. */
  issue_comment: CommentPayload;
  /** An issue was opened, closed or changed. */
  issues: IssuesPayload;
  /** A collaborator was added. */
  member: MemberPayload;
  /** The pages site was built. */
  page_build: PageBuildPayload;
  /** The repository became public. */
  public: EventPayload;
  /** The diff of a pull request was commented on. */
  pull_request_review_comment: CommentPayload;
  /** A pull request was opened, closed or changed. */
  pull_request: PullRequestPayload;
  /** Commits were pushed. */
  push: PushPayload;
  /** A release was published. */
  release: ReleasePayload;
  /** A commit has a new status. */
  status: StatusPayload;
  /** A team got access to the repository. */
  team_add: TeamAddPayload;
  /** The repository was starred. */
  watch: EventPayload;
  /** The hook was made, or a ping was asked for. */
  ping: PingPayload;
}

interface CheckedPing extends EventEnvelope {
  zen: string;
  hook_id: number;
}

interface CheckedIssues extends EventEnvelope {
  action: string;
  issue: EventSubject;
}

const Ping = model<CheckedPing>('open')('PingPayload', () => ({
  ...envelope(),
  zen: z.string(),
  hook_id: z.int(),
}));

const Issues = model<CheckedIssues>('open')('IssuesPayload', () => ({
  ...envelope(),
  action: z.string(),
  issue: z.record(z.string(), z.unknown()),
}));

/** The model of the documented part of an event's payload. All else is accepted as it comes. */
export function payloadModel(event: string): Model<EventEnvelope> {
  if (event === 'ping') return Ping;
  return event === 'issues' ? Issues : EventEnvelope;
}

const names: ReadonlySet<string> = new Set<keyof EventPayloads>(
  hookEvents.filter((event) => event !== '*'),
);

/** Whether an event is known by its name. */
export function isKnownEvent(event: string): event is keyof EventPayloads {
  return names.has(event);
}
