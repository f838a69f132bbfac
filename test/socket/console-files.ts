import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** The license file's text. */
export const license = 'the license';

/** Creates a folder with a license and a package before the tests and deletes it after them. */
export function consoleFiles() {
  const files = {
    folder: '',
    license: '',
    package: '',
    /** Returns the paths of the files in this folder that this process has open. */
    open: async (): Promise<string[]> => {
      const names = await readdir('/proc/self/fd').catch(() => []);
      const links = await Promise.all(
        names.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      return links.filter((link) => link.startsWith(files.folder));
    },
  };
  beforeAll(async () => {
    files.folder = await mkdtemp(join(tmpdir(), 'triforge-console-'));
    files.license = join(files.folder, 'license.ghl');
    files.package = join(files.folder, 'release.pkg');
    await writeFile(files.license, license);
    await writeFile(files.package, 'the package');
  });
  afterAll(() => rm(files.folder, { recursive: true }));
  return files;
}
