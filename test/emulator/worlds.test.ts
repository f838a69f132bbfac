import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  consoleSeed,
  createEmulator,
  type Dataset,
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
  test.each(['world.json', 'world.yaml'])(
    'readWorld() reads %s with a byte order mark',
    async (name) => {
      const path = join(await folder(), name);
      await writeFile(path, '\ufeff{"hosting":{}}');
      expect(await readWorld(path)).toEqual({ hosting: {} });
    },
  );

  test.each(['world.json', 'world.yaml'])(
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

  test('a restored emulator responds like the original', async () => {
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

  test('emulator.reset() restores the seed', async () => {
    const world: Dataset = { hosting: { accounts: [{ login: 'ada' }] } };
    const emulator = createEmulator({ seed: world });
    emulator.hosting.addUser('grace');
    emulator.reset();
    expect([...emulator.hosting.state.accounts.keys()]).toEqual(['ada']);
    expect(emulator.support.contacts, 'omitted parts of the world are empty').toEqual([]);
  });
});

test('emulator.restore() can restore a snapshot more than once', async () => {
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

  test('a handwritten world file gets defaults for omitted fields', async () => {
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

  test.each([
    ['now: today', "now: must be a time such as '2014-06-01T12:00:00Z'"],
    ['hostin: {}', 'hostin: unknown field'],
    ['hosting: { accounts: [{ login: 7 }] }', 'hosting.accounts[0].login: '],
    ['hosting: { repositories: [{ owner: a }] }', 'hosting.repositories[0].name: '],
    [
      'hosting: { repositories: [{ owner: a, name: b, pulls: [{ state: merged }] }] }',
      'hosting.repositories[0].pulls[0].state: ',
    ],
    ['support: { contacts: [{ profiles: [{}] }] }', 'support.contacts[0].profiles[0].source: '],
    ['- a\n- b', 'the top level: '],
    ['a: [', 'must be YAML ('],
  ])('readWorld() rejects the text %s', async (text, words) => {
    const path = join(await folder(), 'world.yaml');
    await writeFile(path, text);
    await expect(readWorld(path)).rejects.toThrow(`${path}: ${words}`);
  });

  test.each<[Dataset, string]>([
    [
      { hosting: { tokens: [{ login: 'x' }] } },
      "hosting.tokens[0].login: must be a login in hosting.accounts (got 'x')",
    ],
    [
      { hosting: { repositories: [{ owner: 'x', name: 'y' }] } },
      "hosting.repositories[0].owner: must be a login in hosting.accounts (got 'x')",
    ],
    [{ hosting: { teams: [{ org: 'x', name: 'y' }] } }, 'hosting.teams[0].org'],
    [
      { support: { cases: [{ contact_id: 3 }] } },
      'support.cases[0]: contact_id: must be the ID of an existing contact (got 3)',
    ],
    [{ console: { keys: ['nonsense'] } }, 'console.keys[0]: must be a public key'],
  ])('createEmulator() rejects the invalid reference or key in %j', (seed, words) => {
    expect(() => createEmulator({ seed })).toThrow(words);
  });
});
