import { json } from '../reply.js';
import { requireAdminRepo } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { paged } from './crud.js';
import type { PagesBuildRecord, PagesRecord, Repo } from './records/repository.js';
import { found, notFound } from './refusals.js';
import { renderUser, repoUrl } from './render.js';

/**
 * Returns the Pages site if the caller administers the repository. @throws {HttpError} 401 if the
 * caller is anonymous, 404 if there is no site or the caller doesn't have admin access.
 */
function requireSite(context: HostingContext): [Repo, PagesRecord] {
  const repo = requireAdminRepo(context, 'repo');
  if (!repo.pages) throw notFound();
  return [repo, repo.pages];
}

function siteUrl(context: HostingContext, repo: Repo): string {
  return `${repoUrl(context, repo)}/pages`;
}

function renderBuild(context: HostingContext, repo: Repo, build: PagesBuildRecord): object {
  return {
    url: `${siteUrl(context, repo)}/builds/${build.id}`,
    status: build.status,
    error: { message: build.error },
    pusher: renderUser(context, build.login),
    commit: build.commit,
    duration: build.duration,
    created_at: build.createdAt,
    updated_at: build.updatedAt,
  };
}

export const pagesRoutes: HostingRoutes = {
  'GET /repos/:owner/:repo/pages': (context) => {
    const [repo, { builds, cname, custom404 }] = requireSite(context);
    const status = builds.at(-1)?.status ?? null;
    return json(200, { url: siteUrl(context, repo), status, cname, custom_404: custom404 });
  },

  'GET /repos/:owner/:repo/pages/builds': (context) => {
    const [repo, { builds }] = requireSite(context);
    return paged(context, builds.toReversed(), (build) => renderBuild(context, repo, build));
  },

  'GET /repos/:owner/:repo/pages/builds/latest': (context) => {
    const [repo, { builds }] = requireSite(context);
    const build = found(builds.at(-1));
    return json(200, renderBuild(context, repo, build));
  },
};
