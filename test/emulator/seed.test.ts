import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, sendRequest } from './send-request.js';

test("the seed's records match the recorded hashes", () => {
  const { hosting = {} } = createEmulator(noon).export();
  const [rocket, ...others] = hosting.repositories ?? [];
  const parts = {
    accounts: hosting.accounts,
    tokens: hosting.tokens,
    applications: hosting.applications,
    teams: hosting.teams,
    pulls: rocket?.pulls,
    releases: rocket?.releases,
    stars: rocket?.stargazers,
    comments: rocket?.comments,
    downloads: rocket?.downloads,
    pages: rocket?.pages,
    git: rocket?.git,
    others,
  };
  const digests = Object.entries(parts).map(([name, part]) => {
    const sha1 = createHash('sha1').update(JSON.stringify(part));
    return [name, sha1.digest('hex').slice(0, 10)];
  });
  expect(rocket?.collaborators).toEqual({ mona: 'admin' });
  // After an intentional change, update these digests and mention the change in the release notes.
  expect(Object.fromEntries(digests)).toEqual({
    accounts: '3160553629',
    tokens: '87481c19e1',
    applications: 'b975712a6f',
    teams: 'd373dc461a',
    pulls: '5e115acb7b',
    releases: '3378a0cdf3',
    stars: 'd5f4921fcb',
    comments: '1795c49c36',
    downloads: 'ef3ee92fc9',
    pages: '818d972b4a',
    git: '3d3418fdf7',
    others: '7b37ebd93b',
  });
});

test('the seed contains the documented numbers of records', async () => {
  const emulator = createEmulator(noon);
  const { accounts, repos, teams } = emulator.hosting.state;
  const rocket = emulator.hosting.state.repo(seeded.owner, seeded.repo);
  expect({
    accounts: accounts.size,
    ofAcme: [...repos.values()].filter(({ owner }) => owner === seeded.owner).length,
    ofMona: [...repos.values()].filter(({ owner }) => owner === seeded.login).length,
    pulls: rocket?.pulls.length,
    releases: rocket?.releases.length,
    stars: rocket?.stargazers.size,
    comments: rocket?.comments.length,
    refs: rocket?.refs.size,
    teams: teams.size,
  }).toEqual({
    accounts: 127,
    ofAcme: 42,
    ofMona: 40,
    pulls: 250,
    releases: 40,
    stars: 120,
    comments: 45,
    refs: 61,
    teams: 35,
  });
  const login = async (auth: string) =>
    (await sendRequest(emulator, 'GET /user', { auth })).data?.login;
  expect(await login(`token ${seeded.token}`)).toBe(seeded.login);
  expect(await login(basic(seeded.login, seeded.password))).toBe(seeded.login);
  expect(await login(basic('hedy-6', 'password of hedy-6'))).toBe('hedy-6');
});
