import type { Reply } from '../reply.js';
import { empty } from '../reply.js';
import type { Router } from '../router.js';
import { callerOf, checkScopes, permissionOf, repoOf, writeScopes } from './access.js';
import type { HostingContext, HostingRoute } from './context.js';
import { emit } from './events.js';
import { paged } from './paging.js';
import { notFound } from './refusals.js';
import { renderRepo, renderUser } from './render.js';

function starredBy(context: HostingContext, login: string): Reply {
  const { account } = context.caller;
  const starred = [...context.state.repos.values()].filter(
    (repo) => repo.stargazers.has(login) && permissionOf(context.state, repo, account) !== 'none',
  );
  const updated = context.query.get('sort') === 'updated';
  starred.sort((a, b) => (updated ? a.updatedAt.localeCompare(b.updatedAt) : a.id - b.id));
  if (context.query.get('direction') !== 'asc') starred.reverse();
  return paged(context, starred, (repo) => renderRepo(context, repo));
}

const stargazers: HostingRoute = (context) => {
  const repo = repoOf(context);
  return paged(context, [...repo.stargazers], (login) => renderUser(context, login));
};

const ofUser: HostingRoute = (context) => {
  const login = context.param('username');
  if (!context.state.account(login)) throw notFound();
  return starredBy(context, login);
};

const mine: HostingRoute = (context) => starredBy(context, callerOf(context).login);

const isStarred: HostingRoute = (context) => {
  const { login } = callerOf(context);
  if (!repoOf(context).stargazers.has(login)) throw notFound();
  return empty(204);
};

const star: HostingRoute = (context) => {
  const { login } = callerOf(context);
  const repo = repoOf(context);
  checkScopes(context, ...writeScopes(repo));
  if (!repo.stargazers.has(login)) emit(context, repo, 'watch', { action: 'started' });
  repo.stargazers.add(login);
  return empty(204);
};

const unstar: HostingRoute = (context) => {
  const { login } = callerOf(context);
  const repo = repoOf(context);
  checkScopes(context, ...writeScopes(repo));
  repo.stargazers.delete(login);
  return empty(204);
};

/** Starring. */
export function addStarring(router: Router<HostingRoute>): void {
  router.add('GET /repos/:owner/:repo/stargazers', stargazers);
  router.add('GET /users/:username/starred', ofUser);
  router.add('GET /user/starred', mine);
  router.add('GET /user/starred/:owner/:repo', isStarred);
  router.add('PUT /user/starred/:owner/:repo', star);
  router.add('DELETE /user/starred/:owner/:repo', unstar);
}
