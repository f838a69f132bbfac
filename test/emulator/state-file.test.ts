import { spawnSync } from 'node:child_process';
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
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { writeWorld } from '../../src/testing/index.js';
import { openStateFile, type StateFile } from '../../src/testing/state-file.js';
import { replaceFile } from '../../src/testing/world/replace-file.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-state-file-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'state.json');
});
const world = { now: '2014-06-01T12:00:00Z' };
const text = `${JSON.stringify(world, null, 2)}\n`;

async function opened(name = path): Promise<StateFile> {
  const file = await openStateFile(name);
  onTestFinished(() => file.close());
  return file;
}

/** Writes the lock file of another process. */
async function lockedBy(pid: number, host = hostname(), secondsAgo = 0): Promise<void> {
  await writeFile(`${path}.lock`, JSON.stringify({ pid, host, id: 'x' }));
  const time = new Date(Date.now() - secondsAgo * 1000);
  await utimes(`${path}.lock`, time, time);
}

/** Returns the ID of a process that has ended. */
const ended = () => spawnSync(process.execPath, ['-e', '']).pid;

describe.each([
  ['writeWorld', (name: string) => writeWorld(name, world)],
  ['StateFile.write', async (name: string) => await (await opened(name)).write(world)],
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

  it('openStateFile() removes only temporary files left by a killed emulator', async () => {
    const others = [
      'state.json.bak',
      'state.json.part',
      'state.json.x.part',
      'state.json.bad.part',
    ];
    const left = ['state.json.5c1ab8e8-0000-4000-8000-000000000001.part'];
    for (const name of [...others, ...left]) await writeFile(join(folder, name), 'x');
    const file = await opened();
    file.close();
    expect(new Set(await readdir(folder))).toEqual(new Set(others));
  });

  it('StateFile.existed is true only if the file existed before it was opened', async () => {
    const first = await opened();
    expect(first.existed).toBe(false);
    await first.write(world);
    first.close();
    expect((await opened()).existed).toBe(true);
  });

  it('openStateFile() rejects a file in use, even under another name', async () => {
    const first = await opened();
    await symlink('state.json', join(folder, 'link.json'));
    for (const name of [path, join(folder, 'link.json'), join(folder, '.', 'state.json')]) {
      await expect(openStateFile(name)).rejects.toThrow(
        `state.json: is in use by process ${process.pid} on ${hostname()}`,
      );
    }
    first.close();
    await opened();
  });

  it('openStateFile() succeeds for only one of ten concurrent calls', async () => {
    const killed = ended();
    for (const abandoned of [false, ...Array<true>(30).fill(true)]) {
      if (abandoned) await lockedBy(killed);
      const all = await Promise.allSettled(Array.from({ length: 10 }, () => openStateFile(path)));
      const files = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(files).toHaveLength(1);
      expect(await readdir(folder)).toEqual(['state.json.lock']);
      for (const file of files) file.close();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it.each<[string, () => Promise<void>]>([
    ['a process that ended', () => lockedBy(ended())],
    ["an earlier process with the current process's ID", () => lockedBy(process.pid)],
    ['a process that was silent for 11 s', () => lockedBy(process.ppid, hostname(), 11)],
    ['another machine that was silent for 11 s', () => lockedBy(1, 'elsewhere', 11)],
  ])('openStateFile() takes over the lock of %s', async (_who, prepare) => {
    await prepare();
    const file = await opened();
    await file.write(world);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it.each<[string, () => Promise<void>]>([
    ['a running process', () => lockedBy(process.ppid)],
    ['a process on another machine', () => lockedBy(ended(), 'elsewhere')],
    ['an unknown process', () => writeFile(`${path}.lock`, '')],
  ])('openStateFile() rejects a file that is locked by %s', async (_who, prepare) => {
    await prepare();
    await expect(openStateFile(path)).rejects.toThrow('is in use by');
    expect(await readdir(folder)).toEqual(['state.json.lock']);
  });
});

describe('openStateFile with an existing lock file', () => {
  it.each(['# yarn lockfile v1\n', '{}', '{"pid":"1"}', 'null'])(
    'openStateFile() keeps a lock file that contains %j',
    async (content) => {
      await writeFile(`${path}.lock`, content);
      const time = new Date(Date.now() - 3_600_000);
      await utimes(`${path}.lock`, time, time);
      await expect(openStateFile(path)).rejects.toThrow("must be an emulator's lock file");
      expect(await readFile(`${path}.lock`, 'utf8')).toBe(content);
      expect(await readdir(folder)).toEqual(['state.json.lock']);
    },
  );

  it('openStateFile() replaces an empty lock file that is 11 s old', async () => {
    await writeFile(`${path}.lock`, '');
    const time = new Date(Date.now() - 11_000);
    await utimes(`${path}.lock`, time, time);
    await (await opened()).write(world);
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});

describe('replaceFile', () => {
  it('replaceFile() leaves the file unchanged if the final check fails', async () => {
    await writeFile(path, 'before');
    const check = async () => {
      expect(await readdir(folder)).toHaveLength(2);
      throw new Error('no');
    };
    await expect(replaceFile(path, 'after', check)).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual(['state.json']);
    expect(await readFile(path, 'utf8')).toBe('before');
  });

  it('replaceFile() throws if another emulator removed the temporary file', async () => {
    await writeFile(path, 'before');
    // An emulator that takes over the lock removes temporary files.
    const check = async () => (await opened()).close();
    await expect(replaceFile(path, 'after', check)).rejects.toThrow('ENOENT');
    expect(await readFile(path, 'utf8')).toBe('before');
  });
});

describe('state file lock', () => {
  it("an open state file doesn't renew a lock that another process took over", async () => {
    await opened();
    await lockedBy(process.ppid, hostname(), 5);
    const { mtimeMs } = await stat(`${path}.lock`);
    await wait(2200);
    expect((await stat(`${path}.lock`)).mtimeMs).toBe(mtimeMs);
  });

  it('StateFile.write() throws if a named pipe has replaced the lock', async () => {
    const file = await opened();
    await rm(`${path}.lock`);
    spawnSync('sh', ['-c', 'exec mkfifo "$0"', `${path}.lock`]);
    await expect(file.write(world)).rejects.toThrow('must be a regular file');
    await wait(2200);
    file.close();
    expect(await readdir(folder)).toEqual(['state.json.lock']);
  });

  it('an open state file renews its lock', async () => {
    await opened();
    const time = new Date(Date.now() - 5000);
    await utimes(`${path}.lock`, time, time);
    await expect.poll(async () => (await stat(`${path}.lock`)).mtime).not.toEqual(time);
  });
});

describe('StateFile.write', () => {
  it('StateFile.write() throws if another process has taken over the lock', async () => {
    const file = await opened();
    await file.write(world);
    await lockedBy(process.ppid);
    await expect(file.write({})).rejects.toThrow('has taken over the lock');
    file.close();
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await readFile(`${path}.lock`, 'utf8')).toContain(`${process.ppid}`);
  });

  it('StateFile.write() creates the lock again if the lock was deleted', async () => {
    const file = await opened();
    await rm(`${path}.lock`);
    await file.write(world);
    await expect(openStateFile(path)).rejects.toThrow('is in use by');
  });
});
