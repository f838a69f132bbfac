// The last step of `npm run build`. Removes docstrings from the built ES modules, writes a CommonJS
// version of each, and copies the licenses of the bundled packages. tsup isn't used for CommonJS,
// because it runs a second compiler that lowers `??` and `?.` to helper calls.
import { readdirSync } from 'node:fs';
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { builtIn, programs } from './entry-points.js';

const built = readdirSync('dist', { recursive: true, encoding: 'utf8' });
const files = built.filter(
  (file) =>
    file.endsWith('.js') &&
    // Workers are always bundled as ES modules.
    !file.startsWith('workerd') &&
    !programs.includes(file.slice(0, -'.js'.length)),
);
for (const file of built.filter((each) => each.endsWith('.js'))) {
  // The types contain the documentation, so the code doesn't need it a second time.
  const code = await readFile(`dist/${file}`, 'utf8');
  const texts = /^ *\/\*\*[\s\S]*?\*\/\n|^\/\/ (?:src|node_modules)\/.*\n/gm;
  await writeFile(`dist/${file}`, code.replace(texts, ''));
}
for (const file of files) {
  const source = await readFile(`dist/${file}`, 'utf8');
  const { code } = await transform(source, {
    format: 'cjs',
    // CommonJS has no `import.meta`.
    define: { 'import.meta.url': '__filename' },
    platform: 'node',
    target: 'node20.18',
    minifySyntax: true,
    // As in tsup.config.ts.
    minifyWhitespace: file.startsWith('testing'),
    // Jest runs CommonJS in a context where `import()` fails.
    supported: { 'dynamic-import': false },
  });
  const local = /\brequire\("(\.{1,2}\/[^"]+)\.js"\)/g;
  await writeFile(
    `dist/${file.slice(0, -'.js'.length)}.cjs`,
    code.replace(local, 'require("$1.cjs")'),
  );
}
await cp('src/testing/page', 'dist/testing/page', { recursive: true });
for (const name of builtIn)
  await copyFile(`node_modules/${name}/LICENSE`, `dist/${name}-license.txt`);
