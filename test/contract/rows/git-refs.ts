import { GitReference } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, place, sha } from '../case.js';

const reference = sampleOf(GitReference);
const branch = { ...here, ref: 'heads/feature/a#1' as const };
const url = `${place}/git/refs/heads/feature/a%231`;

export const gitRefs: readonly HostingCase[] = [
  {
    row: 'GET /repos/:owner/:repo/git/refs/:ref',
    operation: 'gitRefs.get',
    call: (c) => c.gitRefs.get(branch),
    url,
    status: 200,
    reply: reference,
  },
  {
    row: 'GET /repos/:owner/:repo/git/refs',
    operation: 'gitRefs.list',
    call: (c) => c.gitRefs.list({ ...here, per_page: 100, page: 1 }).toArray(),
    url: `${place}/git/refs?page=1&per_page=100`,
    status: 200,
    reply: [reference],
  },
  {
    row: 'GET /repos/:owner/:repo/git/refs',
    operation: 'gitRefs.list',
    call: (c) => c.gitRefs.list({ ...here, namespace: 'tags' }).toArray(),
    url: `${place}/git/refs/tags`,
    status: 200,
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
    url,
    body: { sha, force: true },
    status: 200,
    reply: reference,
  },
  {
    row: 'DELETE /repos/:owner/:repo/git/refs/:ref',
    operation: 'gitRefs.delete',
    call: (c) => c.gitRefs.delete(branch),
    url,
    status: 204,
  },
];
