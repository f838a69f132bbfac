import { gzipSync } from 'node:zlib';
import { createRedirect, createReply } from '../reply.js';
import type { Router } from '../router.js';
import { requireRepo } from './access.js';
import type { HostingRoute } from './context.js';
import { findCommit } from './git.js';
import { notFound } from './refusals.js';
import { encodePath } from './render-content.js';

/** Creates the route that redirects to an archive. */
const archiveLink =
  (format: 'tarball' | 'zipball'): HostingRoute =>
  (context) => {
    const repo = requireRepo(context);
    const ref = context.param('ref') === '' ? repo.defaultBranch : context.param('ref');
    if (!findCommit(repo, ref)) throw notFound();
    const path = `/archives/${repo.owner}/${repo.name}/${format}/${encodePath(ref)}`;
    return createRedirect(302, context.origin + path);
  };

/** Sends an empty archive. In both formats, it consists only of an end-of-archive record. */
const archive: HostingRoute = (context) => {
  if (context.param('format') === 'tarball') {
    return createReply(200, 'application/x-gzip', new Uint8Array(gzipSync(Buffer.alloc(1024))));
  }
  if (context.param('format') !== 'zipball') throw notFound();
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  return createReply(200, 'application/zip', new Uint8Array(end));
};

export function addArchiveLinks(router: Router<HostingRoute>): void {
  router.add('GET /repos/:owner/:repo/tarball/*ref', archiveLink('tarball'));
  router.add('GET /repos/:owner/:repo/zipball/*ref', archiveLink('zipball'));
}

/** Adds the web pages that archive links redirect to. */
export function addArchives(router: Router<HostingRoute>): void {
  router.add('GET /archives/:owner/:repo/:format/*ref', archive);
}
