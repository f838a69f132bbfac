import type { HostingContext } from './context.js';
import { followForks } from './git.js';
import type { HookRecord } from './records/hook.js';
import type { Repo } from './records/repository.js';
import type { CommitRecord } from './records/tree.js';
import { emailOf, renderRepo, renderUser, webUrl } from './render.js';

/** Sends a repository event to every active hook that subscribes to it. */
export function emit(context: HostingContext, repo: Repo, event: string, payload: object): void {
  const listening = repo.hooks.filter((hook) => hook.active && listensTo(hook, event));
  for (const hook of listening) deliver(context, repo, hook, event, payload);
}

/** Sends an event to one hook, regardless of the hook's subscriptions. */
export function deliver(
  context: HostingContext,
  repo: Repo,
  hook: HookRecord,
  event: string,
  payload: object,
): void {
  const { state, caller } = context;
  const owner = renderUser(context, repo.owner);
  context.service.send(hook, event, {
    ...payload,
    repository: renderRepo(context, repo),
    ...(state.account(repo.owner)?.type === 'Organization' && { organization: owner }),
    sender: caller.account ? renderUser(context, caller.account.login) : owner,
  });
}

export function listensTo(hook: HookRecord, event: string): boolean {
  return hook.events.includes('*') || hook.events.includes(event);
}

export function ping(context: HostingContext, repo: Repo, hook: HookRecord): void {
  const { secret: _secret, ...config } = hook.config;
  const payload = {
    zen: 'Keep it logically awesome.',
    hook_id: hook.id,
    hook: { type: 'Repository', id: hook.id, name: hook.name, events: hook.events, config },
  };
  deliver(context, repo, hook, 'ping', payload);
}

/**
 * Sends the event of a one-commit push. First moves the heads of pull requests from forks to the
 * pushed commit.
 */
export function emitPush(
  context: HostingContext,
  repo: Repo,
  ref: string,
  commit: CommitRecord,
): void {
  followForks(context.state);
  emit(context, repo, 'push', pushPayload(context, repo, ref, commit));
}

const none = '0'.repeat(40);

/** Creates the payload for a one-commit push. */
export function pushPayload(
  context: HostingContext,
  repo: Repo,
  ref: string,
  commit: CommitRecord,
): object {
  const before = commit.parents[0] ?? none;
  const web = webUrl(context, repo);
  const person = {
    name: commit.login,
    email: emailOf(commit.login),
    username: commit.login,
  };
  const head = {
    id: commit.sha,
    distinct: true,
    message: commit.message,
    timestamp: commit.date,
    url: `${web}/commit/${commit.sha}`,
    author: person,
    committer: person,
    added: [],
    removed: [],
    modified: [],
  };
  return {
    ref,
    before,
    after: commit.sha,
    created: before === none,
    deleted: false,
    forced: false,
    compare: `${web}/compare/${before.slice(0, 12)}...${commit.sha.slice(0, 12)}`,
    commits: [head],
    head_commit: head,
    pusher: { name: person.name, email: person.email },
  };
}
