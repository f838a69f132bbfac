import { empty, type Reply } from '../reply.js';
import { canSee, inRepo, requireCaller, requireRepo, requireWriter } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { paged } from './crud.js';
import { emit } from './events.js';
import { queryChoice } from './fields.js';
import type { Repo, StarRecord } from './records/repository.js';
import { found, respondIfExists } from './refusals.js';
import { renderRepo, renderUser } from './render.js';

/** Adds the time of a star if `Accept` requests it: `application/vnd.<vendor>[.v3].star+json`. */
function withTime({ accept, service }: HostingContext, starred_at: string, star: object): object {
  const word = `application/vnd.${service.vendor}`;
  const isTimed = [`${word}.star+json`, `${word}.v3.star+json`].includes(accept);
  return isTimed ? { starred_at, ...star } : (Object.values(star)[0] ?? {});
}

function starredBy(context: HostingContext, login: string): Reply {
  const starred = [...context.state.repos.values()].filter(
    (repo) => repo.stargazers.has(login) && canSee(context, repo),
  );
  const sort = queryChoice('Star', context.query, 'sort', ['created', 'updated']) ?? 'created';
  const direction = queryChoice('Star', context.query, 'direction', ['asc', 'desc']) ?? 'desc';
  const findStar = (repo: Repo) => repo.stargazers.get(login) ?? { starredAt: '', sequence: 0 };
  const time = (repo: Repo) => (sort === 'created' ? findStar(repo).starredAt : repo.updatedAt);
  // Times are in whole seconds, so several stars may have the same time.
  starred.sort(
    (a, b) => time(a).localeCompare(time(b)) || findStar(a).sequence - findStar(b).sequence,
  );
  if (direction === 'desc') starred.reverse();
  return paged(context, starred, (repo) =>
    withTime(context, findStar(repo).starredAt, { repo: renderRepo(context, repo) }),
  );
}

/**
 * Returns the caller's login and the `:owner/:repo` repository, whose stars the caller may change.
 * @throws {HttpError} 401 if the caller is anonymous, 404 if the repository is missing or hidden, or
 * the scopes don't allow the change.
 */
function requireStarrer(context: HostingContext) {
  const { login } = requireCaller(context);
  const repo = requireRepo(context);
  requireWriter(context, repo);
  return { login, repo };
}

export const starringRoutes: HostingRoutes = {
  'GET /repos/:owner/:repo/stargazers': inRepo((context, repo) => {
    const render = ([login, { starredAt }]: readonly [string, StarRecord]) =>
      withTime(context, starredAt, { user: renderUser(context, login) });
    return paged(context, [...repo.stargazers], render, 'always');
  }),

  'GET /users/:username/starred': (context) => {
    const { login } = found(context.state.account(context.param('username')));
    return starredBy(context, login);
  },

  'GET /user/starred': (context) => starredBy(context, requireCaller(context).login),
  'GET /user/starred/:owner/:repo': (context) => {
    const { login } = requireCaller(context);
    return respondIfExists(requireRepo(context).stargazers.has(login));
  },

  'PUT /user/starred/:owner/:repo': (context) => {
    const { login, repo } = requireStarrer(context);
    if (!repo.stargazers.has(login)) {
      context.world.addStar(repo, login);
      emit(context, repo, 'watch', { action: 'started' });
    }
    return empty(204);
  },

  'DELETE /user/starred/:owner/:repo': (context) => {
    const { login, repo } = requireStarrer(context);
    repo.stargazers.delete(login);
    return empty(204);
  },
};
