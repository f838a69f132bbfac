import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import type { Done, Work } from './worker.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles the worker program, because tsx takes longer to start than a worker runs. */
export async function compileWorker(): Promise<{ readonly path: string; remove(): void }> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fleet-'));
  const path = join(folder, 'worker.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/fleet/worker.ts'],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

/** Worker processes that wait for work. */
export class Fleet {
  readonly #children: ChildProcess[];

  private constructor(children: ChildProcess[]) {
    this.#children = children;
  }

  /** Starts all processes and kills them when the test ends. */
  static async start(program: string, count: number): Promise<Fleet> {
    const children = Array.from({ length: count }, () => fork(program, { execArgv: [] }));
    onTestFinished(() => {
      for (const child of children) child.kill('SIGKILL');
    });
    await Promise.all(children.map((child) => once(child, 'message')));
    return new Fleet(children);
  }

  /**
   * Sends work to all processes. @returns Each process's results, or undefined for a killed process.
   */
  work(work: Omit<Work, 'library'>): Promise<(Done | undefined)[]> {
    return Promise.all(
      this.#children.map(async (child, at) => {
        const ended = once(child, 'exit').then(() => undefined);
        const message = once(child, 'message').then(([done]: Done[]) => done);
        // Half of the processes use redis, and the other half uses ioredis.
        const library = at % 2 === 0 ? 'redis' : 'ioredis';
        child.send({ ...work, library });
        return await Promise.race([message, ended]);
      }),
    );
  }

  /** Sends a signal to one process. */
  signal(at: number, signal: NodeJS.Signals): void {
    this.#children[at]?.kill(signal);
  }
}
