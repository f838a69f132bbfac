import { empty, json } from '../reply.js';
import { inPushableRepo, inRepo } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { created, paged, type Rendered } from './crud.js';
import { emit, emitPush } from './events.js';
import { booleanField, requiredField } from './fields.js';
import { followForks, isAncestor, pointTo, removeRef } from './git.js';
import type { RefData, Repo } from './records/repository.js';
import type { CommitRecord } from './records/tree.js';
import { found, invalid, notFound, unprocessable } from './refusals.js';
import { encodePath, repoUrl } from './render.js';

const resource = 'Reference';

function renderRef(context: HostingContext, repo: Repo, name: string, target: RefData): Rendered {
  const { sha, type } = target;
  const api = `${repoUrl(context, repo)}/git`;
  return {
    ref: `refs/${name}`,
    url: `${api}/refs/${encodePath(name)}`,
    object: { sha, type, url: `${api}/${type}s/${sha}` },
  };
}

/** Returns the references whose names start with a prefix, sorted by name. */
function findWithPrefix(repo: Repo, prefix: string): [string, RefData][] {
  const found = [...repo.refs].filter(([name]) => name.startsWith(prefix));
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

function isRefName(ref: string): boolean {
  // Requires `refs/<kind>/<name>`, and checks some of the rules of `git check-ref-format`.
  return (
    /^refs\/[^/]+\/./.test(ref) &&
    !/[\s~^:?*[\\]|\.\.|\/(?:[/.]|$)|@\{|\.$|\.lock(?:\/|$)/.test(ref)
  );
}

function requireCommit(repo: Repo, sha: string): CommitRecord {
  if (!/^[0-9a-f]{40}$/.test(sha)) throw invalid(resource, 'sha', 'invalid');
  const commit = repo.commits.get(sha);
  if (!commit) throw unprocessable('Object does not exist');
  return commit;
}

type RefEvent = 'create' | 'delete';

/** Sends an event for a branch or tag. Other references have no events. */
function emitChange(context: HostingContext, repo: Repo, event: RefEvent, name: string): void {
  const [, kind, ref] = /^(heads|tags)\/(.*)/.exec(name) ?? [];
  const ref_type = kind === 'heads' ? 'branch' : 'tag';
  if (kind) emit(context, repo, event, { ref, ref_type, pusher_type: 'user' });
}

export const referenceRoutes: HostingRoutes = {
  /**
   * Returns the reference with exactly the requested name. If there is none, returns all references
   * whose names start with that name.
   */
  'GET /repos/:owner/:repo/git/refs/*ref': inRepo((context, repo) => {
    const name = context.param('ref');
    const one = repo.refs.get(name);
    if (one) return json(200, renderRef(context, repo, name, one));
    const some = findWithPrefix(repo, name);
    if (some.length === 0 && name !== '') throw notFound();
    return paged(context, some, (each) => renderRef(context, repo, ...each));
  }),

  'POST /repos/:owner/:repo/git/refs': inPushableRepo(async (context, repo) => {
    const body = await context.body();
    const ref = requiredField(resource, body, 'ref');
    const sha = requiredField(resource, body, 'sha');
    if (!isRefName(ref)) throw unprocessable('Reference name is invalid');
    const name = ref.slice(5);
    if (repo.refs.has(name)) throw unprocessable('Reference already exists');
    const target = pointTo(repo, name, requireCommit(repo, sha).sha);
    followForks(context.state);
    emitChange(context, repo, 'create', name);
    return created(renderRef(context, repo, name, target));
  }),

  'PATCH /repos/:owner/:repo/git/refs/*ref': inPushableRepo(async (context, repo) => {
    const name = context.param('ref');
    const body = await context.body();
    const sha = requiredField(resource, body, 'sha');
    const force = booleanField(resource, body, 'force') ?? false;
    const old = repo.refs.get(name);
    if (!old) throw unprocessable('Reference does not exist');
    const commit = requireCommit(repo, sha);
    if (!force && !isAncestor(repo, old.sha, commit.sha)) {
      throw unprocessable('Update is not a fast forward');
    }
    const target = pointTo(repo, name, commit.sha);
    emitPush(context, repo, `refs/${name}`, commit);
    return json(200, renderRef(context, repo, name, target));
  }),

  'DELETE /repos/:owner/:repo/git/refs/*ref': inPushableRepo((context, repo) => {
    const name = context.param('ref');
    if (!removeRef(repo, name)) throw unprocessable('Reference does not exist');
    emitChange(context, repo, 'delete', name);
    return empty(204);
  }),

  /** Returns one reference by its full name. */
  'GET /repos/:owner/:repo/git/ref/*ref': inRepo((context, repo) => {
    const name = context.param('ref');
    const one = found(repo.refs.get(name));
    return json(200, renderRef(context, repo, name, one));
  }),

  /** Returns the references whose names start with a prefix, always as an array. */
  'GET /repos/:owner/:repo/git/matching-refs/*ref': inRepo((context, repo) => {
    const some = findWithPrefix(repo, context.param('ref'));
    return paged(context, some, (each) => renderRef(context, repo, ...each));
  }),
};
