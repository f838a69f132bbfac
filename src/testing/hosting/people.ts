import { json } from '../reply.js';
import type { Router } from '../router.js';
import { findPermission, requireCaller, requireRepo } from './access.js';
import type { HostingRoute } from './context.js';
import { paged } from './paging.js';
import { notFound } from './refusals.js';
import { renderRepo, renderUser } from './render.js';

const me: HostingRoute = (context) => json(200, renderUser(context, requireCaller(context).login));

const user: HostingRoute = (context) => {
  const login = context.param('username');
  if (!context.state.account(login)) throw notFound();
  return json(200, renderUser(context, login));
};

/**
 * Returns an organization. Only this response has a `url` below `/orgs`. In other responses, an
 * organization has the URL of a user.
 */
const org: HostingRoute = (context) => {
  const login = context.param('org');
  if (context.state.account(login)?.type !== 'Organization') throw notFound();
  const url = `${context.api}/orgs/${login}`;
  return json(200, {
    ...renderUser(context, login),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
  });
};

const repo: HostingRoute = (context) => json(200, renderRepo(context, requireRepo(context)));

const reposOfOwner: HostingRoute = (context) => {
  const owner = context.param('owner');
  const { state, caller } = context;
  if (!state.account(owner)) throw notFound();
  const repos = [...state.repos.values()].filter(
    (each) => each.owner === owner && findPermission(state, each, caller.account) !== 'none',
  );
  return paged(context, repos, (each) => renderRepo(context, each));
};

/** Adds routes that no client method calls, but that URLs in responses point to. */
export function addPeople(router: Router<HostingRoute>): void {
  router.add('GET /user', me);
  router.add('GET /users/:username', user);
  router.add('GET /orgs/:org', org);
  router.add('GET /users/:owner/repos', reposOfOwner);
  router.add('GET /orgs/:owner/repos', reposOfOwner);
  router.add('GET /repos/:owner/:repo', repo);
}
