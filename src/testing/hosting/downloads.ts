import { empty, json } from '../reply.js';
import type { Router } from '../router.js';
import { numberParam, pushableRepoOf, repoOf } from './access.js';
import type { HostingContext, HostingRoute } from './context.js';
import { paged } from './paging.js';
import { notFound } from './refusals.js';
import type { DownloadRecord, Repo } from './repo-state.js';

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

function downloadOf(context: HostingContext, repo: Repo): DownloadRecord {
  const id = numberParam(context, 'id');
  const download = repo.downloads.find((each) => each.id === id);
  if (!download) throw notFound();
  return download;
}

const list: HostingRoute = (context) => {
  const repo = repoOf(context);
  return paged(context, repo.downloads.toReversed(), (each) => render(context, repo, each));
};

const get: HostingRoute = (context) => {
  const repo = repoOf(context);
  return json(200, render(context, repo, downloadOf(context, repo)));
};

const remove: HostingRoute = (context) => {
  const repo = pushableRepoOf(context);
  repo.downloads.splice(repo.downloads.indexOf(downloadOf(context, repo)), 1);
  return empty(204);
};

/** Downloads (deprecated by the service). */
export function addDownloads(router: Router<HostingRoute>): void {
  router.add('GET /repos/:owner/:repo/downloads', list);
  router.add('GET /repos/:owner/:repo/downloads/:id', get);
  router.add('DELETE /repos/:owner/:repo/downloads/:id', remove);
}
