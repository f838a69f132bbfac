import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, type RequestOptions, sendRequest } from './send-request.js';

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

  it.each([
    ['', ['a', 'd', 'c', 'b', 'secret']],
    ['sort=created&direction=desc', ['a', 'd', 'c', 'b', 'secret']],
    ['sort=&direction=', ['a', 'd', 'c', 'b', 'secret']],
    ['direction=asc', ['secret', 'b', 'c', 'd', 'a']],
    ['sort=updated', ['secret', 'b', 'a', 'd', 'c']],
    ['sort=updated&direction=asc', ['c', 'd', 'a', 'b', 'secret']],
  ])('sorts by the query %j', async (query, expected) => {
    const { data } = await get(`/user/starred?${query}`);
    expect(data.map(({ name }: { name: string }) => name)).toEqual(expected);
  });

  it('GET /users/:username/starred lists only repositories that the caller can see', async () => {
    for (const auth of [null, basic('eve', 'x')]) {
      const { data } = await get('/users/ada/starred', { auth });
      expect(data.map(({ name }: { name: string }) => name)).toEqual(['a', 'd', 'c', 'b']);
    }
  });

  it.each([
    ['application/vnd.service.star+json', 'starred_at'],
    ['application/vnd.service.v3.star+json', 'starred_at'],
    ['application/vnd.service.star', 'no starred_at'],
    ['application/vnd.services.star+json', 'no starred_at'],
    ['application/vnd.other.star+json', 'no starred_at'],
    ['application/json', 'no starred_at'],
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

describe('GET /user/starred order', () => {
  const scene = () => {
    const emulator = createEmulator(noon);
    const star = async (...names: string[]) => {
      for (const name of names) await sendRequest(emulator, `PUT /user/starred/acme/${name}`);
    };
    const starred = async (query = '') => {
      const { data } = await sendRequest(emulator, `GET /user/starred?per_page=4${query}`);
      return data.map(({ name }: { name: string }) => name);
    };
    return { emulator, star, starred };
  };

  it('lists the latest star first, even within one second', async () => {
    const { emulator, star, starred } = scene();
    await star('component-3', 'component-1', 'rocket', 'component-2');
    const newest = ['component-2', 'rocket', 'component-1', 'component-3'];
    expect(await starred()).toEqual(newest);
    expect(await starred('&direction=desc')).toEqual(newest);
    await sendRequest(emulator, 'DELETE /user/starred/acme/component-1');
    await star('component-1');
    expect(await starred()).toEqual(['component-1', 'component-2', 'rocket', 'component-3']);
  });

  it('stays the same after a snapshot is restored', async () => {
    const { emulator, star, starred } = scene();
    await star('component-3', 'component-1', 'rocket', 'component-2');
    const before = await starred();
    emulator.restore(emulator.snapshot());
    expect(await starred()).toEqual(before);
    await star('component-4');
    expect((await starred())[0]).toBe('component-4');
  });
});
