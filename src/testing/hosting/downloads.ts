import { empty, json } from '../reply.js';
import type { Router } from '../router.js';
import { requirePushableRepo, requireRepo, withId } from './access.js';
import type { HostingContext, HostingRoute } from './context.js';
import { paged } from './paging.js';
import type { DownloadRecord } from './records/download.js';
import type { Repo } from './records/repository.js';

function render(context: HostingContext, repo: Repo, download: DownloadRecord): object {
  const full = `${repo.owner}/${repo.name}`;
  return {
    url: `${context.api}/repos/${full}/downloads/${download.id}`,
    html_url: `${context.origin}/downloads/${full}/${encodeURIComponent(download.name)}`,
    id: download.id,
    name: download.name,
    description: download.description,
    size: download.size,
    download_count: download.downloads,
    content_type: download.contentType,
    created_at: download.createdAt,
  };
}

const list: HostingRoute = (context) => {
  const repo = requireRepo(context);
  return paged(context, repo.downloads.toReversed(), (each) => render(context, repo, each));
};

const get: HostingRoute = (context) => {
  const repo = requireRepo(context);
  return json(200, render(context, repo, withId(context, repo.downloads)));
};

const remove: HostingRoute = (context) => {
  const repo = requirePushableRepo(context);
  repo.downloads.splice(repo.downloads.indexOf(withId(context, repo.downloads)), 1);
  return empty(204);
};

/** Adds the routes of downloads (deprecated by the service). */
export function addDownloads(router: Router<HostingRoute>): void {
  router.add('GET /repos/:owner/:repo/downloads', list);
  router.add('GET /repos/:owner/:repo/downloads/:id', get);
  router.add('DELETE /repos/:owner/:repo/downloads/:id', remove);
}
