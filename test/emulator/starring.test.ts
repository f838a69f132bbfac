import { describe, expect, test } from 'vitest';
import { Repository, User } from '../../src/hosting/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { basic, crawl, type RequestOptions, sendRequest, validate } from './send-request.js';

test('the emulator stars and unstars a repository', async () => {
  const emulator = createEmulator();
  const status = async (method: string, repo = 'acme/rocket') =>
    (await sendRequest(emulator, `${method} /user/starred/${repo}`)).status;
  expect([await status('GET'), await status('PUT'), await status('PUT')]).toEqual([404, 204, 204]);
  expect(await status('GET')).toBe(204);
  const { items, pages } = await crawl(emulator, '/repos/acme/rocket/stargazers');
  expect([items.length, pages]).toEqual([121, 5]);
  const logins = items.map((item) => validate(User, item).login);
  expect([logins[0], logins.at(-1)]).toEqual(['ada-0', seeded.login]);
  expect([await status('DELETE'), await status('DELETE'), await status('GET')]).toEqual([
    204, 204, 404,
  ]);
  expect(await status('PUT', 'acme/none')).toBe(404);
  expect((await sendRequest(emulator, 'GET /user/starred', { auth: null })).status).toBe(401);
});

test('the emulator lists starred repositories in either order', async () => {
  const emulator = createEmulator();
  const names = async (path: string) =>
    (await crawl(emulator, path)).items.map((item) => validate(Repository, item).name);
  const newest = await names('/user/starred');
  expect([newest.length, newest[0]]).toEqual([40, 'project-40']);
  expect(await names('/users/mona/starred?direction=asc')).toEqual(newest.toReversed());
  const updated = await names('/users/mona/starred?sort=updated&direction=asc');
  expect(updated[0]).toBe('project-1');
  expect((await sendRequest(emulator, 'GET /users/nobody/starred')).status).toBe(404);
});

describe('GET /user/starred', () => {
  const emulator = () => {
    const created = createEmulator({ seed: false });
    const { hosting } = created;
    hosting.addUser('ada', { password: 'x' });
    hosting.addUser('eve', { password: 'x' });
    for (const [name, starred, updated] of [
      ['a', '03', '02'],
      ['b', '01', '03'],
      ['c', '02', '01'],
      ['d', '02', '01'],
    ] as const) {
      const repo = hosting.addRepo('ada', name, { createdAt: `2014-02-${updated}T00:00:00Z` });
      hosting.addStar(repo, 'ada', `2014-03-${starred}T00:00:00Z`);
    }
    hosting.addStar(hosting.addRepo('ada', 'secret', { isPrivate: true }), 'ada', '2014-01-01');
    hosting.addStar(hosting.addRepo('ada', 'other'), 'eve', '2014-01-01');
    return created;
  };
  const get = (path: string, how: RequestOptions = {}) =>
    sendRequest(emulator(), `GET ${path}`, { auth: basic('ada', 'x'), ...how });

  test.each([
    ['', ['a', 'd', 'c', 'b', 'secret']],
    ['sort=created&direction=desc', ['a', 'd', 'c', 'b', 'secret']],
    ['sort=&direction=', ['a', 'd', 'c', 'b', 'secret']],
    ['direction=asc', ['secret', 'b', 'c', 'd', 'a']],
    ['sort=updated', ['secret', 'b', 'a', 'd', 'c']],
    ['sort=updated&direction=asc', ['c', 'd', 'a', 'b', 'secret']],
  ])('GET /user/starred sorts by the query %j', async (query, expected) => {
    const { data } = await get(`/user/starred?${query}`);
    expect(data.map(({ name }: { name: string }) => name)).toEqual(expected);
  });

  test('GET /users/:username/starred lists only repositories that the caller can see', async () => {
    for (const auth of [null, basic('eve', 'x')]) {
      const { data } = await get('/users/ada/starred', { auth });
      expect(data.map(({ name }: { name: string }) => name)).toEqual(['a', 'd', 'c', 'b']);
    }
  });

  test.each([
    ['application/vnd.service.star+json', 'starred_at'],
    ['application/vnd.service.v3.star+json', 'starred_at'],
    ['application/vnd.service.star', 'no starred_at'],
    ['application/vnd.services.star+json', 'no starred_at'],
  ])('star lists respond to Accept: %s with %s', async (accept, field) => {
    const timed = field === 'starred_at';
    const headers = { accept };
    const [repo] = (await get('/user/starred', { headers })).data;
    const [user] = (await get('/repos/ada/a/stargazers', { headers })).data;
    const time = { starred_at: '2014-03-03T00:00:00Z' };
    const [name, login] = [
      expect.objectContaining({ name: 'a' }),
      expect.objectContaining({ login: 'ada' }),
    ];
    expect([repo, user]).toEqual(
      timed
        ? [
            { ...time, repo: name },
            { ...time, user: login },
          ]
        : [name, login],
    );
    expect([repo, user].some((each) => 'starred_at' in each)).toBe(timed);
  });
});
