import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Runs a shell command and returns its output.
 * @throws {Error} if the command fails. The message contains the output.
 */
export function run(command: string, cwd: string, env: Record<string, string> = {}): string {
  try {
    return execFileSync('sh', ['-c', `exec 2>&1; ${command}`], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? error.stdout : '';
    throw new Error(`${command}\n${output}`, { cause: error });
  }
}

/** Packs the output of `npm run build` into a folder. @returns Path of the tarball. */
export function pack(root: string, folder: string): string {
  const name = run(`npm pack --silent --ignore-scripts --pack-destination '${folder}'`, root);
  return join(folder, name.trim());
}

/** Writes a project with the files, and installs the packages, which are names with versions, or tarballs. */
export function createProject(
  folder: string,
  packages: readonly string[],
  files: Readonly<Record<string, string>> = {},
): void {
  const manifest = { 'package.json': '{ "name": "consumer", "private": true }\n' };
  for (const [name, text] of Object.entries({ ...manifest, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  if (packages.length === 0) return;
  // Overrides this repository's `engine-strict` setting, which npx passes on.
  const options = '--prefer-offline --ignore-scripts --no-audit --no-fund --engine-strict=false';
  run(`npm install ${options} ${packages.map((name) => `'${name}'`).join(' ')}`, folder);
}
