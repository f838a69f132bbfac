import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { createEmulator, type Dataset, readWorld, writeWorld } from '../../src/testing/index.js';
import { keepState } from '../../src/testing/state-file.js';

const now = '2014-06-01T12:00:00Z';

describe('checkWorld()', () => {
  // Imports the schema module on demand, as the emulator does.
  async function checked(data: object): Promise<Dataset> {
    const { checkWorld } = await import('../../src/testing/world/world.js');
    return checkWorld(data, 'world');
  }

  const inRepo = (more: object) => ({
    hosting: { repositories: [{ owner: 'ada', name: 'notes', ...more }] },
  });

  it.each<[string, object]>([
    ['hosting.accounts[0].login', { hosting: { accounts: [{}] } }],
    ['hosting.applications[0].name', { hosting: { applications: [{}] } }],
    ['hosting.tokens[0].login', { hosting: { tokens: [{}] } }],
    ['hosting.teams[0].org', { hosting: { teams: [{ name: 'crew' }] } }],
    ['hosting.teams[0].name', { hosting: { teams: [{ org: 'acme' }] } }],
    ['hosting.repositories[0].releases[0].tagName', inRepo({ releases: [{}] })],
    [
      'hosting.repositories[0].releases[0].assets[0].name',
      inRepo({ releases: [{ tagName: 'v1', assets: [{}] }] }),
    ],
    ['hosting.repositories[0].comments[0].body', inRepo({ comments: [{}] })],
    ['hosting.repositories[0].hooks[0].config', inRepo({ hooks: [{}] })],
    ['hosting.repositories[0].downloads[0].name', inRepo({ downloads: [{}] })],
    ['console.standing.progress[0].key', standing({ status: 'x' })],
    ['console.standing.progress[0].status', standing({ key: 'x' })],
  ])('requires %s', async (place, data) => {
    await expect(checked(data)).rejects.toThrow(`world: ${place}: `);
  });

  it.each<[string, object]>([
    ['a time with an offset', { now: '2014-06-01T14:00:00+02:00' }],
    [
      'an annotated tag',
      inRepo({ git: { objects: {}, commits: [], refs: { 'tags/v1': { sha: 'a', type: 'tag' } } } }),
    ],
    ['a Pages build in progress', inRepo({ pages: { builds: [{ status: 'building' }] } })],
  ])('accepts %s', async (_what, data) => {
    expect(await checked(data)).toEqual(data);
  });

  it("accepts a team's repository only as owner/name", async () => {
    const team = (repo: string) => ({
      hosting: { teams: [{ org: 'acme', name: 'crew', repos: [repo] }] },
    });
    expect(await checked(team('acme/rocket'))).toEqual(team('acme/rocket'));
    for (const repo of ['rocket', 'acme/', '/rocket', 'acme/rocket/more']) {
      await expect(checked(team(repo))).rejects.toThrow('world: hosting.teams[0].repos[0]: ');
    }
  });

  function standing(step: object): object {
    return { console: { standing: { status: 'running', progress: [step] } } };
  }
});

describe('world files', () => {
  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'triforge-world-'));
    onTestFinished(() => rm(path, { recursive: true }));
    return path;
  }
  const shared = { date: 1, text: 'x' };
  const world: Dataset = { now, support: { contacts: [{ notes: [shared] }, { notes: [shared] }] } };

  it('writeWorld() writes indented text without YAML anchors', async () => {
    const path = await folder();
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
    const path = await folder();
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
    ['a.json', '{"hosting":{"renamed":{"a":"b/c"}}}', ['hosting.renamed.a: ']],
    ['a.yml', 'now: today', ["now: must be a time such as '2014-06-01T12:00:00Z'"]],
    ['a.yml', 'hostin: {}', ['hostin: unknown field']],
    ['a.yml', 'hosting: { repositories: [{ owner: a }] }', ['hosting.repositories[0].name: ']],
    [
      'a.yml',
      'hosting: { repositories: [{ owner: a, name: b, pulls: [{ state: merged }] }] }',
      ['hosting.repositories[0].pulls[0].state: '],
    ],
    [
      'a.yml',
      'support: { contacts: [{ profiles: [{}] }] }',
      ['support.contacts[0].profiles[0].source: '],
    ],
    ['a.yml', '- a\n- b', ['the top level: ']],
  ])('readWorld() rejects %s with the text %s', async (name, text, places) => {
    const path = join(await folder(), name);
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
      const path = join(await folder(), name);
      const text = '{"hosting":{"accounts":[{"login":"a","password":"caf\u00e9"}]}}';
      await writeFile(path, text, 'latin1');
      await expect(readWorld(path)).rejects.toThrow(/: must be (?:JSON|YAML) \(.*utf-8/i);
      await writeFile(path, `\ufeff${text}`);
      expect((await readWorld(path)).hosting?.accounts).toEqual([{ login: 'a', password: 'café' }]);
    },
  );

  it('readWorld() lists at most ten problems in an error', async () => {
    const path = join(await folder(), 'a.json');
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
    folder = await mkdtemp(join(tmpdir(), 'triforge-state-file-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    path = join(folder, 'state.json');
  });

  const world = { now: '2014-06-01T12:00:00Z' };

  const text = `${JSON.stringify(world, null, 2)}\n`;

  const write = (name: string) => writeWorld(name, world);

  it.each([
    ['600', 0o600],
    ['640', 0o640],
    ['666', 0o666],
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
  const folder = await mkdtemp(join(tmpdir(), 'triforge-state-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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
  expect(await kept(), 'includes changes made after the call to now()').toEqual(emulator.export());
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
