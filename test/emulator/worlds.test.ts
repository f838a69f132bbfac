import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  consoleSeed,
  createEmulator,
  type Emulator,
  readWorld,
  seeded,
  supportSeed,
  writeWorld,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';
import { raw } from './support-emulator.js';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'triforge-world-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

/** Creates an emulator and changes every part of its state. */
async function busy(): Promise<Emulator> {
  const emulator = createEmulator(noon);
  const { hosting, support } = emulator;
  const rocket = `${seeded.owner}/${seeded.repo}`;
  const release = hosting.addRelease(rocket, 'v9');
  hosting.addAsset(release, 'a.bin', { content: Buffer.from([0, 255, 1]) });
  hosting.addAsset(release, 'huge', { size: 5e9, sha256: 'x' });
  hosting.addHook(rocket, { url: 'http://127.0.0.1:1/' });
  hosting.addRepo('acme', 'old', { forkOf: rocket, files: { 'a.bin': Buffer.from([200, 1]) } });
  hosting.renameRepo('acme/old', 'new');
  const path = '/repos/acme/rocket/contents/notes/one.txt';
  await sendRequest(emulator, `PUT ${path}`, { body: { message: 'm', content: 'b25l' } });
  await sendRequest(emulator, 'PUT /user/starred/mona/project-3');
  support.touchContact(3, { name: '', notes: ['gone'] });
  support.touchCase(3, { state: 'Closed' });
  support.touchCase(3, { state: 'Open' });
  await emulator.respond(
    new Request(`http://code.test/setup/api/maintenance?license_md5=${consoleSeed.licenseMd5}`, {
      method: 'POST',
      body: new URLSearchParams({ maintenance: '{"enabled":true,"when":"now"}' }),
    }),
  );
  expect(emulator.console.maintenance).toBe('on');
  await raw(emulator, 'POST /authenticate', { ...supportSeed });
  emulator.clock.advance(90_000);
  return emulator;
}

describe('exported worlds', () => {
  it.each(['world.json', 'world.yaml'])(
    'an emulator restores a world completely from %s',
    async (name) => {
      const emulator = await busy();
      const path = join(await folder(), name);
      const world = emulator.export();
      await writeWorld(path, world);
      expect(await readdir(join(path, '..')), 'no temporary file remains').toEqual([name]);
      const read = await readWorld(path);
      expect(read).toEqual(world);
      const again = createEmulator({ seed: read });
      expect(again.export()).toEqual(world);
      expect(again.clock.iso()).toBe('2014-06-01T12:01:30Z');
    },
  );

  it('a restored emulator responds like the original', async () => {
    const emulator = await busy();
    const again = createEmulator({ seed: emulator.export() });
    for (const what of [
      'GET /repos/acme/rocket/pulls?state=all&per_page=100',
      'GET /repos/acme/rocket/releases?per_page=100',
      'GET /repos/acme/rocket/contents/notes',
      'GET /repos/acme/rocket/contents/latest',
      'GET /repos/acme/rocket/contents/engine',
      'GET /repos/acme/rocket/git/refs',
      'GET /repos/acme/rocket/pages/builds',
      'GET /repos/acme/rocket/hooks',
      'GET /repos/acme/old',
      'GET /user/starred?per_page=100',
      'GET /orgs/acme/teams?per_page=100',
      'GET /setup/api/settings',
    ]) {
      const [first, second] = [await sendRequest(emulator, what), await sendRequest(again, what)];
      expect([second.status, second.data ?? second.text], what).toEqual([
        first.status,
        first.data ?? first.text,
      ]);
    }
    const created = { body: { tag_name: 'v10' } };
    const path = 'POST /repos/acme/rocket/releases';
    expect((await sendRequest(again, path, created)).data).toEqual(
      (await sendRequest(emulator, path, created)).data,
    );
    const [before, after] = await Promise.all(
      [emulator, again].map((each) => raw(each, 'POST /authenticate', { ...supportSeed })),
    );
    expect([before?.status, after?.status]).toEqual([200, 200]);
    expect(again.console.maintenance).toBe('on');
    expect(again.support.contacts).toEqual(emulator.support.contacts);
    expect(again.support.cases).toEqual(emulator.support.cases);
  });
});

it('emulator.restore() can restore a snapshot more than once', async () => {
  const emulator = createEmulator(noon);
  const star = 'PUT /user/starred/acme/rocket';
  const snapshot = emulator.snapshot();
  for (let round = 0; round < 2; round++) {
    await sendRequest(emulator, star);
    emulator.support.touchContact(1, { name: 'Renamed' });
    emulator.clock.advance(1000);
    emulator.restore(snapshot);
    expect(emulator.export()).toEqual(snapshot);
  }
  expect((await sendRequest(emulator, 'GET /user/starred/acme/rocket')).status).toBe(404);
  expect(emulator.requests, 'restore() keeps the request log').toHaveLength(3);
});

describe('handwritten world file', () => {
  const yaml = `
now: 2024-02-29T12:00:00Z
hosting:
  accounts:
    - login: grace
      password: a password
    - { login: navy, type: Organization, owners: [grace] }
  tokens:
    - { login: grace, token: my-token, scopes: [repo, 'read:org'] }
  applications:
    - { name: Star Map, clientId: abcdefghijabcdefghij, callbackUrl: http://localhost/cb, anyPort: true }
  repositories:
    - owner: navy
      name: cobol
      files:
        README.md: |
          # Cobol
        logo.png: { base64: iVBORw== }
      stargazers: [grace]
      pulls:
        - { title: First }
        - { title: Second, state: closed }
      releases:
        - { tagName: v1, assets: [{ name: a.txt, content: hello }] }
  teams:
    - { org: navy, name: Crew, members: [grace], repos: [navy/cobol] }
support:
  users: [{ userName: u, apiKey: k, password: p }]
  contacts: [{ name: Ada, notes: [called] }]
  cases: [{ subject: Help, contact_id: 1, campaign: Support }]
console:
  licenseMd5: 0123
  settings: { enterprise: { private_mode: true } }
  keys: [ssh-rsa AAAA me]
`;

  it('a handwritten world file gets defaults for omitted fields', async () => {
    const path = join(await folder(), 'world.yml');
    await writeFile(path, yaml.replace('licenseMd5: 0123', "licenseMd5: '0123'"));
    const emulator = createEmulator({ seed: await readWorld(path) });
    const auth = 'token my-token';
    const pulls = await sendRequest(emulator, 'GET /repos/navy/cobol/pulls?state=all', { auth });
    expect(pulls.data).toMatchObject([
      { title: 'Second', state: 'closed', closed_at: '2024-02-29T12:00:00Z' },
      { title: 'First', number: 1, user: { login: 'navy' } },
    ]);
    const readme = await sendRequest(emulator, 'GET /repos/navy/cobol/readme', { auth });
    expect(Buffer.from(readme.data.content, 'base64').toString()).toBe('# Cobol\n');
    const teams = await sendRequest(emulator, 'GET /orgs/navy/teams', { auth });
    expect(teams.data.map(({ name }: { name: string }) => name)).toEqual(['Owners', 'Crew']);
    expect(emulator.support.cases).toMatchObject([{ subject: 'Help', contact: { id: 1 } }]);
    expect(emulator.console.settings).toMatchObject({
      enterprise: { private_mode: true, timezone: { identifier: 'UTC' } },
    });
    expect(createEmulator({ seed: emulator.export() }).export()).toEqual(emulator.export());
  });
});

it("the seed's records match the recorded hashes", () => {
  const { hosting = {}, support } = createEmulator(noon).export();
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
    contacts: support?.contacts,
    cases: support?.cases,
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
    contacts: '26553d4ef8',
    cases: 'f36485a7bc',
  });
});

describe('emulator state', () => {
  let emulator: Emulator;

  beforeEach(() => {
    emulator = createEmulator(noon);
  });

  describe('emulator.status()', () => {
    it('returns the last 50 requests, newest first', async () => {
      for (let index = 0; index < 51; index++)
        await sendRequest(emulator, `GET /api/v3/none/${index}`);
      const { requests, received } = emulator.status();
      expect(received).toBe(51);
      expect(requests).toHaveLength(50);
      expect(requests[0]).toMatchObject({ method: 'GET', path: '/api/v3/none/50', status: 404 });
      expect(requests[49]).toMatchObject({ path: '/api/v3/none/1' });
      expect(requests.map(({ id }) => id)).toEqual(
        emulator.requests
          .slice(1)
          .map(({ id }) => id)
          .reverse(),
      );
    });
  });

  it('emulator.reset() discards changes, requests and faults', async () => {
    const before = emulator.export();
    await sendRequest(emulator, 'DELETE /api/v3/repos/acme/rocket/git/refs/heads/none');
    emulator.clock.advance(60_000);
    emulator.fail({}, { kind: 'reset' });
    emulator.reset();
    expect(emulator.export()).toEqual(before);
    expect(emulator.requests).toEqual([]);
    expect(emulator.status()).toMatchObject({ received: 0, faults: [] });
  });

  it('onRequest receives the status 0 for a request without a response', async () => {
    const events: number[] = [];
    const reported = createEmulator({ onRequest: ({ status }) => events.push(status) });
    reported.fail({ path: '/user' }, { kind: 'reset' });
    await sendRequest(reported, 'GET /api/v3/user').catch(() => undefined);
    await sendRequest(reported, 'GET /api/v3/user');
    expect(events).toEqual([0, 200]);
  });

  describe('emulator.status().families', () => {
    it('emulator.status() contains the number of records of each kind', () => {
      emulator = createEmulator({ seed: false });
      const { hosting } = emulator;
      hosting.addUser('ada');
      hosting.addOrg('lab', ['ada']);
      hosting.addRepo('lab', 'engine');
      hosting.addToken('ada');
      hosting.addApplication('App');
      hosting.allowDeliveries(() => false);
      hosting.addPull('lab/engine');
      const asset = hosting.addRelease('lab/engine', 'v1');
      hosting.addAsset(asset, 'a');
      hosting.addRelease('lab/engine', 'v2');
      for (let count = 0; count < 3; count++)
        hosting.addHook('lab/engine', { url: 'http://far.test/' });
      hosting.emit('lab/engine', 'push', {});
      expect(emulator.status().families.hosting).toEqual({
        accounts: 2,
        repositories: 1,
        'pull requests': 1,
        releases: 2,
        hooks: 3,
        teams: 1,
        tokens: 1,
        applications: 1,
        deliveries: 3,
      });
    });
  });

  it("the emulator's clock accepts only the years 0 to 9999", () => {
    for (const time of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z']) {
      emulator.clock.set(new Date(time));
      expect(emulator.clock.now.toISOString()).toBe(time);
      const beyond = new Date(Date.parse(time) + (time.startsWith('0') ? -1 : 1));
      expect(() => emulator.clock.set(beyond)).toThrow(RangeError);
      expect(createEmulator({ clock: new Date(time) }).clock.iso()).toBe(time.replace('.000', ''));
      expect(() => createEmulator({ clock: beyond })).toThrow(/^clock: /);
    }
    emulator.clock.set(new Date(1234));
    expect([emulator.clock.iso(), emulator.clock.iso(1000)]).toEqual([
      '1970-01-01T00:00:01Z',
      '1970-01-01T00:00:02Z',
    ]);
  });
});
