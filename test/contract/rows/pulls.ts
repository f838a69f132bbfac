import { MergeResult, PullCommit, PullFile, PullRequest } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, missing, place, sha, withStatus } from '../case.js';

const pull = sampleOf(PullRequest);
const two = { ...here, number: 2 };
const states = ['open', 'closed', 'all'] as const;
const sorts = ['created', 'updated', 'popularity', 'long-running'] as const;
const directions = ['asc', 'desc'] as const;

const list = {
  row: 'GET /repos/:owner/:repo/pulls',
  operation: 'pulls.list',
  reply: [pull],
} as const;

export const pulls = withStatus<HostingCase>([
  ...states.map(
    (state): HostingCase => ({
      ...list,
      call: (c) => c.pulls.list({ ...here, state, head: 'mona:feature/x', base: 'next' }).toArray(),
      url: `${place}/pulls?state=${state}&head=mona%3Afeature%2Fx&base=next`,
    }),
  ),
  ...sorts.map(
    (sort): HostingCase => ({
      ...list,
      call: (c) => c.pulls.list({ ...here, sort, page: 2, per_page: 3 }).toArray(),
      url: `${place}/pulls?sort=${sort}&page=2&per_page=3`,
    }),
  ),
  ...directions.map(
    (direction): HostingCase => ({
      ...list,
      call: (c) => c.pulls.list({ ...here, direction }).toArray(),
      url: `${place}/pulls?direction=${direction}`,
    }),
  ),
  {
    row: 'GET /repos/:owner/:repo/pulls/:number',
    operation: 'pulls.get',
    call: (c) => c.pulls.get(two),
    url: `${place}/pulls/2`,
    reply: pull,
  },
  {
    row: 'POST /repos/:owner/:repo/pulls',
    notInContract: true,
    operation: 'pulls.create',
    call: (c) => c.pulls.create({ ...here, title: 't', body: 'b', head: 'h', base: 'next' }),
    url: `${place}/pulls`,
    body: { title: 't', body: 'b', head: 'h', base: 'next' },
    status: 201,
    reply: pull,
  },
  {
    row: 'POST /repos/:owner/:repo/pulls',
    notInContract: true,
    operation: 'pulls.create',
    call: (c) => c.pulls.create({ ...here, issue: 5, head: 'h', base: 'next' }),
    url: `${place}/pulls`,
    body: { issue: 5, head: 'h', base: 'next' },
    status: 201,
    reply: pull,
  },
  {
    row: 'PATCH /repos/:owner/:repo/pulls/:number',
    notInContract: true,
    operation: 'pulls.update',
    call: (c) => c.pulls.update({ ...two, title: 't', body: 'b', state: 'closed' }),
    url: `${place}/pulls/2`,
    body: { title: 't', body: 'b', state: 'closed' },
    reply: pull,
  },
  {
    row: 'GET /repos/:owner/:repo/pulls/:number/commits',
    notInContract: true,
    operation: 'pulls.listCommits',
    call: (c) => c.pulls.listCommits({ ...two, page: 1 }).toArray(),
    url: `${place}/pulls/2/commits?page=1`,
    reply: [sampleOf(PullCommit)],
  },
  {
    row: 'GET /repos/:owner/:repo/pulls/:number/files',
    notInContract: true,
    operation: 'pulls.listFiles',
    call: (c) => c.pulls.listFiles(two).toArray(),
    url: `${place}/pulls/2/files`,
    reply: [sampleOf(PullFile)],
  },
  {
    row: 'GET /repos/:owner/:repo/pulls/:number/merge',
    notInContract: true,
    operation: 'pulls.isMerged',
    call: (c) => c.pulls.isMerged(two),
    url: `${place}/pulls/2/merge`,
    result: true,
  },
  {
    row: 'GET /repos/:owner/:repo/pulls/:number/merge',
    notInContract: true,
    operation: 'pulls.isMerged',
    call: (c) => c.pulls.isMerged(two),
    url: `${place}/pulls/2/merge`,
    status: 404,
    reply: missing,
    result: false,
  },
  {
    row: 'PUT /repos/:owner/:repo/pulls/:number/merge',
    notInContract: true,
    operation: 'pulls.merge',
    call: (c) => c.pulls.merge({ ...two, commit_message: 'm', sha }),
    url: `${place}/pulls/2/merge`,
    body: { commit_message: 'm', sha },
    reply: sampleOf(MergeResult),
  },
]);
