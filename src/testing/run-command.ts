import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  const group = new ProcessGroup();
  for (const signal of signals) {
    process.on(signal, () => {
      void group.hasReceived(signal).then((received) => received || child.kill(signal));
    });
  }
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
      });
    });
  } finally {
    group.close();
  }
}

/**
 * Detects whether a signal was sent to this process alone or to its whole group. A terminal sends
 * Ctrl-C to the group, so the command has already received it. Many programs stop immediately when
 * they receive a second Ctrl-C. The system doesn't report which processes received a signal. A
 * witness process in the same group therefore echoes its input until a signal to the group ends it.
 */
class ProcessGroup {
  #witness = startWitness();

  /** Returns whether the signal that was just received went to the whole group. */
  async hasReceived(signal: NodeJS.Signals): Promise<boolean> {
    const witness = this.#witness;
    // Windows has no signals to forward, because Ctrl-C reaches all programs in the console.
    if (!witness) return process.platform === 'win32';
    // If the witness process could not be started, assume that only this process received the
    // signal.
    if (witness.pid === undefined) return false;
    const ended = once(witness, 'exit').then(() => true);
    const echoed = once(witness.stdout, 'data').then(() => false);
    witness.stdin.write('\n');
    const running = witness.exitCode === null && witness.signalCode === null;
    const received = running ? await Promise.race([ended, echoed]) : witness.signalCode === signal;
    if (!received && running) return false;
    if (witness === this.#witness) this.#witness = startWitness();
    return received;
  }

  close(): void {
    this.#witness?.kill();
    this.#witness = undefined;
  }
}

function startWitness() {
  if (process.platform === 'win32') return undefined;
  const witness = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] });
  witness.on('error', () => undefined);
  witness.stdin.on('error', () => undefined);
  return witness;
}
