import { describe, expect, test } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { serve } from '../support/server.js';

type Call = (hosting: HostingClient, value: string) => Promise<unknown>;

const place = { owner: 'acme', repo: 'rocket' };
const change = { message: 'm', content: { text: 'h' }, sha: 's' };

/** Every text parameter in the paths of pulls, releases, contents and starring. */
const parameters: readonly (readonly [name: string, call: Call])[] = [
  ...(['owner', 'repo'] as const).flatMap((name): (readonly [string, Call])[] => {
    const at = (value: string) => ({ ...place, [name]: value });
    return [
      [`${name} in pulls.list`, (h, v) => h.pulls.list(at(v)).toArray()],
      [`${name} in pulls.get`, (h, v) => h.pulls.get({ ...at(v), number: 1 })],
      [
        `${name} in pulls.create`,
        (h, v) => h.pulls.create({ ...at(v), title: 't', head: 'h', base: 'b' }),
      ],
      [`${name} in pulls.update`, (h, v) => h.pulls.update({ ...at(v), number: 1 })],
      [
        `${name} in pulls.listCommits`,
        (h, v) => h.pulls.listCommits({ ...at(v), number: 1 }).toArray(),
      ],
      [
        `${name} in pulls.listFiles`,
        (h, v) => h.pulls.listFiles({ ...at(v), number: 1 }).toArray(),
      ],
      [`${name} in pulls.isMerged`, (h, v) => h.pulls.isMerged({ ...at(v), number: 1 })],
      [`${name} in pulls.merge`, (h, v) => h.pulls.merge({ ...at(v), number: 1 })],
      [`${name} in releases.list`, (h, v) => h.releases.list(at(v)).toArray()],
      [`${name} in releases.get`, (h, v) => h.releases.get({ ...at(v), id: 1 })],
      [`${name} in releases.create`, (h, v) => h.releases.create({ ...at(v), tag_name: 't' })],
      [`${name} in releases.update`, (h, v) => h.releases.update({ ...at(v), id: 1 })],
      [`${name} in releases.delete`, (h, v) => h.releases.delete({ ...at(v), id: 1 })],
      [`${name} in releases.getLatest`, (h, v) => h.releases.getLatest(at(v))],
      [`${name} in releases.getByTag`, (h, v) => h.releases.getByTag({ ...at(v), tag: 't' })],
      [
        `${name} in releases.listAssets`,
        (h, v) => h.releases.listAssets({ ...at(v), id: 1 }).toArray(),
      ],
      [`${name} in releases.getAsset`, (h, v) => h.releases.getAsset({ ...at(v), id: 1 })],
      [`${name} in releases.updateAsset`, (h, v) => h.releases.updateAsset({ ...at(v), id: 1 })],
      [`${name} in releases.deleteAsset`, (h, v) => h.releases.deleteAsset({ ...at(v), id: 1 })],
      [
        `${name} in releases.downloadAsset`,
        (h, v) => h.releases.downloadAsset({ ...at(v), id: 1 }),
      ],
      [`${name} in contents.getReadme`, (h, v) => h.contents.getReadme(at(v))],
      [`${name} in contents.get`, (h, v) => h.contents.get({ ...at(v), path: 'x' })],
      [`${name} in contents.getRaw`, (h, v) => h.contents.getRaw({ ...at(v), path: 'x' })],
      [
        `${name} in contents.create`,
        (h, v) => h.contents.create({ ...at(v), path: 'x', message: 'm', content: { text: 'h' } }),
      ],
      [
        `${name} in contents.update`,
        (h, v) => h.contents.update({ ...at(v), path: 'x', ...change }),
      ],
      [
        `${name} in contents.delete`,
        (h, v) => h.contents.delete({ ...at(v), path: 'x', message: 'm', sha: 's' }),
      ],
      [
        `${name} in contents.getArchive`,
        (h, v) => h.contents.getArchive({ ...at(v), archive_format: 'tarball', ref: 'r' }),
      ],
      [`${name} in starring.listStargazers`, (h, v) => h.starring.listStargazers(at(v)).toArray()],
      [`${name} in starring.isStarred`, (h, v) => h.starring.isStarred(at(v))],
      [`${name} in starring.star`, (h, v) => h.starring.star(at(v))],
      [`${name} in starring.unstar`, (h, v) => h.starring.unstar(at(v))],
    ];
  }),
  [
    'username in starring.listStarredBy',
    (h, v) => h.starring.listStarredBy({ username: v }).toArray(),
  ],
  ['tag in releases.getByTag', (h, v) => h.releases.getByTag({ ...place, tag: v })],
  ['path in contents.get', (h, v) => h.contents.get({ ...place, path: v === '' ? '/' : v })],
  ['path in contents.getRaw', (h, v) => h.contents.getRaw({ ...place, path: v })],
  [
    'path in contents.create',
    (h, v) => h.contents.create({ ...place, path: v, message: 'm', content: { text: 'h' } }),
  ],
  ['path in contents.update', (h, v) => h.contents.update({ ...place, path: v, ...change })],
  [
    'path in contents.delete',
    (h, v) => h.contents.delete({ ...place, path: v, message: 'm', sha: 's' }),
  ],
  [
    'ref in contents.getArchive',
    (h, v) => h.contents.getArchive({ ...place, archive_format: 'zipball', ref: v }),
  ],
];

test.each(parameters)(
  'the client rejects an invalid %s without sending a request',
  async (name, call) => {
    const server = await serve((_request, response) => response.end('{}'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3` });
    const field = name.split(' ')[0];
    for (const value of ['..', '.', '', 'a\nb', 'a\0', '\ud800']) {
      const refused = call(hosting, value);
      await expect(refused, JSON.stringify(value)).rejects.toMatchObject({
        code: 'invalid_request',
        field,
      });
    }
    expect(server.log).toEqual([]);
  },
);

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

describe('path inputs', () => {
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

  test.each(slashes)(
    'the client keeps special characters in the path of %s',
    async (_name, marker, call) => {
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
    },
  );

  test('the client keeps special characters in a single path segment and in a query parameter', async () => {
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

  test('contents.get() reads the root folder if the path is empty', async () => {
    const server = await serve((_request, response) => response.end('[]'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3` });
    await expect(hosting.contents.get({ ...place, path: '' })).resolves.toEqual([]);
    expect(server.log).toEqual(['GET /api/v3/repos/acme/rocket/contents']);
  });
});
