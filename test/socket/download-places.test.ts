import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { serve } from '../support/server.js';
import { asset, content, folder, hash, respond, serveIn } from './download-world.js';

async function download(to: string | URL): Promise<string> {
  const file = await createClient(await serveIn([])).releases.downloadAsset(asset, { to });
  return file.path;
}

const readMode = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

describe('downloads to a file', () => {
  it.each([
    ['0600', 0o600],
    ['0755', 0o755],
    ['0444', 0o444],
    ['0777', 0o777],
  ])('a download keeps the mode %s of an existing file', async (_name, mode) => {
    const to = join((await folder()).path, 'a');
    await writeFile(to, 'former');
    await chmod(to, mode);
    await download(to);
    expect(await readMode(to)).toBe(mode.toString(8));
    expect(hash(await readFile(to))).toBe(hash(content));
  });

  it('a download drops the set-user-ID bit of an existing file', async () => {
    const to = join((await folder()).path, 'a');
    await writeFile(to, 'former');
    await chmod(to, 0o4755);
    await download(to);
    expect(await readMode(to)).toBe('755');
  });

  it('a download creates the partial file with the mode 0600 of the existing file', async () => {
    const { path, names } = await folder();
    const to = join(path, 'a');
    await writeFile(to, 'former');
    await chmod(to, 0o600);
    const modes: string[] = [];
    const server = await serve(async (request, response) => {
      for (const name of await names()) modes.push(await readMode(join(path, name)));
      respond(request, response);
    });
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(modes).toEqual(['600', '600']);
  });

  it('a download applies the umask to a new file', async () => {
    const to = join((await folder()).path, 'a');
    const before = process.umask(0o027);
    onTestFinished(() => void process.umask(before));
    await download(to);
    expect(await readMode(to)).toBe('640');
  });
});

describe('symbolic links as download targets', () => {
  it('a download resolves a symbolic link before the `..` that follows it', async () => {
    const { path } = await folder();
    await mkdir(join(path, 'deep', 'in'), { recursive: true });
    await symlink(join(path, 'deep', 'in'), join(path, 'link'));
    expect(await download(`${path}/link/../a`)).toBe(join(path, 'deep', 'a'));
  });
});

describe('download paths', () => {
  it.each(['x/', 'x//', 'x/.', 'x/..', '.', '..', '/', './'])(
    'a download rejects the folder path %s',
    async (end) => {
      const { path, names } = await folder();
      const server = await serveIn([]);
      const to = end.startsWith('x') ? `${path}/${end}` : end;
      const error = await rejectionOf(createClient(server).releases.downloadAsset(asset, { to }));
      expect(error).toMatchObject({ code: 'invalid_request', field: 'to' });
      expect(server.log).toEqual([]);
      expect(await names()).toEqual([]);
    },
  );

  it('a download rejects the URL of a folder', async () => {
    const { path, names } = await folder();
    const to = pathToFileURL(`${path}/x/`);
    expect(await rejectionOf(download(to))).toMatchObject({ field: 'to' });
    expect(await names()).toEqual([]);
  });

  it('a download accepts a relative path and returns an absolute path', async () => {
    const { path } = await folder();
    const before = process.cwd();
    process.chdir(path);
    onTestFinished(() => process.chdir(before));
    expect(await download('a')).toBe(join(path, 'a'));
  });
});
