import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/** Result of running a program. */
export interface Ended {
  readonly ok: boolean;
  /** The program's standard output and standard error. */
  readonly output: string;
}

/** Runs a program to completion. Its child processes find the same runtime first in `PATH`. */
export function runAs(
  runtime: string,
  args: readonly string[],
  cwd: string,
  minutes: number,
): Ended {
  const PATH = [dirname(runtime), process.env.PATH].join(delimiter);
  const done = spawnSync(runtime, args, {
    cwd,
    env: { ...process.env, PATH, NO_COLOR: '1', FORCE_COLOR: '0' },
    encoding: 'utf8',
    timeout: minutes * 60_000,
    maxBuffer: 256 * 1024 * 1024,
  });
  const why = done.error === undefined ? '' : `\n${done.error.message}`;
  return { ok: done.status === 0, output: `${done.stdout}${done.stderr}${why}` };
}

/** Returns the line in the output that best explains a failure. */
export function mainLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => /\b[A-Z]\w*Error\b|^error/i.test(line)) ?? lines.at(-1) ?? '';
}
