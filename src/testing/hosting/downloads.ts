import { openRepo } from './access.js';
import { type Collection, crud, removeFrom } from './crud.js';
import type { DownloadRecord } from './records/download.js';
import type { Repo } from './records/repository.js';
import { repoUrl } from './render.js';

const downloads: Collection<Repo, DownloadRecord> = {
  open: openRepo,
  list: (_, repo) => repo.downloads.toReversed(),
  render: (context, repo, { id, name, description, size, downloads, contentType, createdAt }) => ({
    url: `${repoUrl(context, repo)}/downloads/${id}`,
    html_url: `${context.origin}/downloads/${repo.owner}/${repo.name}/${encodeURIComponent(name)}`,
    id,
    name,
    description,
    size,
    download_count: downloads,
    content_type: contentType,
    created_at: createdAt,
  }),
  remove: (_, repo, download) => removeFrom(repo.downloads, download),
};

/** Routes for downloads, which requests can't create. */
export const downloadRoutes = crud('/repos/:owner/:repo/downloads', downloads);
