import { setTimeout as sleep } from 'node:timers/promises';
import type { Peer } from './peers/peer.js';
import type { Task } from './task.js';

async function atATime(count: number, width: number, one: () => Promise<number>): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if ((await one()) !== 1) throw new Error('unexpected response');
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Performs a task and checks the result. */
export async function perform(peer: Peer, task: Task): Promise<void> {
  if (task.kind === 'small') {
    await atATime(task.count, task.width, () => peer.small());
    return;
  }
  const { work, concurrency } = task;
  const busy = work === undefined ? undefined : () => sleep(work);
  for (let crawl = 0; crawl < task.crawls; crawl += 1) {
    const count = await peer.pages(task.kind, busy, concurrency);
    if (count !== task.items) throw new Error(`${count} of ${task.items} items`);
  }
}
