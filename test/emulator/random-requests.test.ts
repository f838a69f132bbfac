import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { byExtent, seeds } from '../support/extent.js';
import type { FuzzRun } from './random-requests.js';

const count = byExtent(500, 500, 100_000);

async function run(seed: number): Promise<FuzzRun> {
  const program = join(inject('programs'), 'test/emulator/random-requests.js');
  // With a small heap, V8 collects garbage before it allocates more memory.
  const execArgv = ['--max-old-space-size=96', '--max-semi-space-size=4'];
  const child = fork(program, [String(seed), String(count)], { execArgv });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the program ended with ${code}`);
  });
  try {
    // `as`: the program sends a single message of this type.
    const [outcome] = (await Promise.race([once(child, 'message'), ended])) as [FuzzRun];
    return outcome;
  } finally {
    // `onTestFinished` can't end the process, because the callback may run for another concurrent
    // test.
    child.kill();
  }
}

test.concurrent.each(seeds(3))(
  `the emulator handles ${count} random requests without failures (seed %i)`,
  async (seed) => {
    const { statuses, failures, megabytes } = await run(seed);
    expect(failures).toEqual([]);
    for (const status of [200, 201, 400, 401, 404, 422]) {
      expect(statuses[status], `responses with ${status}`).toBeGreaterThan(0);
    }
    expect(megabytes).toBeLessThan(200);
  },
);
