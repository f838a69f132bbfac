import { json } from '../reply.js';
import type { HostingRoutes } from './context.js';

export const rootRoutes: HostingRoutes = {
  /** Returns URLs and URL templates of the API. This route is undocumented. */
  'GET /': ({ api }) =>
    json(200, {
      authorizations_url: `${api}/authorizations`,
      current_user_url: `${api}/user`,
      hooks_url: `${api}/hooks`,
      hub_url: `${api}/hub`,
      organization_url: `${api}/orgs/{org}`,
      organization_repositories_url: `${api}/orgs/{org}/repos{?page,per_page}`,
      organization_teams_url: `${api}/orgs/{org}/teams{?page,per_page}`,
      rate_limit_url: `${api}/rate_limit`,
      repository_url: `${api}/repos/{owner}/{repo}`,
      starred_url: `${api}/user/starred{/owner}{/repo}`,
      team_url: `${api}/teams/{id}`,
      user_url: `${api}/users/{user}`,
      user_repositories_url: `${api}/users/{user}/repos{?page,per_page}`,
      user_teams_url: `${api}/user/teams{?page,per_page}`,
    }),
};

export const rateLimitRoutes: HostingRoutes = {
  'GET /rate_limit': ({ service, caller }) => {
    const { limit, remaining, reset } = service.limits.window(caller);
    const core = { limit, remaining, reset };
    return json(200, {
      resources: { core, search: { limit: 30, remaining: 30, reset } },
      rate: core,
    });
  },
};
