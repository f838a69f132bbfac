import {
  CommitComment,
  CommitCommentFull,
  CommitCommentHtml,
  CommitCommentText,
} from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, place, sha } from '../case.js';

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
      status: 200,
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
      status: 200,
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
      status: 200,
      reply,
    },
    {
      row: 'PATCH /repos/:owner/:repo/comments/:id',
      operation: 'commitComments.update',
      call: (c) => c.commitComments.update({ ...here, id: 7, body: 'Better', mediaType }),
      url: `${place}/comments/7`,
      body: { body: 'Better' },
      accept,
      status: 200,
      reply,
    },
  ];
});

export const commitComments: readonly HostingCase[] = [
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
    status: 204,
  },
];
