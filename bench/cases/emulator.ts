import type { ChildProcess } from 'node:child_process';
import { receiveMessage, start, successors } from '../processes.js';
import { atMost, findRow, type Measured } from '../result.js';
import { interleave, type Turn } from '../rounds.js';
import type { TaskResult } from '../task.js';

/** Compares the emulator with a server that ignores request bodies. */
export async function emulator(rounds: number): Promise<Measured> {
  const ways = {
    'bare server': 'bare',
    'emulator, HTTP': 'socket',
    'emulator, in process': 'dispatcher',
  };
  const take = async (child: ChildProcess): Promise<Turn> => {
    child.send('turn');
    // `as`: the benchmark's program sends this type.
    const { ms, cpu } = (await receiveMessage(child)) as TaskResult;
    return [ms, { 'CPU ms': cpu }];
  };
  const peers = Object.entries(ways).map(([name, way]) => {
    const begin = async () => (await start('children/emulator', [way])).child;
    return { name, ...successors(begin, Number.POSITIVE_INFINITY, 2) };
  });
  const turns = peers.map(({ name, turn }) => [name, () => turn(take)] as const);
  const rows = await interleave(Object.fromEntries(turns), rounds, 0);
  for (const { end } of peers) end();
  const cpu = (name: string): number => findRow(rows, name).more['CPU ms'] ?? Number.NaN;
  const share = (name: string): number => cpu(name) / cpu('bare server');
  return {
    title: 'The emulator',
    about:
      '2000 requests, one at a time: reads, lists, writes and errors. The emulator and the client run in one process, as in a test. The bare server is `node:http` with the same responses, created in advance.',
    unit: 'ms',
    rounds,
    rows,
    goals: [
      atMost(5, share('emulator, HTTP'), 'five times the bare server’s CPU time, over HTTP'),
      atMost(3.5, share('emulator, in process'), '3.5 times the CPU time, in process'),
    ],
  };
}
