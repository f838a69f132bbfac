import { text } from 'node:stream/consumers';
import {
  CommitComment,
  CommitCommentFull,
  CommitCommentHtml,
  CommitCommentText,
  ContentDirectory,
  ContentFile,
  ContentItem,
  ContentSubmodule,
  ContentSymlink,
  FileCommit,
  GitReference,
} from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, place, sha, withStatus } from '../case.js';

const file = sampleOf(ContentFile);
const commit = sampleOf(FileCommit);
const person = { name: 'Mona', email: 'mona@example.com' };
const at = { ...here, path: 'docs/a#b?.md' };
const url = `${place}/contents/docs/a%23b%3F.md`;
const change = { message: 'm', branch: 'next', committer: person, author: person };
/** Text that is also valid Base64. */
const word = 'true';
const written = { ...change, content: 'dHJ1ZQ==' };

export const contents = withStatus<HostingCase>([
  {
    row: 'GET /repos/:owner/:repo/readme',
    operation: 'contents.getReadme',
    call: (c) => c.contents.getReadme({ ...here, ref: 'feature/x' }),
    url: `${place}/readme?ref=feature%2Fx`,
    reply: file,
  },
  {
    row: 'GET /repos/:owner/:repo/readme',
    operation: 'contents.getRawReadme',
    call: async (c) => await text(await c.contents.getRawReadme({ ...here, ref: 'next' })),
    url: `${place}/readme?ref=next`,
    accept: 'application/vnd.service.v3.raw',
    reply: '# Sandbox',
    replyType: 'application/vnd.service.v3.raw; charset=utf-8',
  },
  ...[file, sampleOf(ContentSymlink), sampleOf(ContentSubmodule)].map(
    (reply): HostingCase => ({
      row: 'GET /repos/:owner/:repo/contents/:path',
      operation: 'contents.get',
      call: (c) => c.contents.get({ ...at, ref: 'next' }),
      url: `${url}?ref=next`,
      reply,
    }),
  ),
  {
    row: 'GET /repos/:owner/:repo/contents/:path',
    operation: 'contents.get',
    call: (c) => c.contents.get({ ...here, path: '' }),
    url: `${place}/contents`,
    reply: [sampleOf(ContentItem), sampleOf(ContentDirectory)],
  },
  {
    row: 'GET /repos/:owner/:repo/contents/:path',
    operation: 'contents.getRaw',
    call: async (c) => await text(await c.contents.getRaw({ ...at, ref: 'next' })),
    url: `${url}?ref=next`,
    accept: 'application/vnd.service.v3.raw',
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
    row: 'PUT /repos/:owner/:repo/contents/:path (update)',
    operation: 'contents.update',
    // Base64 with line breaks, as `contents.get` returns it.
    call: (c) => c.contents.update({ ...at, ...change, content: { base64: 'dHJ1\nZQ==\n' }, sha }),
    url,
    body: { ...written, sha },
    reply: commit,
  },
  {
    row: 'DELETE /repos/:owner/:repo/contents/:path',
    notInContract: true,
    operation: 'contents.delete',
    call: (c) => c.contents.delete({ ...at, message: 'm', sha, branch: 'next', author: person }),
    url,
    body: { message: 'm', sha, branch: 'next', author: person },
    reply: { ...commit, content: null },
  },
  {
    row: 'GET /repos/:owner/:repo/:archive_format/:ref',
    notInContract: true,
    operation: 'contents.getArchive',
    call: async (c) =>
      await text(await c.contents.getArchive({ ...here, archive_format: 'zipball', ref: 'a/b' })),
    url: `${place}/zipball/a/b`,
    reply: 'the archive',
    replyType: 'application/zip',
  },
  {
    row: 'GET /repos/:owner/:repo/:archive_format/:ref',
    notInContract: true,
    operation: 'contents.getArchive',
    call: (c) => c.contents.getArchive({ ...here, archive_format: 'tarball', ref: 'main' }),
    url: `${place}/tarball/main`,
    status: 302,
    error: 'redirect',
  },
]);

const reference = sampleOf(GitReference);
const branch = { ...here, ref: 'heads/feature/a#1' as const };
const branchUrl = `${place}/git/refs/heads/feature/a%231`;

export const gitRefs = withStatus<HostingCase>([
  {
    row: 'GET /repos/:owner/:repo/git/refs/:ref',
    operation: 'gitRefs.get',
    call: (c) => c.gitRefs.get(branch),
    url: branchUrl,
    reply: reference,
  },
  {
    row: 'GET /repos/:owner/:repo/git/refs',
    operation: 'gitRefs.list',
    call: (c) => c.gitRefs.list({ ...here, per_page: 100, page: 1 }).toArray(),
    url: `${place}/git/refs?page=1&per_page=100`,
    reply: [reference],
  },
  {
    row: 'GET /repos/:owner/:repo/git/refs',
    operation: 'gitRefs.list',
    call: (c) => c.gitRefs.list({ ...here, namespace: 'tags' }).toArray(),
    url: `${place}/git/refs/tags`,
    reply: [reference, reference],
  },
  {
    row: 'POST /repos/:owner/:repo/git/refs',
    operation: 'gitRefs.create',
    call: (c) => c.gitRefs.create({ ...here, ref: 'refs/heads/feature/a', sha }),
    url: `${place}/git/refs`,
    body: { ref: 'refs/heads/feature/a', sha },
    status: 201,
    location: 'https://code.example.com/api/v3/repos/mona/sandbox/git/refs/heads/feature/a',
    reply: reference,
  },
  {
    row: 'PATCH /repos/:owner/:repo/git/refs/:ref',
    operation: 'gitRefs.update',
    call: (c) => c.gitRefs.update({ ...branch, sha, force: true }),
    url: branchUrl,
    body: { sha, force: true },
    reply: reference,
  },
  {
    row: 'DELETE /repos/:owner/:repo/git/refs/:ref',
    operation: 'gitRefs.delete',
    call: (c) => c.gitRefs.delete(branch),
    url: branchUrl,
  },
]);

const comment = sampleOf(CommitComment);
const replies = {
  raw: comment,
  text: sampleOf(CommitCommentText),
  html: sampleOf(CommitCommentHtml),
  full: sampleOf(CommitCommentFull),
};

/** Cases for each media type variant and for no variant. */
const variants: readonly HostingCase[] = (
  ['raw', 'text', 'html', 'full', undefined] as const
).flatMap((mediaType): HostingCase[] => {
  const reply = replies[mediaType ?? 'raw'];
  const accept =
    mediaType === undefined
      ? 'application/vnd.service.v3+json'
      : `application/vnd.service.commitcomment.${mediaType}+json`;
  return [
    {
      row: 'GET /repos/:owner/:repo/comments',
      operation: 'commitComments.list',
      call: (c) => c.commitComments.list({ ...here, mediaType, per_page: 10 }).toArray(),
      url: `${place}/comments?per_page=10`,
      accept,
      reply: [reply],
    },
    {
      row: 'GET /repos/:owner/:repo/commits/:ref/comments',
      operation: 'commitComments.listForCommit',
      call: (c) =>
        c.commitComments
          .listForCommit({ ...here, ref: 'feature/a b', mediaType, page: 2 })
          .toArray(),
      url: `${place}/commits/feature/a%20b/comments?page=2`,
      accept,
      reply: [reply],
    },
    {
      row: 'POST /repos/:owner/:repo/commits/:sha/comments',
      operation: 'commitComments.create',
      call: (c) => c.commitComments.create({ ...here, sha, body: 'Nice', mediaType }),
      url: `${place}/commits/${sha}/comments`,
      body: { body: 'Nice' },
      accept,
      status: 201,
      reply,
    },
    {
      row: 'GET /repos/:owner/:repo/comments/:id',
      operation: 'commitComments.get',
      call: (c) => c.commitComments.get({ ...here, id: 7, mediaType }),
      url: `${place}/comments/7`,
      accept,
      reply,
    },
    {
      row: 'PATCH /repos/:owner/:repo/comments/:id',
      operation: 'commitComments.update',
      call: (c) => c.commitComments.update({ ...here, id: 7, body: 'Better', mediaType }),
      url: `${place}/comments/7`,
      body: { body: 'Better' },
      accept,
      reply,
    },
  ];
});

export const commitComments = withStatus<HostingCase>([
  ...variants,
  {
    row: 'POST /repos/:owner/:repo/commits/:sha/comments',
    operation: 'commitComments.create',
    call: (c) =>
      c.commitComments.create({ ...here, sha, body: 'Nice', path: 'a/b.md', position: 4, line: 1 }),
    url: `${place}/commits/${sha}/comments`,
    body: { body: 'Nice', path: 'a/b.md', position: 4, line: 1 },
    status: 201,
    location: 'https://code.example.com/api/v3/repos/mona/sandbox/comments/7',
    reply: comment,
  },
  {
    row: 'DELETE /repos/:owner/:repo/comments/:id',
    operation: 'commitComments.delete',
    call: (c) => c.commitComments.delete({ ...here, id: 7 }),
    url: `${place}/comments/7`,
  },
]);
