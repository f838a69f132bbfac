// Packs the output of `npm run build` and tests the tarball as users would. With --release, also tests the
// bundlers, frameworks, runtimes and package managers that need large downloads. To test only some:
// npm run check:package [-- --release --only webpack --only pnpm]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { consumers } from './package/consumers.js';
import { contentProblems } from './package/contents.js';
import { createProject, pack, run } from './package/npm.js';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, release: { type: 'boolean' } },
});
const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const folder = mkdtempSync(join(tmpdir(), 'triforge-package-'));
const tarball = pack(root, folder);

const checks: Record<string, () => unknown> = {
  publint: () => void run(`npx publint run --strict '${tarball}'`, root),
  arethetypeswrong: () => void run(`npx attw '${tarball}'`, root),
  contents: () => {
    createProject(join(folder, 'contents'), [tarball]);
    const problems = contentProblems(join(folder, 'contents'), root);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  },
};
for (const [name, { packages, files, command, release }] of Object.entries(consumers)) {
  if (release && !values.release && !values.only) continue;
  checks[name] = () => {
    const project = join(folder, name.replaceAll(/\W+/g, '-'));
    createProject(project, packages ? [tarball, ...packages] : [], files);
    const output = run(command, project, { TARBALL: tarball });
    return /^size: (.*)$/m.exec(output)?.[1];
  };
}
const unknown = values.only?.filter((name) => !(name in checks)) ?? [];
if (unknown.length > 0)
  throw new Error(`--only: must be one of ${Object.keys(checks).join(', ')} (got ${unknown})`);
try {
  for (const [name, check] of Object.entries(checks)) {
    if (values.only && !values.only.includes(name)) continue;
    try {
      console.log(`ok: ${name}`, check() ?? '');
    } catch (error) {
      console.error(`failed: ${name}\n${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
