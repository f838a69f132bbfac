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

test('a bundle with withoutEffects contains only the imported schema and its parts', async () => {
  const program = `import { Stargazer } from './index.js'; console.log(Stargazer);`;
  const held = (text: string) =>
    [...text.matchAll(/\(\s*"(\w+)",\s+\(\) =>/g)].map(([, name]) => name);
  expect(held(await bundled(program, [withoutEffects]))).toEqual(['UserPlan', 'User', 'Stargazer']);
  expect(held(await bundled(program, [])).length).toBeGreaterThan(50);
});
