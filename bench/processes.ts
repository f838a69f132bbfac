import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Received } from './sink.js';

export const root = fileURLToPath(new URL('..', import.meta.url));
// This folder is in the repository, so `triforge/hosting` resolves to the built package. Git
// ignores the folder.
const folder = `${root}reports/bench/`;

/** Compiles the child programs to JavaScript, because a TypeScript loader would affect the measurements. */
export async function prepare(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/server.ts', 'bench/worker.ts', 'bench/children/*.ts'],
    outdir: folder,
    outbase: 'bench',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Makes the compiler ignore the paths in tsconfig.json, which lead to `src/`, because the built package is measured.
    tsconfigRaw: {},
  });
}

/** Returns a compiled program's path, such as `children/crawl`. */
export function program(name: string): string {
  return `${folder}${name}.mjs`;
}

/** Forks a compiled program and waits for the first message. */
export async function start(
  name: string,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; first: unknown }> {
  const child = fork(program(name), args, { execArgv: [] });
  const first: unknown = await receiveMessage(child);
  return { child, first };
}

/**
 * Runs turns in a series of processes. V8's compiler and heap behave differently in each process,
 * so a single process could distort all turns of a case.
 * @param turns Number of turns before the next process replaces the current process.
 * @param warmUps Number of warm-up turns that each process takes before the measurement.
 */
export function successors(begin: () => Promise<ChildProcess>, turns: number, warmUps = 0) {
  let child: ChildProcess | undefined;
  let left = 0;
  return {
    async turn<Told>(take: (child: ChildProcess) => Promise<Told>): Promise<Told> {
      if (left === 0 || child === undefined) {
        child?.kill();
        child = await begin();
        for (let turn = 0; turn < warmUps; turn += 1) await take(child);
        left = turns;
      }
      left -= 1;
      return await take(child);
    },
    end: () => child?.kill(),
  };
}

/** Returns a child's next message. @throws {Error} if the child exits or sends an error. */
export async function receiveMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const end = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  end.catch(() => undefined);
  const message = once(child, 'message', { signal: ended.signal }).then(([received]) => received);
  message.catch(() => undefined);
  try {
    const received: unknown = await Promise.race([message, end]);
    if (typeof received === 'object' && received !== null && 'error' in received) {
      throw new Error(String(received.error));
    }
    return received;
  } finally {
    ended.abort();
  }
}

export interface Server extends AsyncDisposable {
  /** URL of the server, such as `http://127.0.0.1:1234/`. */
  readonly origin: string;
  /** Waits for the next upload, and returns its size and checksum. */
  received(): Promise<Received>;
}

export async function startServer(): Promise<Server> {
  const { child, first } = await start('server');
  // `as`: the benchmark's server sends both messages.
  const { port } = first as { port: number };
  return {
    origin: `http://127.0.0.1:${port}/`,
    received: async () => ((await receiveMessage(child)) as { received: Received }).received,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** Runs a program to completion. @returns Wall-clock time in ms, and standard output. */
export async function timed(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ ms: number; output: string }> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return { ms: performance.now() - started, output };
}
