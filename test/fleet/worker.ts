// A fleet process, which performs its work and reports the results to the parent process.
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { HostingClient } from '../../src/hosting/client.js';
import type { RequestPolicy } from '../../src/public.js';
import { redisStore } from '../../src/redis/index.js';
import { SupportClient } from '../../src/support/client.js';

/** Work that the parent process sends to a worker. */
export interface Work {
  readonly kind: 'budget' | 'lists' | 'session' | 'writes';
  readonly redis: string;
  readonly library: 'redis' | 'ioredis';
  readonly origin: string;
  readonly tokens: readonly string[];
  /** Number of concurrent calls. */
  readonly lanes: number;
  /** Total number of calls. With `budget`, the maximum number. */
  readonly calls: number;
  readonly maxConcurrency: number | undefined;
  readonly timeout: number;
  /** Time in ms between writes. Default: the client's default. */
  readonly writeInterval?: number;
}

/** Results that a worker reports when it ends. */
export interface Done {
  /** IDs of the calls that succeeded. */
  readonly responses: readonly string[];
  /** Error codes of the calls that failed. */
  readonly failed: readonly string[];
}

export const key = 'a key that all processes of the fleet know';

async function connected({ library, redis }: Work) {
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

/** Policy that adds each request's start time, on the machine's clock, as a header. */
const sendTime: RequestPolicy = (next) => (request, context) => {
  const headers = {
    ...request.headers,
    'x-started': `${performance.timeOrigin + performance.now()}`,
  };
  return next({ ...request, headers }, context);
};

async function perform(work: Work): Promise<Done> {
  const store = redisStore(await connected(work), { key, timeout: work.timeout });
  const [responded, failed]: [string[], string[]] = [[], []];
  const hosting = new HostingClient({
    baseUrl: `${work.origin}/api/v3`,
    rateLimit: { shared: store, writeInterval: work.writeInterval },
    maxConcurrency: work.maxConcurrency,
    policies: [sendTime],
    ...(work.kind === 'lists' && { cache: { store } }),
  });
  const support = new SupportClient({
    baseUrl: `${work.origin}/api/v2`,
    auth: { userName: 'u', apiKey: 'k', password: 'p' },
    session: { store },
  });
  const clients = work.tokens.map((token) => hosting.withAuth({ type: 'token', token }));
  let next = 0;
  const one = async (at: number) => {
    const id = `${process.pid}-${at}`;
    if (work.kind === 'session') await support.me();
    else if (work.kind === 'writes')
      await clients[0]?.request({ method: 'POST', path: `/x?id=${id}` });
    else if (work.kind === 'lists') await clients[0]?.request({ path: `/list/${at}` });
    else await clients[at % clients.length]?.request({ path: `/x?id=${id}` });
    responded.push(id);
  };
  const lane = async () => {
    while (next < work.calls) {
      try {
        await one(next++);
      } catch (error) {
        failed.push(error instanceof Error && 'code' in error ? String(error.code) : String(error));
        if (work.kind === 'budget') return;
      }
    }
  };
  await Promise.all(Array.from({ length: work.lanes }, lane));
  await hosting.close();
  await support.close();
  return { responses: responded, failed };
}

process.on('message', (work: Work) => {
  perform(work).then(
    (done) => process.send?.(done, () => process.exit()),
    (error: unknown) =>
      process.send?.({ responses: [], failed: [String(error)] }, () => process.exit(1)),
  );
});
process.send?.('ready');
