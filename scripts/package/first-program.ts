import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readMarkdown } from '../docs/markdown.js';
import { install } from './consumer.js';

const execute = promisify(execFile);

/** A kind of project, with the program's file name and language. */
interface Way {
  readonly name: string;
  readonly file: string;
  /** `type` in package.json. */
  readonly type: 'module' | 'commonjs';
  readonly program: (code: string, requires: readonly string[]) => string;
  readonly typescript: boolean;
}

const asItStands = (code: string) => code;

const ways: readonly Way[] = [
  {
    name: 'TypeScript, ES module',
    file: 'program.ts',
    type: 'module',
    program: asItStands,
    typescript: true,
  },
  {
    name: 'TypeScript, CommonJS',
    file: 'program.ts',
    type: 'commonjs',
    program: asItStands,
    typescript: true,
  },
  {
    name: 'JavaScript, ES module',
    file: 'program.js',
    type: 'module',
    program: asItStands,
    typescript: false,
  },
  {
    name: "JavaScript, CommonJS, with the README's `require` lines",
    file: 'program.js',
    type: 'commonjs',
    program: (code, requires) => {
      let index = 0;
      return code.replaceAll(/^import .*$/gm, (line) => requires[index++] ?? line);
    },
    typescript: false,
  },
];

/**
 * Runs the README's first program in each kind of project. Each project is empty except for the tarball
 * and, for TypeScript, tsx.
 * @param tsx Package name and version of tsx, which runs TypeScript.
 */
export async function runFirstProgram(
  folder: string,
  tarball: string,
  readme: string,
  tsx: string,
): Promise<void> {
  const { code, requires } = firstProgram(readFileSync(readme, 'utf8'));
  for (const [index, way] of ways.entries()) {
    const place = join(folder, `first-program-${index}`);
    mkdirSync(place);
    const manifest = { name: 'first-program', private: true, type: way.type };
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(place, way.file), way.program(code, requires));
    install(place, way.typescript ? [tarball, tsx] : [tarball]);
    const args = way.typescript ? ['--import', 'tsx', way.file] : [way.file];
    const { stdout } = await execute(process.execPath, args, { cwd: place });
    const lines = stdout.trimEnd().split('\n');
    if (lines.length !== 250 || !/^#\d+ \S/.test(lines[0] ?? '')) {
      throw new Error(`${way.name}: expected 250 pull requests, got:\n${stdout.slice(0, 500)}`);
    }
  }
}

/** Returns the first code block in "A first program" and the `require` lines that replace its imports. */
function firstProgram(readme: string): { code: string; requires: readonly string[] } {
  const section = /^## A first program$[\s\S]*?(?=^## )/m.exec(readme)?.[0] ?? '';
  const code = readMarkdown(section).blocks.find(({ language }) => language === 'ts')?.code;
  const requires = [...section.matchAll(/`(const \{ [\w, ]+ \} = require\('[^']+'\);)`/g)].map(
    ([, line = '']) => line,
  );
  if (code === undefined || code.match(/^import /gm)?.length !== requires.length) {
    throw new Error('README: "A first program" has no program, or not one `require` per import');
  }
  return { code, requires };
}
