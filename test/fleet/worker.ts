// A process of a fleet. It performs its work and reports the results to the parent process.
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { HostingClient } from '../../src/hosting/index.js';
import { redisStore } from '../../src/redis/index.js';
import { key } from './key.js';

/** Work that the parent process sends to a worker. */
export interface Work {
  /** Redis URL. Without it, the process doesn't share its limits. */
  readonly redis: string | undefined;
  readonly library: 'redis' | 'ioredis';
  readonly origin: string;
  /** Number of concurrent loops, each of which makes one call at a time. */
  readonly lanes: number;
  /** Number of calls that all lanes make together. */
  readonly calls: number;
  /** Time in ms between two calls of a lane. Default: 0. */
  readonly gap?: number;
  /** Time in ms by which the process's system clock jumps ahead after the first call. Default: 0. */
  readonly clockJump?: number;
}

/** Results that a worker reports when it ends. */
export interface Done {
  /** Error codes of the calls that failed. */
  readonly failed: readonly string[];
  /** Longest time in ms that a call took. */
  readonly longest: number;
}

async function connect({ library, redis }: Work & { redis: string }) {
  if (library === 'ioredis') {
    const client = new Redis(redis);
    client.on('error', () => undefined);
    return client;
  }
  const client = createClient({ url: redis });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function perform(work: Work): Promise<Done> {
  const { redis } = work;
  const shared =
    redis === undefined ? undefined : redisStore(await connect({ ...work, redis }), { key });
  const hosting = new HostingClient({
    baseUrl: `${work.origin}/api/v3`,
    auth: { type: 'token', token: 'one' },
    rateLimit: { onLimit: 'wait', shared },
    validation: 'off',
  });
  const failed: string[] = [];
  let [next, longest] = [0, 0];
  const lane = async () => {
    while (next < work.calls) {
      next++;
      const began = performance.now();
      try {
        await hosting.pulls.get({ owner: 'o', repo: `${process.pid}`, number: next });
      } catch (error) {
        failed.push(error instanceof Error && 'code' in error ? String(error.code) : String(error));
      }
      longest = Math.max(longest, performance.now() - began);
      if (work.clockJump && next === work.lanes + 1) {
        const { now } = Date;
        const { clockJump } = work;
        Date.now = () => now() + clockJump;
      }
      if (work.gap) await new Promise((resolve) => setTimeout(resolve, work.gap));
    }
  };
  await Promise.all(Array.from({ length: work.lanes }, lane));
  await hosting.close();
  return { failed, longest };
}

process.on('message', (work: Work) => {
  perform(work).then(
    (done) => process.send?.(done, () => process.exit()),
    (error: unknown) =>
      process.send?.({ failed: [String(error)], longest: 0 }, () => process.exit(1)),
  );
});
process.send?.('ready');
