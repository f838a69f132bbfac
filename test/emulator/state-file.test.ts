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
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { writeWorld } from '../../src/testing/index.js';
import { openStateFile } from '../../src/testing/state-file.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-state-file-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'state.json');
});
const world = { now: '2014-06-01T12:00:00Z' };
const text = `${JSON.stringify(world, null, 2)}\n`;

describe.each([
  ['writeWorld', (name: string) => writeWorld(name, world)],
  ['StateFile.write', async (name: string) => await (await openStateFile(name)).write(world)],
])('%s', (_what, write) => {
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

  it("writing a world through a symlink creates the link's missing target", async () => {
    await mkdir(join(folder, 'data'));
    await symlink(join('data', 'world'), path);
    await write(path);
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, 'data', 'world'), 'utf8')).toBe(text);
  });

  it('writing a world to a folder or a device fails', async () => {
    await mkdir(path);
    await expect(write(path)).rejects.toThrow(`${path}: must be a regular file`);
    await expect(write('/dev/null')).rejects.toThrow('/dev/null: must be a regular file');
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  it('writing a world to a symlink to itself fails', async () => {
    await symlink('state.json', path);
    await expect(write(path)).rejects.toThrow('ELOOP');
  });
});

describe('openStateFile', () => {
  it("openStateFile() rejects a file in a folder that doesn't exist", async () => {
    const name = join(folder, 'none', 'state.json');
    await expect(openStateFile(name)).rejects.toThrow(
      `--state: ${name}: must be in an existing folder`,
    );
  });

  it('openStateFile() rejects a name that is too long for a temporary file', async () => {
    const name = join(folder, 'x'.repeat(230));
    await expect(openStateFile(name)).rejects.toThrow('--state: ENAMETOOLONG');
    expect(await readdir(folder)).toEqual([]);
  });

  it('StateFile.existed is true only if the file existed before it was opened', async () => {
    const first = await openStateFile(path);
    expect(first.existed).toBe(false);
    await first.write(world);
    expect((await openStateFile(path)).existed).toBe(true);
  });

  it('the last of two emulators that write the same file wins', async () => {
    const [first, second] = [await openStateFile(path), await openStateFile(path)];
    await second.write({});
    await first.write(world);
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await readdir(folder)).toEqual(['state.json']);
  });
});
