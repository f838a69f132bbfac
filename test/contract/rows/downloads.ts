import { Download } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, place } from '../case.js';

const download = sampleOf(Download);

export const downloads: readonly HostingCase[] = [
  {
    row: 'GET /repos/:owner/:repo/downloads',
    operation: 'downloads.list',
    call: (c) => c.downloads.list({ ...here, page: 1 }).toArray(),
    url: `${place}/downloads?page=1`,
    status: 200,
    reply: [download],
  },
  {
    row: 'GET /repos/:owner/:repo/downloads/:id',
    operation: 'downloads.get',
    call: (c) => c.downloads.get({ ...here, id: 1 }),
    url: `${place}/downloads/1`,
    status: 200,
    reply: download,
  },
  {
    row: 'DELETE /repos/:owner/:repo/downloads/:id',
    operation: 'downloads.delete',
    call: (c) => c.downloads.delete({ ...here, id: 1 }),
    url: `${place}/downloads/1`,
    status: 204,
  },
];
