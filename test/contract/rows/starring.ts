import { Repository, User } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, missing, place } from '../case.js';

const repositories = [sampleOf(Repository)];
const orders = [
  { sort: 'created', direction: 'asc' },
  { sort: 'updated', direction: 'desc' },
] as const;

export const starring: readonly HostingCase[] = [
  {
    row: 'GET /repos/:owner/:repo/stargazers',
    operation: 'starring.listStargazers',
    call: (c) => c.starring.listStargazers({ ...here, page: 1, per_page: 2 }).toArray(),
    url: `${place}/stargazers?page=1&per_page=2`,
    status: 200,
    reply: [sampleOf(User)],
  },
  ...orders.flatMap((order): HostingCase[] => [
    {
      row: 'GET /users/:username/starred',
      operation: 'starring.listStarredBy',
      call: (c) => c.starring.listStarredBy({ username: 'a/b', ...order }).toArray(),
      url: `/users/a%2Fb/starred?sort=${order.sort}&direction=${order.direction}`,
      status: 200,
      reply: repositories,
    },
    {
      row: 'GET /user/starred',
      operation: 'starring.listStarred',
      call: (c) => c.starring.listStarred({ ...order, page: 1 }).toArray(),
      url: `/user/starred?sort=${order.sort}&direction=${order.direction}&page=1`,
      status: 200,
      reply: repositories,
    },
  ]),
  {
    row: 'GET /user/starred/:owner/:repo',
    operation: 'starring.isStarred',
    call: (c) => c.starring.isStarred(here),
    url: '/user/starred/mona/sandbox',
    status: 204,
    result: true,
  },
  {
    row: 'GET /user/starred/:owner/:repo',
    operation: 'starring.isStarred',
    call: (c) => c.starring.isStarred(here),
    url: '/user/starred/mona/sandbox',
    status: 404,
    reply: missing,
    result: false,
  },
  {
    row: 'PUT /user/starred/:owner/:repo',
    operation: 'starring.star',
    call: (c) => c.starring.star(here),
    url: '/user/starred/mona/sandbox',
    status: 204,
  },
  {
    row: 'DELETE /user/starred/:owner/:repo',
    operation: 'starring.unstar',
    call: (c) => c.starring.unstar(here),
    url: '/user/starred/mona/sandbox',
    status: 204,
  },
];
