import { text } from 'node:stream/consumers';
import {
  Download,
  PagesBuild,
  PagesSite,
  Release,
  ReleaseAsset,
} from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, place, withStatus } from '../case.js';

const release = sampleOf(Release);
const asset = sampleOf(ReleaseAsset);
const one = { ...here, id: 1 };
const fields = {
  tag_name: 'v1.0.0',
  target_commitish: 'next',
  name: 'One',
  body: 'b',
  draft: false,
  prerelease: true,
};

const contract: readonly HostingCase[] = [
  {
    row: 'GET /repos/:owner/:repo/releases',
    operation: 'releases.list',
    call: (c) => c.releases.list({ ...here, page: 1, per_page: 100 }).toArray(),
    url: `${place}/releases?page=1&per_page=100`,
    reply: [release],
  },
  {
    row: 'GET /repos/:owner/:repo/releases/:id',
    operation: 'releases.get',
    call: (c) => c.releases.get(one),
    url: `${place}/releases/1`,
    reply: release,
  },
  {
    row: 'POST /repos/:owner/:repo/releases',
    operation: 'releases.create',
    call: (c) => c.releases.create({ ...here, ...fields }),
    url: `${place}/releases`,
    body: fields,
    status: 201,
    location: 'https://code.example.com/api/v3/repos/mona/sandbox/releases/1',
    reply: { ...release, assets: [] },
  },
  {
    row: 'PATCH /repos/:owner/:repo/releases/:id',
    operation: 'releases.update',
    call: (c) => c.releases.update({ ...one, ...fields }),
    url: `${place}/releases/1`,
    body: fields,
    reply: release,
  },
  {
    row: 'PATCH /repos/:owner/:repo/releases/:id',
    operation: 'releases.update',
    call: (c) => c.releases.update({ ...one, draft: false }),
    url: `${place}/releases/1`,
    body: { draft: false },
    reply: release,
  },
];

const beyond: readonly HostingCase[] = [
  {
    row: 'DELETE /repos/:owner/:repo/releases/:id',
    operation: 'releases.delete',
    call: (c) => c.releases.delete(one),
    url: `${place}/releases/1`,
  },
  {
    row: 'GET /repos/:owner/:repo/releases/latest',
    operation: 'releases.getLatest',
    call: (c) => c.releases.getLatest(here),
    url: `${place}/releases/latest`,
    reply: release,
  },
  {
    row: 'GET /repos/:owner/:repo/releases/tags/:tag',
    operation: 'releases.getByTag',
    call: (c) => c.releases.getByTag({ ...here, tag: 'v1/final' }),
    url: `${place}/releases/tags/v1/final`,
    reply: release,
  },
  {
    row: 'GET /repos/:owner/:repo/releases/:id/assets',
    operation: 'releases.listAssets',
    call: (c) => c.releases.listAssets({ ...one, page: 2 }).toArray(),
    url: `${place}/releases/1/assets?page=2`,
    reply: [asset],
  },
  {
    row: 'GET /repos/:owner/:repo/releases/assets/:id',
    operation: 'releases.getAsset',
    call: (c) => c.releases.getAsset(one),
    url: `${place}/releases/assets/1`,
    reply: asset,
  },
  {
    row: 'PATCH /repos/:owner/:repo/releases/assets/:id',
    operation: 'releases.updateAsset',
    call: (c) => c.releases.updateAsset({ ...one, name: 'a.zip', label: 'A' }),
    url: `${place}/releases/assets/1`,
    body: { name: 'a.zip', label: 'A' },
    reply: asset,
  },
  {
    row: 'DELETE /repos/:owner/:repo/releases/assets/:id',
    operation: 'releases.deleteAsset',
    call: (c) => c.releases.deleteAsset(one),
    url: `${place}/releases/assets/1`,
  },
  {
    row: 'GET /repos/:owner/:repo/releases/assets/:id',
    operation: 'releases.downloadAsset',
    call: async (c) => await text(await c.releases.downloadAsset(one)),
    url: `${place}/releases/assets/1`,
    accept: 'application/octet-stream',
    reply: 'the bytes',
    replyType: 'application/octet-stream',
  },
  {
    row: 'POST {upload_url}',
    operation: 'releases.uploadAsset',
    call: (c, origin) =>
      c.releases.uploadAsset({
        upload_url: `${origin}/api/v3/uploads/1/assets{?name,label}`,
        name: 'tool.txt',
        label: 'A',
        content_type: 'text/plain',
        data: Buffer.from('hello'),
      }),
    url: '/uploads/1/assets?name=tool.txt&label=A',
    raw: { type: 'text/plain', text: 'hello' },
    status: 201,
    reply: asset,
  },
];

export const releases = withStatus<HostingCase>([
  ...contract,
  ...beyond.map((each): HostingCase => ({ ...each, notInContract: true })),
]);

const build = sampleOf(PagesBuild);

export const pages = withStatus<HostingCase>([
  {
    row: 'GET /repos/:owner/:repo/pages',
    operation: 'pages.get',
    call: (c) => c.pages.get(here),
    url: `${place}/pages`,
    reply: sampleOf(PagesSite),
  },
  {
    row: 'GET /repos/:owner/:repo/pages/builds',
    operation: 'pages.listBuilds',
    call: (c) => c.pages.listBuilds({ ...here, page: 3, per_page: 5 }).toArray(),
    url: `${place}/pages/builds?page=3&per_page=5`,
    reply: [build],
  },
  {
    row: 'GET /repos/:owner/:repo/pages/builds/latest',
    operation: 'pages.getLatestBuild',
    call: (c) => c.pages.getLatestBuild(here),
    url: `${place}/pages/builds/latest`,
    reply: { ...build, status: null, error: null },
  },
]);

const download = sampleOf(Download);

export const downloads = withStatus<HostingCase>([
  {
    row: 'GET /repos/:owner/:repo/downloads',
    operation: 'downloads.list',
    call: (c) => c.downloads.list({ ...here, page: 1 }).toArray(),
    url: `${place}/downloads?page=1`,
    reply: [download],
  },
  {
    row: 'GET /repos/:owner/:repo/downloads/:id',
    operation: 'downloads.get',
    call: (c) => c.downloads.get({ ...here, id: 1 }),
    url: `${place}/downloads/1`,
    reply: download,
  },
  {
    row: 'DELETE /repos/:owner/:repo/downloads/:id',
    operation: 'downloads.delete',
    call: (c) => c.downloads.delete({ ...here, id: 1 }),
    url: `${place}/downloads/1`,
  },
]);
