import { json } from '../reply.js';
import {
  canSee,
  inPushableRepo,
  inRepo,
  mayPush,
  numberParam,
  requireCaller,
  requireWriter,
} from './access.js';
import { changeOfPull, renderChange, renderCommit, respondWithText } from './commits.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { created, paged } from './crud.js';
import { emit, emitPush } from './events.js';
import {
  createFieldReader,
  filledField,
  queryChoice,
  readFields,
  requiredField,
  stringField,
  wholeNumberField,
} from './fields.js';
import { commitTo, findInNetwork, followForks, mergeFiles } from './git.js';
import type { Pull, PullSide } from './records/pull.js';
import type { Repo } from './records/repository.js';
import { found, invalid, notFound, respondIfExists } from './refusals.js';
import { encodePath, renderPull, renderRepo, repoUrl, webUrl } from './render.js';

const resource = 'PullRequest';
const month = 31 * 24 * 3600 * 1000;

function requirePull(context: HostingContext, repo: Repo): Pull {
  const number = numberParam(context, 'number');
  const pull = found(repo.pulls.find((each) => each.number === number));
  followForks(context.state, [repo]);
  return pull;
}

/** A branch in a network of forks. */
type Branch = Omit<PullSide, 'sha'>;

/** Returns the pull requests that a list request selects, in the requested order. */
function selectPulls(context: HostingContext, repo: Repo): Pull[] {
  const { query, clock } = context;
  const choice = <T extends string>(name: string, ...known: readonly T[]) =>
    queryChoice(resource, query, name, known);
  const state = choice('state', 'open', 'closed', 'all') ?? 'open';
  const sort = choice('sort', 'created', 'updated', 'popularity', 'long-running') ?? 'created';
  const direction = choice('direction', 'asc', 'desc') ?? (sort === 'created' ? 'desc' : 'asc');
  const head = query.get('head');
  // A branch without an owner matches no pull request.
  const source = head?.includes(':') ? parseHead(context, repo, head) : undefined;
  const base = query.get('base');
  const recent = clock.now.getTime() - month;
  followForks(context.state, [repo]);
  const selected = repo.pulls.filter(
    (pull) =>
      (state === 'all' || pull.state === state) &&
      (head === null || (pull.head.login === source?.login && pull.head.ref === source.ref)) &&
      (base === null || pull.base.ref === base) &&
      (sort !== 'long-running' || Date.parse(pull.updatedAt) >= recent),
  );
  const key = (pull: Pull): number => {
    if (sort === 'popularity') return pull.comments;
    return Date.parse(sort === 'updated' ? pull.updatedAt : pull.createdAt);
  };
  selected.sort((a, b) => key(a) - key(b));
  return direction === 'desc' ? selected.reverse() : selected;
}

function emitAction(context: HostingContext, repo: Repo, pull: Pull, action: string): void {
  const { number } = pull;
  const payload = { action, number, pull_request: renderPull(context, repo, pull) };
  emit(context, repo, 'pull_request', payload);
}

/**
 * Returns a branch's SHA from the repository, or from a fork that the caller can see.
 * @throws {HttpError} 422 if the branch doesn't exist or is hidden.
 */
function resolveHeadSha(context: HostingContext, repo: Repo, { login, ref }: Branch): string {
  const source = findInNetwork(context.state, repo, login);
  const sha = source?.refs.get(`heads/${ref}`)?.sha;
  if (!source || !canSee(context, source) || sha === undefined) {
    throw invalid(resource, 'head', 'invalid');
  }
  return sha;
}

/** Parses `branch` or `owner:branch`. */
function parseHead({ state }: HostingContext, repo: Repo, head: string): Branch {
  const [, login = repo.owner, ref = ''] = /^(?:([^:]*):)?(.*)$/s.exec(head) ?? [];
  return { login: state.account(login)?.login ?? login, ref };
}

const stateField = createFieldReader((value) => value === 'open' || value === 'closed');

const pullFields = { title: filledField, body: stringField, state: stateField };

export const pullRoutes: HostingRoutes = {
  'GET /repos/:owner/:repo/pulls': inRepo((context, repo) => {
    const rendered = renderRepo(context, repo);
    const pulls = selectPulls(context, repo);
    return paged(context, pulls, (pull) => renderPull(context, repo, pull, rendered));
  }),

  'GET /repos/:owner/:repo/pulls/:number': inRepo((context, repo) => {
    const pull = requirePull(context, repo);
    return respondWithText(context, repo, pull) ?? json(200, renderPull(context, repo, pull));
  }),

  'POST /repos/:owner/:repo/pulls': inRepo(async (context, repo) => {
    const { login: author } = requireWriter(context, repo);
    const body = await context.body();
    const head = requiredField(resource, body, 'head');
    const base = requiredField(resource, body, 'base');
    const issue = wholeNumberField(resource, body, 'issue');
    const title = issue === undefined ? requiredField(resource, body, 'title') : `Issue ${issue}`;
    const text = stringField(resource, body, 'body') ?? null;
    const target = repo.refs.get(`heads/${base}`);
    if (!target) throw invalid(resource, 'base', 'invalid');
    const source = parseHead(context, repo, head);
    const exists = repo.pulls.some(
      (pull) =>
        pull.state === 'open' &&
        pull.head.login === source.login &&
        pull.head.ref === source.ref &&
        pull.base.ref === base,
    );
    if (exists) throw invalid(resource, 'head', 'already_exists');
    const sha = resolveHeadSha(context, repo, source);
    const pull = context.world.addPull(repo, {
      title,
      body: text,
      login: author,
      head: { ...source, sha },
      base: { ref: base, login: repo.owner, sha: target.sha },
    });
    emitAction(context, repo, pull, 'opened');
    return created(renderPull(context, repo, pull));
  }),

  'PATCH /repos/:owner/:repo/pulls/:number': inRepo(async (context, repo) => {
    const pull = requirePull(context, repo);
    const { login } = requireWriter(context, repo);
    if (login !== pull.login && !mayPush(context, repo)) throw notFound();
    const input = readFields(resource, await context.body(), pullFields);
    const moved = input.state !== undefined && input.state !== pull.state;
    if (moved && pull.mergedAt !== null) throw invalid(resource, 'state', 'invalid');
    const now = context.clock.iso();
    Object.assign(pull, input, { updatedAt: now });
    if (moved) {
      const closed = pull.state === 'closed';
      pull.closedAt = closed ? now : null;
      emitAction(context, repo, pull, closed ? 'closed' : 'reopened');
    }
    return json(200, renderPull(context, repo, pull));
  }),

  'GET /repos/:owner/:repo/pulls/:number/commits': inRepo((context, repo) => {
    const change = changeOfPull(repo, requirePull(context, repo));
    return paged(context, [change], (each) => renderCommit(context, repo, each));
  }),

  'GET /repos/:owner/:repo/pulls/:number/files': inRepo((context, repo) => {
    const { changes, sha } = changeOfPull(repo, requirePull(context, repo));
    const web = webUrl(context, repo);
    const contents = `${repoUrl(context, repo)}/contents`;
    return paged(context, changes, (change) => {
      const path = encodePath(change.path);
      return {
        ...renderChange(change),
        blob_url: `${web}/blob/${sha}/${path}`,
        raw_url: `${web}/raw/${sha}/${path}`,
        contents_url: `${contents}/${path}?ref=${sha}`,
      };
    });
  }),

  'GET /repos/:owner/:repo/pulls/:number/merge': inRepo((context, repo) => {
    return respondIfExists(requirePull(context, repo).mergedAt !== null);
  }),

  'PUT /repos/:owner/:repo/pulls/:number/merge': inPushableRepo(async (context, repo) => {
    const pull = requirePull(context, repo);
    const body = await context.body();
    const sha = stringField(resource, body, 'sha');
    if (sha !== undefined && sha !== pull.head.sha) {
      return json(409, { message: 'Head branch was modified. Review and try the merge again.' });
    }
    const details = stringField(resource, body, 'commit_message') ?? pull.title;
    if (pull.state === 'closed' || !mergeFiles(repo, pull.base.ref, pull.head.sha)) {
      return json(405, { message: 'Pull Request is not mergeable' });
    }
    const now = context.clock.iso();
    const title = `Merge pull request #${pull.number}`;
    const { login } = requireCaller(context);
    const message = `${title}\n\n${details}`;
    const merged = repo.commits.get(pull.head.sha)?.sha;
    const commit = commitTo(repo, pull.base.ref, { message, login, date: now, merged });
    pull.state = 'closed';
    pull.closedAt = now;
    pull.mergedAt = now;
    pull.updatedAt = now;
    pull.mergeCommitSha = commit.sha;
    emitPush(context, repo, `refs/heads/${pull.base.ref}`, commit);
    emitAction(context, repo, pull, 'closed');
    return json(200, {
      sha: commit.sha,
      merged: true,
      message: 'Pull Request successfully merged',
    });
  }),
};
