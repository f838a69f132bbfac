import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject, onTestFinished } from 'vitest';

export const program = join(inject('programs'), 'src/testing/cli.js');
export const triforge = pathToFileURL(join(inject('programs'), 'src/index.js'));

/** Starts `triforge-emulator`. */
export const start = (...args: readonly string[]) =>
  follow(spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }));

/** Collects the output of a process that runs `triforge-emulator`. */
export function follow(child: ChildProcess) {
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const url = /(https?:\S+)\/_emulator/.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
    child.once('close', () => reject(new Error(`the program exited with the output: ${output}`)));
  });
  ready.catch(() => undefined); // Only some tests wait for this promise.
  return { child, ended, ready, readOutput: () => output };
}
