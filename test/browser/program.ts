import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Program that runs a server until `stop` is called. */
export interface Served {
  readonly url: string;
  stop(): void;
}

/**
 * Starts a Node.js program in the repository's root and waits until it has printed a URL.
 * @throws {Error} with the program's output if the program ends before it prints a URL.
 */
export function serve(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let written = '';
    const read = (text: string) => {
      written += text;
      const [url] = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(written) ?? [];
      if (url !== undefined) resolve({ url, stop: () => child.kill() });
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`${args.join(' ')} ended with ${code} before it served:\n${written}`));
    });
  });
}
