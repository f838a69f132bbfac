import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Received } from './sink.js';

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));
// Below the root, so that `triforge/hosting` is the built package; ignored by git.
const folder = `${root}reports/bench/`;

/** Makes plain JavaScript of the processes: a TypeScript loader in them would be measured too. */
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
    // Its paths point to src/, and what is measured is what is published.
    tsconfigRaw: {},
  });
}

/** The path of a prepared program: `children/crawl`. */
export function program(name: string): string {
  return `${folder}${name}.mjs`;
}

/** Forks a prepared program and waits for the first thing that it tells. */
export async function start(
  name: string,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; first: unknown }> {
  const child = fork(program(name), args, { execArgv: [] });
  const first: unknown = await heard(child);
  return { child, first };
}

/**
 * Processes of one kind, one after the other: the luck that one has with the compiler and the heap is in
 * all that it does, and is not to be in all turns of a case.
 * @param turns that a process takes before another takes over.
 * @param warmUps turns of each before those, which are not counted.
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

/** The next message of a child. @throws an error if it ends, or tells of one. */
export async function heard(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const end = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  end.catch(() => undefined);
  const message = once(child, 'message', { signal: ended.signal }).then(([told]) => told);
  message.catch(() => undefined);
  try {
    const told: unknown = await Promise.race([message, end]);
    if (typeof told === 'object' && told !== null && 'error' in told) {
      throw new Error(String(told.error));
    }
    return told;
  } finally {
    ended.abort();
  }
}

/** The server, running. */
export interface Server extends AsyncDisposable {
  /** `http://127.0.0.1:1234/` */
  readonly origin: string;
  /** What the next upload turned out to be. */
  received(): Promise<Received>;
}

export async function startServer(): Promise<Server> {
  const { child, first } = await start('server');
  // Both come from our own server.
  const { port } = first as { port: number };
  return {
    origin: `http://127.0.0.1:${port}/`,
    received: async () => ((await heard(child)) as { received: Received }).received,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** Runs a program to its end. @returns wall-clock milliseconds and its standard output. */
export async function timed(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ ms: number; output: string }> {
  const begun = performance.now();
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
  return { ms: performance.now() - begun, output };
}
