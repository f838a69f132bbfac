import { copyFile, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Folder of the compiled programs. Each program has the path of its source, with `.js` instead
     * of `.ts`.
     */
    programs: string;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Compiles the programs that tests run as processes, once for all tests. Starting tsx takes longer
 * than running most of the programs.
 * @returns A function that removes the compiled files.
 */
export default async function compilePrograms(project: TestProject): Promise<() => Promise<void>> {
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const programs = await mkdtemp(join(cache, 'test-programs-'));
  const examples = (await readdir(join(root, 'examples')))
    // Excludes this example, because vitest compiles it.
    .filter((name) => name !== 'test-with-vitest.ts')
    .map((name) => `examples/${name}`);
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...examples,
      'src/doctor/cli.ts',
      'src/index.ts',
      'src/testing/cli.ts',
      'test/emulator/random-requests.ts',
      'test/soak/server-program.ts',
    ],
    outbase: root,
    outdir: programs,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    packages: 'external',
    logLevel: 'warning',
  });
  // package.json makes the files ES modules and contains the version for the emulator's program.
  await copyFile(join(root, 'package.json'), join(programs, 'package.json'));
  // The emulator reads its pages from a folder next to the compiled code.
  await cp(join(root, 'src/testing/page'), join(programs, 'page'), { recursive: true });
  project.provide('programs', programs);
  return () => rm(programs, { recursive: true });
}
