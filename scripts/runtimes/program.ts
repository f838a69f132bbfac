import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/** How a program ended. */
export interface Ended {
  readonly ok: boolean;
  /** All that it wrote. */
  readonly output: string;
}

/** Runs a program to its end; what it starts by name finds the same runtime first. */
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

/** The line of an output that says best what went wrong. */
export function mainLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.find((line) => /\b[A-Z]\w*Error\b|^error/i.test(line)) ?? lines.at(-1) ?? '';
}
