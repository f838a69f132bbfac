import { describe, expect, test } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { serve } from '../support/server.js';

type Call = (hosting: HostingClient, value: string) => Promise<unknown>;

const place = { owner: 'acme', repo: 'rocket' };
const change = { message: 'm', content: { text: 'h' }, sha: 's' };

/** Every text path parameter of pulls, releases, contents and starring. */
const parameters: readonly (readonly [name: string, call: Call])[] = [
  ...(['owner', 'repo'] as const).flatMap((name): (readonly [string, Call])[] => {
    const at = (value: string) => ({ ...place, [name]: value });
    return [
      [`pulls.list ${name}`, (h, v) => h.pulls.list(at(v)).toArray()],
      [`pulls.get ${name}`, (h, v) => h.pulls.get({ ...at(v), number: 1 })],
      [
        `pulls.create ${name}`,
        (h, v) => h.pulls.create({ ...at(v), title: 't', head: 'h', base: 'b' }),
      ],
      [`pulls.update ${name}`, (h, v) => h.pulls.update({ ...at(v), number: 1 })],
      [
        `pulls.listCommits ${name}`,
        (h, v) => h.pulls.listCommits({ ...at(v), number: 1 }).toArray(),
      ],
      [`pulls.listFiles ${name}`, (h, v) => h.pulls.listFiles({ ...at(v), number: 1 }).toArray()],
      [`pulls.isMerged ${name}`, (h, v) => h.pulls.isMerged({ ...at(v), number: 1 })],
      [`pulls.merge ${name}`, (h, v) => h.pulls.merge({ ...at(v), number: 1 })],
      [`releases.list ${name}`, (h, v) => h.releases.list(at(v)).toArray()],
      [`releases.get ${name}`, (h, v) => h.releases.get({ ...at(v), id: 1 })],
      [`releases.create ${name}`, (h, v) => h.releases.create({ ...at(v), tag_name: 't' })],
      [`releases.update ${name}`, (h, v) => h.releases.update({ ...at(v), id: 1 })],
      [`releases.delete ${name}`, (h, v) => h.releases.delete({ ...at(v), id: 1 })],
      [`releases.getLatest ${name}`, (h, v) => h.releases.getLatest(at(v))],
      [`releases.getByTag ${name}`, (h, v) => h.releases.getByTag({ ...at(v), tag: 't' })],
      [
        `releases.listAssets ${name}`,
        (h, v) => h.releases.listAssets({ ...at(v), id: 1 }).toArray(),
      ],
      [`releases.getAsset ${name}`, (h, v) => h.releases.getAsset({ ...at(v), id: 1 })],
      [`releases.updateAsset ${name}`, (h, v) => h.releases.updateAsset({ ...at(v), id: 1 })],
      [`releases.deleteAsset ${name}`, (h, v) => h.releases.deleteAsset({ ...at(v), id: 1 })],
      [`releases.downloadAsset ${name}`, (h, v) => h.releases.downloadAsset({ ...at(v), id: 1 })],
      [`contents.getReadme ${name}`, (h, v) => h.contents.getReadme(at(v))],
      [`contents.get ${name}`, (h, v) => h.contents.get({ ...at(v), path: 'x' })],
      [`contents.getRaw ${name}`, (h, v) => h.contents.getRaw({ ...at(v), path: 'x' })],
      [
        `contents.create ${name}`,
        (h, v) => h.contents.create({ ...at(v), path: 'x', message: 'm', content: { text: 'h' } }),
      ],
      [`contents.update ${name}`, (h, v) => h.contents.update({ ...at(v), path: 'x', ...change })],
      [
        `contents.delete ${name}`,
        (h, v) => h.contents.delete({ ...at(v), path: 'x', message: 'm', sha: 's' }),
      ],
      [
        `contents.getArchive ${name}`,
        (h, v) => h.contents.getArchive({ ...at(v), archive_format: 'tarball', ref: 'r' }),
      ],
      [`starring.listStargazers ${name}`, (h, v) => h.starring.listStargazers(at(v)).toArray()],
      [`starring.isStarred ${name}`, (h, v) => h.starring.isStarred(at(v))],
      [`starring.star ${name}`, (h, v) => h.starring.star(at(v))],
      [`starring.unstar ${name}`, (h, v) => h.starring.unstar(at(v))],
    ];
  }),
  [
    'starring.listStarredBy username',
    (h, v) => h.starring.listStarredBy({ username: v }).toArray(),
  ],
  ['releases.getByTag tag', (h, v) => h.releases.getByTag({ ...place, tag: v })],
  ['contents.get path', (h, v) => h.contents.get({ ...place, path: v === '' ? '/' : v })],
  ['contents.getRaw path', (h, v) => h.contents.getRaw({ ...place, path: v })],
  [
    'contents.create path',
    (h, v) => h.contents.create({ ...place, path: v, message: 'm', content: { text: 'h' } }),
  ],
  ['contents.update path', (h, v) => h.contents.update({ ...place, path: v, ...change })],
  [
    'contents.delete path',
    (h, v) => h.contents.delete({ ...place, path: v, message: 'm', sha: 's' }),
  ],
  [
    'contents.getArchive ref',
    (h, v) => h.contents.getArchive({ ...place, archive_format: 'zipball', ref: v }),
  ],
];

test.each(parameters)('invalid values of %s never reach another endpoint', async (name, call) => {
  const server = await serve((_request, response) => response.end('{}'));
  await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3` });
  const field = name.split(' ')[1];
  for (const value of ['..', '.', '', 'a\nb', 'a\0', '\ud800']) {
    const refused = call(hosting, value);
    await expect(refused, JSON.stringify(value)).rejects.toMatchObject({
      code: 'invalid_request',
      field,
    });
  }
  expect(server.log).toEqual([]);
});

const names = [
  'a#b?.md',
  '50% off.txt',
  'with space',
  '🚀.md',
  '%2e%2e',
  'a+b&c=d',
  "it's (1)*!",
  'é/è/ê',
  '...',
];

describe('names with special characters', () => {
  const slashes: readonly (readonly [string, string, Call])[] = [
    ['contents.get', '/contents/', (h, v) => h.contents.get({ ...place, path: v })],
    [
      'contents.create',
      '/contents/',
      (h, v) => h.contents.create({ ...place, path: v, message: 'm', content: { text: 'h' } }),
    ],
    ['releases.getByTag', '/releases/tags/', (h, v) => h.releases.getByTag({ ...place, tag: v })],
    [
      'contents.getArchive',
      '/tarball/',
      (h, v) => h.contents.getArchive({ ...place, archive_format: 'tarball', ref: v }),
    ],
  ];

  test.each(slashes)('arrive unchanged in %s', async (_name, marker, call) => {
    const server = await serve((_request, response) => response.writeHead(404).end('{}'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3`, retry: false });
    for (const name of names) await call(hosting, `docs/${name}`).catch(() => undefined);
    const arrived = server.requests.map((request) => {
      const { pathname, search, hash } = new URL(request.url, server.origin);
      expect(search + hash).toBe('');
      const rest = pathname.slice(pathname.indexOf(marker) + marker.length);
      return rest.split('/').map(decodeURIComponent).join('/');
    });
    expect(arrived).toEqual(names.map((name) => `docs/${name}`));
  });

  test('arrive unchanged in a single path segment and in a query', async () => {
    const server = await serve((_request, response) => response.writeHead(404).end('{}'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3`, retry: false });
    for (const name of names) {
      await hosting.starring
        .listStarredBy({ username: name })
        .first()
        .catch(() => undefined);
      await hosting.contents.getReadme({ ...place, ref: name }).catch(() => undefined);
    }
    const arrived = server.requests.map((request) => {
      const url = new URL(request.url, server.origin);
      return url.searchParams.get('ref') ?? decodeURIComponent(url.pathname.split('/')[4] ?? '');
    });
    expect(arrived).toEqual(names.flatMap((name) => [name, name]));
  });

  test('can be empty in contents.get, for the root folder', async () => {
    const server = await serve((_request, response) => response.end('[]'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3` });
    await expect(hosting.contents.get({ ...place, path: '' })).resolves.toEqual([]);
    expect(server.log).toEqual(['GET /api/v3/repos/acme/rocket/contents']);
  });
});
