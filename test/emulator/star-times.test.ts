import { expect, expectTypeOf, test } from 'vitest';
import { HostingClient, type Stargazer, type StarredRepository } from '../../src/hosting/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { api } from './send-request.js';

test("mediaType 'star' adds starred_at to all three star lists", async () => {
  const emulator = createEmulator(noon);
  const auth = { type: 'token', token: seeded.token } as const;
  const hosting = new HostingClient({
    baseUrl: `${api}/`,
    auth,
    dispatcher: emulator.dispatcher(),
  });
  const { owner, repo, login: username } = seeded;
  emulator.clock.advance(60_000);
  await hosting.starring.star({ owner, repo });
  const starredAt = emulator.clock.iso();

  const gazers = await hosting.starring
    .listStargazers({ owner, repo, mediaType: 'star' })
    .toArray();
  expectTypeOf(gazers).toEqualTypeOf<Stargazer[]>();
  expect(gazers.at(-1)).toMatchObject({ starred_at: starredAt, user: { login: username } });
  expect(gazers).toHaveLength(121);

  const mine = await hosting.starring.listStarred({ mediaType: 'star' }).toArray();
  expectTypeOf(mine).toEqualTypeOf<StarredRepository[]>();
  const theirs = await hosting.starring.listStarredBy({ username, mediaType: 'star' }).toArray();
  expect(mine[0]).toMatchObject({ starred_at: starredAt, repo: { name: repo } });
  expect(theirs).toEqual(mine);

  const [plain] = await hosting.starring.listStarred().toArray();
  expect(plain?.full_name).toBe('acme/rocket');
  const requests = emulator.requests.find(({ path }) => path.includes('stargazers'));
  expect(requests?.headers.accept).toBe('application/vnd.service.v3.star+json');
  expect(requests?.query).not.toHaveProperty('mediaType');
});
