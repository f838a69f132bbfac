import { json } from '../reply.js';
import { canSee, checkScopes, requireCaller, requireRepo } from './access.js';
import type { HostingRoute, HostingRoutes } from './context.js';
import { paged } from './crud.js';
import { found, notFound } from './refusals.js';
import { emailOf, renderRepo, renderUser } from './render.js';

const reposOfOwner: HostingRoute = (context) => {
  const { login } = found(context.state.account(context.param('owner')));
  const repos = [...context.state.repos.values()].filter(
    (each) => each.owner === login && canSee(context, each),
  );
  return paged(context, repos, (each) => renderRepo(context, each));
};

/** Routes that no client method calls, but that URLs in responses point to. */
export const peopleRoutes: HostingRoutes = {
  'GET /user': (context) => json(200, renderUser(context, requireCaller(context).login)),
  'GET /user/emails': (context) => {
    const email = emailOf(requireCaller(context).login);
    checkScopes(context, 'user', 'user:email');
    return json(
      200,
      context.version === 'beta' ? [email] : [{ email, primary: true, verified: true }],
    );
  },
  'GET /users/:username': (context) => {
    const { login } = found(context.state.account(context.param('username')));
    return json(200, renderUser(context, login));
  },

  /**
   * Returns an organization. Here and in a team's `organization`, the `url` is below `/orgs`. In
   * all other responses, the organization's `url` is below `/users`.
   */
  'GET /orgs/:org': (context) => {
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
  },

  'GET /users/:owner/repos': reposOfOwner,
  'GET /orgs/:owner/repos': reposOfOwner,
  'GET /repos/:owner/:repo': (context) => json(200, renderRepo(context, requireRepo(context))),
};
