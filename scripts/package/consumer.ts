import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.js';

/**
 * Returns a program that loads every subpath and checks that each subpath has exports. Subpaths
 * that export the same name must share one copy, because two copies of a class would have separate
 * caches and fail `instanceof`. Only `triforge/schemas` reuses names, for the schemas of the
 * models.
 */
function checkOfCopies(load: (name: string) => string, names: readonly string[]): string {
  return `
const modules = [${names.map((name) => `[${JSON.stringify(name)}, ${load(name)}]`).join(', ')}];
const seen = new Map();
for (const [name, exports] of modules) {
  const entries = Object.entries(exports).filter(([key]) => key !== 'default');
  if (entries.length === 0) throw new Error(name + ' exports nothing');
  if (name === 'triforge/schemas') continue;
  for (const [key, value] of entries) {
    // Bundlers rename a self-referencing class to \`_Class\`, which then appears in stacks and
    // logs.
    if (typeof value === 'function' && value.name.startsWith('_')) {
      throw new Error(key + ' of ' + name + ' is called ' + value.name);
    }
    const first = seen.get(key);
    if (first === undefined) seen.set(key, { name, value });
    else if (first.value !== value) {
      throw new Error(key + ' of ' + first.name + ' and of ' + name + ' are two copies');
    }
  }
}
`;
}

/**
 * In `folder`, imports every subpath from an ES module and requires every subpath from CommonJS.
 */
export function loadEverySubpath(folder: string, names: readonly string[]): void {
  writeFileSync(
    join(folder, 'load.mjs'),
    checkOfCopies((name) => `await import(${JSON.stringify(name)})`, names),
  );
  writeFileSync(
    join(folder, 'load.cjs'),
    checkOfCopies((name) => `require(${JSON.stringify(name)})`, names),
  );
  run(process.execPath, ['load.mjs'], folder);
  run(process.execPath, ['load.cjs'], folder);
}

const resolutions = [
  { moduleResolution: 'node16', module: 'node16', commonJs: true },
  { moduleResolution: 'nodenext', module: 'nodenext', commonJs: true },
  // `import x = require()` isn't available with `moduleResolution: 'bundler'`.
  // Bundled programs often use the DOM's types.
  { moduleResolution: 'bundler', module: 'esnext', commonJs: false, dom: ['dom'] },
];

/**
 * Type-checks a program that uses the subpaths in `names`, with each kind of module resolution.
 * Also checks the declarations of all packages (`skipLibCheck: false`).
 * @param theirs Packages whose type errors are ignored, because this project can't fix them.
 */
export function typeCheckConsumer(
  folder: string,
  tsc: string,
  names: readonly string[],
  theirs: readonly string[] = [],
): void {
  const bindings = names.map((name, index) => ({ name: JSON.stringify(name), as: `m${index}` }));
  const uses = `export const all = [${bindings.map((binding) => binding.as).join(', ')}];\n`;
  writeFileSync(
    join(folder, 'consumer.mts'),
    `${bindings.map((b) => `import * as ${b.as} from ${b.name};\n`).join('')}${uses}`,
  );
  writeFileSync(
    join(folder, 'consumer.cts'),
    `${bindings.map((b) => `import ${b.as} = require(${b.name});\n`).join('')}${uses}`,
  );
  for (const { moduleResolution, module, commonJs, dom = [] } of resolutions) {
    const project = `tsconfig.${moduleResolution}.json`;
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable', ...dom],
      module,
      moduleResolution,
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      pretty: false,
    };
    const files = ['consumer.mts', ...(commonJs ? ['consumer.cts'] : [])];
    writeFileSync(join(folder, project), JSON.stringify({ compilerOptions, files }));
    try {
      run(process.execPath, [tsc, '-p', project], folder);
    } catch (error) {
      const ours = foundErrors(error).filter(
        (line) => !theirs.some((name) => line.startsWith(`node_modules/${name}/`)),
      );
      if (ours.length > 0) throw new Error(`under ${moduleResolution}:\n${ours.join('\n')}`);
    }
  }
}

/** Returns the lines that tsc reports as errors, without the indented details. */
function foundErrors(error: unknown): string[] {
  const lines = String(error instanceof Error ? error.message : error).split('\n');
  const found = lines.filter((line) => /error TS\d+/.test(line));
  // If there are no such lines, tsc failed for a different reason, so this returns its whole
  // output.
  return found.length > 0 ? found : lines;
}

export function emptyProject(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true }\n');
}

/**
 * Adds packages to the project in `folder`. `packages` contains names with versions, or tarballs.
 */
export function install(folder: string, packages: readonly string[]): void {
  // Overrides this repository's `engine-strict` setting, which npx passes on.
  const lenient = '--engine-strict=false';
  const quiet = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', lenient];
  run('npm', ['install', ...quiet, ...packages], folder);
}
