import { text } from 'node:stream/consumers';
import {
  ContentDirectory,
  ContentFile,
  ContentFileItem,
  ContentSubmodule,
  ContentSymlink,
  FileCommit,
} from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, place, sha } from '../case.js';

const file = sampleOf(ContentFile);
const commit = sampleOf(FileCommit);
const person = { name: 'Mona', email: 'mona@example.com' };
const at = { ...here, path: 'docs/a#b?.md' };
const url = `${place}/contents/docs/a%23b%3F.md`;
const change = { message: 'm', branch: 'next', committer: person, author: person };
/** Text that is also valid Base64. */
const word = 'true';
const written = { ...change, content: 'dHJ1ZQ==' };

export const contents: readonly HostingCase[] = [
  {
    row: 'GET /repos/:owner/:repo/readme',
    operation: 'contents.getReadme',
    call: (c) => c.contents.getReadme({ ...here, ref: 'feature/x' }),
    url: `${place}/readme?ref=feature%2Fx`,
    status: 200,
    reply: file,
  },
  {
    row: 'GET /repos/:owner/:repo/readme',
    operation: 'contents.getRawReadme',
    call: async (c) => await text(await c.contents.getRawReadme({ ...here, ref: 'next' })),
    url: `${place}/readme?ref=next`,
    accept: 'application/vnd.service.v3.raw',
    status: 200,
    reply: '# Sandbox',
    replyType: 'application/vnd.service.v3.raw; charset=utf-8',
  },
  ...[file, sampleOf(ContentSymlink), sampleOf(ContentSubmodule)].map(
    (reply): HostingCase => ({
      row: 'GET /repos/:owner/:repo/contents/:path',
      operation: 'contents.get',
      call: (c) => c.contents.get({ ...at, ref: 'next' }),
      url: `${url}?ref=next`,
      status: 200,
      reply,
    }),
  ),
  {
    row: 'GET /repos/:owner/:repo/contents/:path',
    operation: 'contents.get',
    call: (c) => c.contents.get({ ...here, path: '' }),
    url: `${place}/contents`,
    status: 200,
    reply: [sampleOf(ContentFileItem), sampleOf(ContentDirectory)],
  },
  {
    row: 'GET /repos/:owner/:repo/contents/:path',
    operation: 'contents.getRaw',
    call: async (c) => await text(await c.contents.getRaw({ ...at, ref: 'next' })),
    url: `${url}?ref=next`,
    accept: 'application/vnd.service.v3.raw',
    status: 200,
    reply: 'hello',
  },
  {
    row: 'PUT /repos/:owner/:repo/contents/:path',
    operation: 'contents.create',
    call: (c) => c.contents.create({ ...at, ...change, content: { text: word } }),
    url,
    body: written,
    status: 201,
    reply: commit,
  },
  {
    row: 'PUT /repos/:owner/:repo/contents/:path',
    operation: 'contents.create',
    call: (c) => c.contents.create({ ...at, ...change, content: Buffer.from(word) }),
    url,
    body: written,
    status: 201,
    reply: commit,
  },
  {
    // Base64 with line breaks, as `contents.get` returns it.
    row: 'PUT /repos/:owner/:repo/contents/:path (update)',
    operation: 'contents.update',
    call: (c) => c.contents.update({ ...at, ...change, content: { base64: 'dHJ1\nZQ==\n' }, sha }),
    url,
    body: { ...written, sha },
    status: 200,
    reply: commit,
  },
  {
    row: 'DELETE /repos/:owner/:repo/contents/:path',
    outside: true,
    operation: 'contents.delete',
    call: (c) => c.contents.delete({ ...at, message: 'm', sha, branch: 'next', author: person }),
    url,
    body: { message: 'm', sha, branch: 'next', author: person },
    status: 200,
    reply: { ...commit, content: null },
  },
  {
    row: 'GET /repos/:owner/:repo/:archive_format/:ref',
    outside: true,
    operation: 'contents.getArchive',
    call: async (c) =>
      await text(await c.contents.getArchive({ ...here, archive_format: 'zipball', ref: 'a/b' })),
    url: `${place}/zipball/a/b`,
    status: 200,
    reply: 'the archive',
    replyType: 'application/zip',
  },
  {
    row: 'GET /repos/:owner/:repo/:archive_format/:ref',
    outside: true,
    operation: 'contents.getArchive',
    call: (c) => c.contents.getArchive({ ...here, archive_format: 'tarball', ref: 'main' }),
    url: `${place}/tarball/main`,
    status: 302,
    error: 'redirect',
  },
];
