import { openRepo } from './access.js';
import { crud, removeFrom } from './crud.js';
import type { DownloadRecord } from './records/download.js';
import type { Repo } from './records/repository.js';
import { repoUrl } from './render.js';

export const downloadRoutes = crud<Repo, DownloadRecord>('/repos/:owner/:repo/downloads', {
  open: openRepo,
  list: (_, { downloads }) => downloads.toReversed(),
  render: (context, repo, download) => ({
    url: `${repoUrl(context, repo)}/downloads/${download.id}`,
    html_url: `${context.origin}/downloads/${repo.owner}/${repo.name}/${encodeURIComponent(download.name)}`,
    id: download.id,
    name: download.name,
    description: download.description,
    size: download.size,
    download_count: download.downloads,
    content_type: download.contentType,
    created_at: download.createdAt,
  }),
  remove: (_, { downloads }, download) => removeFrom(downloads, download),
});
