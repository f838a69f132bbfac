import { gzipSync } from 'node:zlib';
import { createRedirect, createReply } from '../reply.js';
import { openRepo, requireRepo } from './access.js';
import type { HostingRoute, HostingRoutes } from './context.js';
import { crud, removeFrom } from './crud.js';
import { findCommit } from './git.js';
import type { DownloadRecord, Repo } from './records/repository.js';
import { notFound } from './refusals.js';
import { attachment } from './releases.js';
import { encodePath, repoUrl } from './render.js';

/** Creates a route that redirects to an archive. */
const archiveLink =
  (format: 'tarball' | 'zipball'): HostingRoute =>
  (context) => {
    const repo = requireRepo(context);
    const ref = context.param('ref') === '' ? repo.defaultBranch : context.param('ref');
    if (!findCommit(repo, ref)) throw notFound();
    const path = `/archives/${repo.owner}/${repo.name}/${format}/${encodePath(ref)}`;
    return createRedirect(302, context.origin + path);
  };

export const archiveLinkRoutes: HostingRoutes = {
  'GET /repos/:owner/:repo/tarball/*ref': archiveLink('tarball'),
  'GET /repos/:owner/:repo/zipball/*ref': archiveLink('zipball'),
};

/** Download routes that archive links redirect to. */
export const archiveRoutes: HostingRoutes = {
  /** Sends an empty archive, which is only an end-of-archive record in both formats. */
  'GET /archives/:owner/:repo/:format/*ref': (context) => {
    const name = `${context.param('repo')}-${context.param('ref').replaceAll('/', '-')}`;
    const saved = (suffix: string) => ({ 'content-disposition': attachment(name + suffix) });
    if (context.param('format') === 'tarball') {
      const content = new Uint8Array(gzipSync(Buffer.alloc(1024)));
      return createReply(200, 'application/x-gzip', content, saved('.tar.gz'));
    }
    if (context.param('format') !== 'zipball') throw notFound();
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50);
    return createReply(200, 'application/zip', new Uint8Array(end), saved('.zip'));
  },
};

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
