// Simulates many processes with many clients, each of which has its own connection to Redis. Calls get their
// responses from memory, so the measurement shows only the load on Redis.
import { createClient } from 'redis';
import { HostingClient } from 'triforge/hosting';
import { redisStore } from 'triforge/redis';
import { Dispatcher } from 'undici';
import { type Load, latency } from '../fleet-task.js';

const [url, count] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: fleet-load <redis> <clients>');

const body = Buffer.from('{"id":1}');
const reset = `${Math.ceil(Date.now() / 1000) + 3600}`;

/** Responds from memory, and reports the remaining quota. */
class InMemory extends Dispatcher {
  constructor(readonly remaining: number) {
    super();
  }

  override dispatch(_options: unknown, handler: Dispatcher.DispatchHandler): boolean {
    const controller: Dispatcher.DispatchController = {
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: [],
      rawTrailers: [],
      abort: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
    };
    handler.onRequestStart?.(controller, {});
    const headers = {
      'x-ratelimit-limit': `${this.remaining}`,
      'x-ratelimit-remaining': `${this.remaining}`,
      'x-ratelimit-reset': reset,
    };
    setTimeout(() => {
      handler.onResponseStart?.(controller, 200, headers, 'OK');
      handler.onResponseData?.(controller, body);
      handler.onResponseEnd?.(controller, {});
    }, latency);
    return true;
  }
}

const stores = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const redis = createClient({ url });
    redis.on('error', (error: Error) => console.error(error.message));
    await redis.connect();
    return redisStore(redis, { timeout: 20_000 });
  }),
);

/** Starts the clients, each with one call at a time. @returns A function that counts the new responses. */
function begin({ token, remaining, interval, maxConcurrency }: Load): () => number {
  const dispatcher = new InMemory(remaining);
  let responded = 0;
  for (const shared of stores) {
    const hosting = new HostingClient({
      baseUrl: 'http://127.0.0.1/',
      auth: { type: 'token', token },
      rateLimit: { shared },
      maxConcurrency: maxConcurrency ?? Number.POSITIVE_INFINITY,
      dispatcher,
    });
    let isBusy = false;
    const call = async () => {
      if (isBusy) return;
      isBusy = true;
      await hosting.request({ path: '/x' });
      isBusy = false;
      responded += 1;
    };
    const onError = (error: unknown) => process.send?.({ error: String(error) });
    setTimeout(() => {
      setInterval(() => void call().catch(onError), interval);
    }, Math.random() * interval);
  }
  return () => {
    const since = responded;
    responded = 0;
    return since;
  };
}

let countCalls = () => 0;
process.on('message', (message: Load | 'tell') => {
  if (message === 'tell') process.send?.(countCalls());
  else {
    countCalls = begin(message);
    process.send?.(0);
  }
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
