import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';

/** An example's exit code and output. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An example that runs as a separate process with piped output. */
export interface Running {
  readonly ended: Promise<Ran>;
  kill(): void;
}

/**
 * Starts an example.
 * @param env Added to this process's environment, from which all TRIFORGE variables are removed.
 */
export function startExample(
  name: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Running {
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('TRIFORGE_'));
  const program = join(inject('programs'), 'examples', `${name}.js`);
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { ended, kill: () => child.kill('SIGKILL') };
}

export function runExample(
  name: string,
  env?: Readonly<Record<string, string>>,
  args?: readonly string[],
): Promise<Ran> {
  return startExample(name, env, args).ended;
}
