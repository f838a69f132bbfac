import * as z from 'zod';
import { type Model, model, openEnum } from '../model.js';
import { EventPayload, envelope } from './envelope.js';

/** The subject of an event, as the API shows it. The contract does not show what payloads hold of it. */
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
  issue: EventSubject;
}

/**
 * Any git push.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface PushPayload extends EventPayload {
  /** What was pushed to, in full: `refs/heads/main`. */
  ref?: string | undefined;
  /** SHA before the push; zeros when the reference was created. */
  before?: string | undefined;
  /** SHA after the push; zeros when the reference was deleted. */
  after?: string | undefined;
  created?: boolean | undefined;
  deleted?: boolean | undefined;
  forced?: boolean | undefined;
  /** Web page that shows what changed. */
  compare?: string | undefined;
  /** The commits, oldest first; servers leave some out of a large push. */
  commits?: EventSubject[] | undefined;
  head_commit?: EventSubject | null | undefined;
}

/**
 * A branch or tag was created or deleted.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface RefPayload extends EventPayload {
  /** Name without `refs/heads/`. */
  ref?: string | null | undefined;
  ref_type?: 'branch' | 'tag' | (string & {}) | undefined;
}

/**
 * A commit, an issue, or a line of a pull request was commented on.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface CommentPayload extends EventPayload {
  comment?: EventSubject | undefined;
  /** Of `issue_comment`. */
  issue?: EventSubject | undefined;
  /** Of `pull_request_review_comment`. */
  pull_request?: EventSubject | undefined;
}

/**
 * A pull request was opened, closed or synchronized.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface PullRequestPayload extends EventPayload {
  action?: 'opened' | 'closed' | 'synchronize' | (string & {}) | undefined;
  number?: number | undefined;
  pull_request?: EventSubject | undefined;
}

/**
 * A deployment was created, or got a status.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface DeploymentPayload extends EventPayload {
  deployment?: EventSubject | undefined;
  /** Of `deployment_status`. */
  deployment_status?: EventSubject | undefined;
}

/**
 * A commit got a status.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface StatusPayload extends EventPayload {
  sha?: string | undefined;
  state?: 'pending' | 'success' | 'failure' | 'error' | (string & {}) | undefined;
  description?: string | null | undefined;
  target_url?: string | null | undefined;
}

/**
 * A repository was forked.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface ForkPayload extends EventPayload {
  /** The new repository. */
  forkee?: EventSubject | undefined;
}

/**
 * Pages of the wiki were updated.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface GollumPayload extends EventPayload {
  pages?: EventSubject[] | undefined;
}

/**
 * A collaborator was added to a repository of a user.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface MemberPayload extends EventPayload {
  /** The collaborator. */
  member?: EventSubject | undefined;
}

/**
 * A Pages site was built, or its build failed.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface PageBuildPayload extends EventPayload {
  build?: EventSubject | undefined;
}

/**
 * A release was published.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface ReleasePayload extends EventPayload {
  release?: EventSubject | undefined;
}

/**
 * A team was added to a repository, or changed on it.
 * @remarks All but the envelope: outside the service contract; public v3 documentation.
 */
export interface TeamAddPayload extends EventPayload {
  team?: EventSubject | null | undefined;
}

const record = () => z.record(z.string(), z.unknown());
const subject = () => z.optional(record());

const Ping = model<PingPayload>()('PingPayload', () => ({
  ...envelope(),
  zen: z.string(),
  hook_id: z.int(),
}));

const Issues = model<IssuesPayload>()('IssuesPayload', () => ({
  ...envelope(),
  action: openEnum('opened', 'closed'),
  issue: record(),
}));

const Push = model<PushPayload>()('PushPayload', () => ({
  ...envelope(),
  ref: z.optional(z.string()),
  before: z.optional(z.string()),
  after: z.optional(z.string()),
  created: z.optional(z.boolean()),
  deleted: z.optional(z.boolean()),
  forced: z.optional(z.boolean()),
  compare: z.optional(z.string()),
  commits: z.optional(z.array(record())),
  head_commit: z.optional(z.nullable(record())),
}));

const Ref = model<RefPayload>()('RefPayload', () => ({
  ...envelope(),
  ref: z.optional(z.nullable(z.string())),
  ref_type: z.optional(openEnum('branch', 'tag')),
}));

const Comment = model<CommentPayload>()('CommentPayload', () => ({
  ...envelope(),
  comment: subject(),
  issue: subject(),
  pull_request: subject(),
}));

const PullRequest = model<PullRequestPayload>()('PullRequestPayload', () => ({
  ...envelope(),
  action: z.optional(openEnum('opened', 'closed', 'synchronize')),
  number: z.optional(z.int()),
  pull_request: subject(),
}));

const Deployment = model<DeploymentPayload>()('DeploymentPayload', () => ({
  ...envelope(),
  deployment: subject(),
  deployment_status: subject(),
}));

const Status = model<StatusPayload>()('StatusPayload', () => ({
  ...envelope(),
  sha: z.optional(z.string()),
  state: z.optional(openEnum('pending', 'success', 'failure', 'error')),
  description: z.optional(z.nullable(z.string())),
  target_url: z.optional(z.nullable(z.string())),
}));

const Fork = model<ForkPayload>()('ForkPayload', () => ({ ...envelope(), forkee: subject() }));
const Gollum = model<GollumPayload>()('GollumPayload', () => ({
  ...envelope(),
  pages: z.optional(z.array(record())),
}));
const Member = model<MemberPayload>()('MemberPayload', () => ({
  ...envelope(),
  member: subject(),
}));
const PageBuild = model<PageBuildPayload>()('PageBuildPayload', () => ({
  ...envelope(),
  build: subject(),
}));
const Release = model<ReleasePayload>()('ReleasePayload', () => ({
  ...envelope(),
  release: subject(),
}));
const TeamAdd = model<TeamAddPayload>()('TeamAddPayload', () => ({
  ...envelope(),
  team: z.optional(z.nullable(record())),
}));

/** What each event of the contract carries. */
export interface EventPayloads {
  commit_comment: CommentPayload;
  create: RefPayload;
  delete: RefPayload;
  deployment: DeploymentPayload;
  deployment_status: DeploymentPayload;
  fork: ForkPayload;
  gollum: GollumPayload;
  issue_comment: CommentPayload;
  issues: IssuesPayload;
  member: MemberPayload;
  page_build: PageBuildPayload;
  public: EventPayload;
  pull_request_review_comment: CommentPayload;
  pull_request: PullRequestPayload;
  push: PushPayload;
  release: ReleasePayload;
  status: StatusPayload;
  team_add: TeamAddPayload;
  watch: EventPayload;
  ping: PingPayload;
}

const models: { readonly [Event in keyof EventPayloads]: Model<EventPayloads[Event]> } = {
  commit_comment: Comment,
  create: Ref,
  delete: Ref,
  deployment: Deployment,
  deployment_status: Deployment,
  fork: Fork,
  gollum: Gollum,
  issue_comment: Comment,
  issues: Issues,
  member: Member,
  page_build: PageBuild,
  public: EventPayload,
  pull_request_review_comment: Comment,
  pull_request: PullRequest,
  push: Push,
  release: Release,
  status: Status,
  team_add: TeamAdd,
  watch: EventPayload,
  ping: Ping,
};

const byName = new Map<string, Model<EventPayload>>(Object.entries(models));

/** The model of what an event carries; undefined for an event that the contract does not name. */
export function payloadModel(event: string): Model<EventPayload> | undefined {
  return byName.get(event);
}
