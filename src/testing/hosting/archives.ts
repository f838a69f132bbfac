import { gzipSync } from 'node:zlib';
import { bytes, redirect } from '../reply.js';
import type { Router } from '../router.js';
import { repoOf } from './access.js';
import type { HostingRoute } from './context.js';
import { commitOf } from './git.js';
import { notFound } from './refusals.js';
import { encodePath } from './render-content.js';

/** Where archives are redirected to. */
const archiveLink =
  (format: 'tarball' | 'zipball'): HostingRoute =>
  (context) => {
    const repo = repoOf(context);
    const ref = context.param('ref') === '' ? repo.defaultBranch : context.param('ref');
    if (!commitOf(repo, ref)) throw notFound();
    const path = `/archives/${repo.owner}/${repo.name}/${format}/${encodePath(ref)}`;
    return redirect(302, context.origin + path);
  };

/** An archive without files in it: an end of archive is all that both formats need. */
const archive: HostingRoute = (context) => {
  if (context.param('format') === 'tarball') {
    return bytes(200, 'application/x-gzip', new Uint8Array(gzipSync(Buffer.alloc(1024))));
  }
  if (context.param('format') !== 'zipball') throw notFound();
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  return bytes(200, 'application/zip', new Uint8Array(end));
};

export function addArchiveLinks(router: Router<HostingRoute>): void {
  router.add('GET /repos/:owner/:repo/tarball/*ref', archiveLink('tarball'));
  router.add('GET /repos/:owner/:repo/zipball/*ref', archiveLink('zipball'));
}

/** The archives themselves, at their own web address. */
export function addArchives(router: Router<HostingRoute>): void {
  router.add('GET /archives/:owner/:repo/:format/*ref', archive);
}
