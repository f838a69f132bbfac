import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { withoutEffects } from '../../scripts/without-effects.js';

const folder = fileURLToPath(new URL('../../src/schemas', import.meta.url));

/** Bundles a program with esbuild. */
async function bundled(program: string, plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    packages: 'external',
    plugins,
  });
  return outputFiles.map(({ text }) => text).join('');
}

/** Returns the model names in a bundle. */
const held = (text: string) =>
  [...text.matchAll(/\(\s*"(\w+)",\s+\(\) =>/g)].map(([, name]) => name);

test('withoutEffects keeps only the imported schema and its parts in a bundle', async () => {
  const program = `import { Team } from './index.js'; console.log(Team);`;
  expect(held(await bundled(program, [withoutEffects]))).toEqual(['TeamOrganization', 'Team']);
  expect(held(await bundled(program, [])).length).toBeGreaterThan(50);
});

// The package contains all models in one file, so bundlers can't drop a file of unused models as a whole.
test('withoutEffects omits the unused models of an imported file from a bundle', async () => {
  const program = `import { CommentStats } from './index.js'; console.log(CommentStats);`;
  expect(held(await bundled(program, [withoutEffects]))).toEqual(['CommentStats']);
});
