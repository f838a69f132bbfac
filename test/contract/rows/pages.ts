import { PagesBuild, PagesSite } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, place } from '../case.js';

const build = sampleOf(PagesBuild);

export const pages: readonly HostingCase[] = [
  {
    row: 'GET /repos/:owner/:repo/pages',
    operation: 'pages.get',
    call: (c) => c.pages.get(here),
    url: `${place}/pages`,
    status: 200,
    reply: sampleOf(PagesSite),
  },
  {
    row: 'GET /repos/:owner/:repo/pages/builds',
    operation: 'pages.listBuilds',
    call: (c) => c.pages.listBuilds({ ...here, page: 3, per_page: 5 }).toArray(),
    url: `${place}/pages/builds?page=3&per_page=5`,
    status: 200,
    reply: [build],
  },
  {
    row: 'GET /repos/:owner/:repo/pages/builds/latest',
    operation: 'pages.getLatestBuild',
    call: (c) => c.pages.getLatestBuild(here),
    url: `${place}/pages/builds/latest`,
    status: 200,
    reply: { ...build, status: null, error: null },
  },
];
