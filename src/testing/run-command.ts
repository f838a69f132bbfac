import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with inherited input and output. Except for `TRIFORGE_LOG`, the command doesn't
 * inherit `TRIFORGE_*` variables.
 * @param env variables to add to the environment.
 * @returns the command's exit code.
 */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  // The command must not use a real server's credentials or proxies with the emulator.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('TRIFORGE_') || name === 'TRIFORGE_LOG',
  );
  const child = spawn(program, args, {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: 'inherit',
  });
  for (const signal of signals) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the command too. Many programs end immediately when they receive
      // a second SIGINT.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
