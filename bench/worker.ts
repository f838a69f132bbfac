// One peer in a process of its own; the parent says when it may run, so that peers take turns.
import { setTimeout as sleep } from 'node:timers/promises';
import { load, type PeerName } from './peers/index.js';
import type { Peer } from './peers/peer.js';
import type { Task, Told } from './task.js';

async function atATime(count: number, width: number, one: () => Promise<number>): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if ((await one()) !== 1) throw new Error('not the answer that was sent');
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

async function perform(peer: Peer, task: Task): Promise<void> {
  if (task.kind === 'small') {
    await atATime(task.count, task.width, () => peer.small());
    return;
  }
  const { work } = task;
  const busy = work === undefined ? undefined : () => sleep(work);
  for (let crawl = 0; crawl < task.crawls; crawl += 1) {
    const count = await peer.pages(task.kind, busy);
    if (count !== task.items) throw new Error(`${count} of ${task.items} items`);
  }
}

const [name, base] = process.argv.slice(2);
if (name === undefined || base === undefined) throw new Error('usage: worker <peer> <address>');
// The parent gives no name that is not in the list.
const peer = (await load[name as PeerName]())(base);

process.on('message', (task: Task) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  perform(peer, task).then(
    () => {
      const ms = performance.now() - start;
      const used = process.cpuUsage(cpu);
      const told: Told = { ms, cpu: (used.user + used.system) / 1000 };
      process.send?.(told);
    },
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
