// Runs a peer in a separate process. The parent starts each turn, so the peers take turns.
import { load, type PeerName } from './peers/index.js';
import { perform } from './perform.js';
import type { Task, TaskResult } from './task.js';

const [name, base] = process.argv.slice(2);
if (name === undefined || base === undefined) throw new Error('usage: worker <peer> <address>');
// `as`: the parent passes only names of peers.
const peer = (await load[name as PeerName]())(base);

process.on('message', (task: Task) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  perform(peer, task).then(
    () => {
      const ms = performance.now() - start;
      const used = process.cpuUsage(cpu);
      const result: TaskResult = { ms, cpu: (used.user + used.system) / 1000 };
      process.send?.(result);
    },
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
