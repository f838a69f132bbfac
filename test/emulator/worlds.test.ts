import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
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
import { keepState } from '../../src/testing/state-file.js';
import { checkWorld } from '../../src/testing/world/world.js';
import { noon } from '../support/noon.js';
import { createTemporaryFolder } from '../support/temporary-folder.js';
import { sendRequest } from './send-request.js';
import { raw } from './support-emulator.js';

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
      const path = join(await createTemporaryFolder(), name);
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

it('the world file in docs/emulator-data.md gets defaults for omitted fields', async () => {
  const path = join(await createTemporaryFolder(), 'world.yml');
  const guide = await readFile(new URL('../../docs/emulator-data.md', import.meta.url), 'utf8');
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  await writeFile(path, yaml);
  const emulator = createEmulator({ seed: await readWorld(path) });
  const auth = 'token my-token';
  const pulls = await sendRequest(emulator, 'GET /repos/navy/cobol/pulls?state=all', { auth });
  expect(pulls.data).toMatchObject([
    { title: 'Second', state: 'closed', closed_at: '2024-02-29T12:00:00Z' },
    { title: 'First', number: 1, user: { login: 'navy' } },
  ]);
  const readme = await sendRequest(emulator, 'GET /repos/navy/cobol/readme', { auth });
  expect(Buffer.from(readme.data.content, 'base64').toString()).toBe('# Cobol');
  const teams = emulator.hosting.state.listTeams('navy');
  expect(teams.map(({ name }) => name)).toEqual(['Owners', 'Crew']);
  expect(emulator.support.cases).toMatchObject([{ subject: 'Help', contact: { id: 1 } }]);
  expect(emulator.console.settings).toMatchObject({
    enterprise: { private_mode: true, timezone: { identifier: 'UTC' } },
  });
  expect(createEmulator({ seed: emulator.export() }).export()).toEqual(emulator.export());
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

describe('files', () => {
  const now = '2014-06-01T12:00:00Z';

  it("checkWorld() accepts a team's repository only as owner/name", () => {
    const team = (repo: string) => ({
      hosting: { teams: [{ org: 'acme', name: 'crew', repos: [repo] }] },
    });
    expect(checkWorld(team('acme/rocket'), 'world')).toEqual(team('acme/rocket'));
    for (const repo of ['rocket', 'acme/', '/rocket', 'acme/rocket/more']) {
      expect(() => checkWorld(team(repo), 'world')).toThrow('hosting.teams[0].repos[0]: ');
    }
  });

  describe('world files', () => {
    const shared = { date: 1, text: 'x' };
    const world: Dataset = {
      now,
      support: { contacts: [{ notes: [shared] }, { notes: [shared] }] },
    };

    it('writeWorld() writes indented text without YAML anchors', async () => {
      const path = await createTemporaryFolder();
      await writeWorld(join(path, 'a.json'), world);
      expect(await readFile(join(path, 'a.json'), 'utf8')).toBe(
        `${JSON.stringify(world, null, 2)}\n`,
      );
      await writeWorld(join(path, 'a.yml'), world);
      const yaml = await readFile(join(path, 'a.yml'), 'utf8');
      expect(yaml).toMatch(/^now: 2014-06-01T12:00:00Z\nsupport:\n/);
      expect(yaml).not.toMatch(/[&*{]/);
      for (const name of ['a.json', 'a.yml'])
        expect(await readWorld(join(path, name))).toEqual(world);
    });

    it('writeWorld() keeps the existing file if writing fails', async () => {
      const path = await createTemporaryFolder();
      const file = join(path, 'a.json');
      await writeFile(file, 'before');
      const endless: Dataset = {};
      Object.defineProperty(endless, 'now', {
        enumerable: true,
        get: () => {
          throw new Error('it broke');
        },
      });
      await expect(writeWorld(file, endless)).rejects.toThrow('it broke');
      await expect(writeWorld(join(path, 'none', 'a.json'), world)).rejects.toThrow('ENOENT');
      expect(await readdir(path)).toEqual(['a.json']);
      expect(await readFile(file, 'utf8')).toBe('before');
    });

    it.each<[string, string, string[]]>([
      ['a.json', '{', ['must be JSON (']],
      ['a.json', 'now: x', ['must be JSON (']],
      ['a.yaml', 'a: [', ['must be YAML (']],
      ['a.json', '[]', ['the top level: ']],
      [
        'a.json',
        '{"hosting":{"accounts":[{"login":"a"},{"login":""}]}}',
        ['hosting.accounts[1].login: '],
      ],
      [
        'a.json',
        '{"support":{"contacts":[{"id":0,"tags":[1]}]}}',
        ['support.contacts[0].id: ', 'support.contacts[0].tags[0]: '],
      ],
      ['a.yml', 'now: today', ["now: must be a time such as '2014-06-01T12:00:00Z'"]],
      ['a.yml', 'hostin: {}', ['hostin: unknown field']],
      [
        'a.yml',
        'support: { contacts: [{ profiles: [{}] }] }',
        ['support.contacts[0].profiles[0].source: '],
      ],
    ])('readWorld() rejects %s with the text %s', async (name, text, places) => {
      const path = join(await createTemporaryFolder(), name);
      await writeFile(path, text);
      const error = await readWorld(path).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      // The parser's error, which contains the position, is the cause.
      const hasCause = error instanceof Error && error.cause instanceof Error;
      expect(hasCause).toBe(places.some((place) => place.startsWith('must be ')));
      const lines = error instanceof Error ? error.message.split('\n') : [];
      for (const place of places) {
        expect(lines.filter((line) => line.startsWith(`${path}: ${place}`))).toHaveLength(1);
      }
    });

    it.each(['a.json', 'a.yaml'])(
      'readWorld() rejects the file %s if its text is not UTF-8',
      async (name) => {
        const path = join(await createTemporaryFolder(), name);
        const text = '{"hosting":{"accounts":[{"login":"a","password":"caf\u00e9"}]}}';
        await writeFile(path, text, 'latin1');
        await expect(readWorld(path)).rejects.toThrow(/: must be (?:JSON|YAML) \(.*utf-8/i);
        await writeFile(path, `\ufeff${text}`);
        expect((await readWorld(path)).hosting?.accounts).toEqual([
          { login: 'a', password: 'café' },
        ]);
      },
    );

    it('readWorld() lists at most ten problems in an error', async () => {
      const path = join(await createTemporaryFolder(), 'a.json');
      const readErrors = async (count: number) => {
        const accounts = Array.from({ length: count }, () => ({ login: 7 }));
        await writeFile(path, JSON.stringify({ hosting: { accounts } }));
        const error: unknown = await readWorld(path).catch((reason: unknown) => reason);
        return error instanceof Error ? error.message.split('\n') : [];
      };
      expect(await readErrors(10)).toHaveLength(10);
      const lines = await readErrors(12);
      expect([lines.length, lines.at(-1)]).toEqual([11, `${path}: further problems`]);
    });
  });

  describe('writeWorld()', () => {
    let folder: string;

    let path: string;

    beforeEach(async () => {
      folder = await createTemporaryFolder();
      path = join(folder, 'state.json');
    });

    const world = { now: '2014-06-01T12:00:00Z' };

    const text = `${JSON.stringify(world, null, 2)}\n`;

    const write = (name: string) => writeWorld(name, world);

    it.each([
      ['600', 0o600],
      ['444', 0o444],
    ])('writing a world keeps the file mode %s', async (_octal, mode) => {
      await writeFile(path, 'before');
      await chmod(path, mode);
      if (process.getuid?.() !== 0 && mode === 0o444) return;
      await write(path);
      expect((await stat(path)).mode & 0o7777).toBe(mode);
      expect(await readFile(path, 'utf8')).toBe(text);
    });

    it("writing a world through a symlink changes the link's target", async () => {
      await mkdir(join(folder, 'data'));
      const target = join(folder, 'data', 'world');
      await writeFile(target, 'before');
      await symlink('data/world', join(folder, 'first'));
      await symlink('first', path);
      await write(path);
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
      expect(await readFile(target, 'utf8')).toBe(text);
    });

    it('writing a world to a folder or a device fails', async () => {
      await mkdir(path);
      await expect(write(path)).rejects.toThrow(`${path}: must be a regular file`);
      await expect(write('/dev/null')).rejects.toThrow('/dev/null: must be a regular file');
      expect(await readdir(folder)).toEqual(['state.json']);
    });
  });

  test('keepState() returns soon(), which delays the save, and now(), which saves immediately', async () => {
    const folder = await createTemporaryFolder();
    const path = join(folder, 'state.json');
    const emulator = createEmulator({ seed: false });
    const failures: unknown[] = [];
    const keeper = keepState(path, emulator, (error) => failures.push(error));
    for (const login of ['ada', 'grace']) {
      emulator.hosting.addUser(login);
      keeper.soon();
    }
    expect(await readdir(folder), 'nothing is saved yet').toEqual([]);
    const kept = () => readWorld(path).catch(() => undefined);
    await expect.poll(kept).toEqual(emulator.export());
    emulator.hosting.addUser('ken');
    const writing = [keeper.now(), keeper.now()];
    emulator.hosting.addUser('hedy');
    await Promise.all(writing);
    expect(await kept(), 'includes changes made after the call to now()').toEqual(
      emulator.export(),
    );
    await rm(path);
    keeper.soon();
    await keeper.now();
    expect(await readdir(folder)).toEqual(['state.json']);
    await rm(folder, { recursive: true });
    await expect(keeper.now()).rejects.toThrow('ENOENT');
    expect(failures).toEqual([]);
    keeper.soon();
    await expect.poll(() => failures).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
  });
});
