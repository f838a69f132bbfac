import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerLedger, ServerMessage, ServerOrder } from './protocol.js';

/** The server of a run, in a process of its own. */
export interface ServerProcess {
  readonly origin: string;
  /** Connections that are open now. */
  connections(): Promise<number>;
  /** Waits until nothing comes in any more, and gives what the server counted. */
  ledger(): Promise<ServerLedger>;
  stop(): Promise<void>;
}

/** Starts the server. @throws an error where it ends before it listens. */
export async function startServer(order: ServerOrder): Promise<ServerProcess> {
  const child = fork(
    fileURLToPath(new URL('server.ts', import.meta.url)),
    [JSON.stringify(order)],
    { execArgv: ['--import', 'tsx'], serialization: 'advanced' },
  );
  const first = await messageOf(child, 'listening');
  return {
    origin: `http://127.0.0.1:${first.port}`,
    connections: async () => {
      child.send('connections');
      return (await messageOf(child, 'connections')).open;
    },
    ledger: async () => {
      child.send('ledger');
      return (await messageOf(child, 'ledger')).ledger;
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function messageOf<Kind extends ServerMessage['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<ServerMessage, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the server ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      // `as`: our own server wrote it, in the order that it is asked.
      const said = message as ServerMessage;
      const isAsked = (each: ServerMessage): each is Extract<ServerMessage, { kind: Kind }> =>
        each.kind === kind;
      if (isAsked(said)) resolve(said);
      else reject(new Error(`the server said ${said.kind} instead of ${kind}`));
    });
  });
}
