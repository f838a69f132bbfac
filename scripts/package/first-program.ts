import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { readMarkdown } from '../docs/markdown.js';
import { install } from './consumer.js';

const execute = promisify(execFile);

/** One way to run the program: where it is pasted, and what runs it. */
interface Way {
  readonly name: string;
  readonly file: string;
  /** `type` of package.json. */
  readonly type: 'module' | 'commonjs';
  readonly program: (code: string, require: string) => string;
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
    name: 'JavaScript, CommonJS, with the line that the README gives for it',
    file: 'program.js',
    type: 'commonjs',
    program: (code, require) => code.replace(/^import .*$/m, () => require),
    typescript: false,
  },
];

/**
 * Pastes the first program of the README into empty folders that have nothing but the tarball, and
 * runs it there in each kind of project, against an emulator.
 * @param tsx the version of tsx that runs TypeScript.
 */
export async function runFirstProgram(
  folder: string,
  tarball: string,
  readme: string,
  tsx: string,
): Promise<void> {
  const { code, require } = firstProgram(readFileSync(readme, 'utf8'));
  await using emulator = createEmulator();
  const { hostingUrl } = await emulator.listen();
  const env = { ...process.env, TRIFORGE_BASE_URL: hostingUrl, TRIFORGE_TOKEN: seeded.token };
  for (const [index, way] of ways.entries()) {
    const place = join(folder, `first-program-${index}`);
    mkdirSync(place);
    const manifest = { name: 'first-program', private: true, type: way.type };
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(place, way.file), way.program(code, require));
    install(place, way.typescript ? [tarball, tsx] : [tarball]);
    const args = way.typescript ? ['--import', 'tsx', way.file] : [way.file];
    const { stdout } = await execute(process.execPath, args, { cwd: place, env });
    const lines = stdout.trimEnd().split('\n');
    if (lines.length !== 250 || !/^#\d+ \S/.test(lines[0] ?? '')) {
      throw new Error(`${way.name}: expected 250 pull requests, got:\n${stdout.slice(0, 500)}`);
    }
  }
}

/** The first block of code below "A first program", and the `require` that stands in for its import. */
function firstProgram(readme: string): { code: string; require: string } {
  const section = /^## A first program$[\s\S]*?(?=^## )/m.exec(readme)?.[0] ?? '';
  const code = readMarkdown(section).blocks.find(({ language }) => language === 'ts')?.code;
  const require = /`(const \{ \w+ \} = require\('[^']+'\);)`/.exec(section)?.[1];
  if (code === undefined || require === undefined) {
    throw new Error('README: "A first program" has no program, or no line for CommonJS');
  }
  return { code, require };
}
