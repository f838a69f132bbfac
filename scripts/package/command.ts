import { execFileSync } from 'node:child_process';

/**
 * Runs a program to completion and returns its standard output.
 * @throws {Error} if the program doesn't exit with 0. The message contains the program's whole
 * output.
 */
export function run(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = output(error);
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

function output(error: unknown): { stdout?: string; stderr?: string } {
  const output: { stdout?: string; stderr?: string } = {};
  if (typeof error === 'object' && error !== null) {
    if ('stdout' in error) output.stdout = String(error.stdout);
    if ('stderr' in error) output.stderr = String(error.stderr);
  }
  return output;
}
