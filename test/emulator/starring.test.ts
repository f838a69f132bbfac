import { expect, test } from 'vitest';
import { Repository, User } from '../../src/hosting/models/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { ask, crawl, fitting } from './asking.js';

test('stars are listed in the order they were given, and given and taken', async () => {
  const emulator = createEmulator();
  const status = async (method: string, repo = 'acme/rocket') =>
    (await ask(emulator, `${method} /user/starred/${repo}`)).status;
  expect([await status('GET'), await status('PUT'), await status('PUT')]).toEqual([404, 204, 204]);
  expect(await status('GET')).toBe(204);
  const { items, pages } = await crawl(emulator, '/repos/acme/rocket/stargazers');
  expect([items.length, pages]).toEqual([121, 5]);
  const logins = items.map((item) => fitting(User, item).login);
  expect([logins[0], logins.at(-1)]).toEqual(['ada-0', seeded.login]);
  expect([await status('DELETE'), await status('DELETE'), await status('GET')]).toEqual([
    204, 204, 404,
  ]);
  expect(await status('PUT', 'acme/none')).toBe(404);
  expect((await ask(emulator, 'GET /user/starred', { auth: null })).status).toBe(401);
});

test('what somebody starred, in both orders', async () => {
  const emulator = createEmulator();
  const names = async (path: string) =>
    (await crawl(emulator, path)).items.map((item) => fitting(Repository, item).name);
  const newest = await names('/user/starred');
  expect([newest.length, newest[0]]).toEqual([40, 'project-40']);
  expect(await names('/users/mona/starred?direction=asc')).toEqual(newest.toReversed());
  const updated = await names('/users/mona/starred?sort=updated&direction=asc');
  expect(updated[0]).toBe('project-1');
  expect((await ask(emulator, 'GET /users/nobody/starred')).status).toBe(404);
});
