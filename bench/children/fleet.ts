// A process in a fleet. Has a client that shares its limits in Redis, and a client that doesn't.
import { subscribe } from 'node:diagnostics_channel';
import { createClient } from 'redis';
import { HostingClient, type HostingClientOptions, RateLimitError } from 'triforge/hosting';
import { redisStore } from 'triforge/redis';
import type { FleetResult, FleetTask } from '../fleet-task.js';

const [baseUrl, maxConcurrency, url] = process.argv.slice(2);
if (baseUrl === undefined) throw new Error('usage: fleet <address> <calls in flight> [redis]');

async function connected(url: string) {
  const redis = createClient({ url });
  redis.on('error', (error: Error) => console.error(error.message));
  await redis.connect();
  // With a short timeout, load on the machine would make the client fall back to local limits.
  return redisStore(redis, { timeout: 5000 });
}

subscribe('triforge:store', () => {
  process.send?.({ error: 'the store did not respond for five seconds' });
});
const options: HostingClientOptions = {
  baseUrl,
  auth: { type: 'token', token: 'x'.repeat(40) },
  ...(maxConcurrency !== 'default' && { maxConcurrency: Number(maxConcurrency) }),
};
const alone = new HostingClient(options);
const shared =
  url && new HostingClient({ ...options, rateLimit: { shared: await connected(url) } });

/** Sends calls, `width` at a time. @returns Duration of each call, in ms. */
async function calls(hosting: HostingClient, count: number, width: number): Promise<number[]> {
  const took: number[] = [];
  const lane = async () => {
    while (count > 0) {
      count -= 1;
      const started = performance.now();
      if ((await hosting.teams.get({ id: 1 })).id !== 1) throw new Error('unexpected response');
      took.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return took;
}

/** Uses up the quotas of all tokens, with a total of `width` concurrent calls. */
async function useUp(tokens: readonly string[], width: number): Promise<number[]> {
  const hosting = shared || alone;
  const clients = tokens.map((token) => hosting.withAuth({ type: 'token', token }));
  const lane = async (client: HostingClient) => {
    try {
      for (;;) await client.teams.get({ id: 1 });
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error;
    }
  };
  const share = width / clients.length;
  await Promise.all(clients.flatMap((client) => Array.from({ length: share }, () => lane(client))));
  return [];
}

process.on('message', (task: FleetTask) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const work =
    task.kind === 'calls'
      ? calls((task.shares && shared) || alone, task.count, task.width)
      : useUp(task.tokens, task.width);
  work.then(
    (took) => {
      const ms = performance.now() - start;
      const used = process.cpuUsage(cpu);
      const sorted = took.toSorted((a, b) => a - b);
      const result: FleetResult = {
        ms,
        cpu: (used.user + used.system) / 1000,
        p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
        p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      };
      process.send?.(result);
    },
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
