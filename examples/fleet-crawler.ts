// Crawl an organization with several processes
//
// Workers read the members of all teams, and share the rate limit and a cache in Redis. They store each page together
// with the cursor of the next page, in one transaction. If you kill a worker, another worker takes over its team
// within 10 s. If you kill all workers and start again with the same name, the workers don't read stored pages again.
// You can run workers on several machines. [Fleets](../docs/fleets.md) explains which limits the workers share.
//
//     npm install redis
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/fleet-crawler.ts acme 4 monday
import cluster from 'node:cluster';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { HostingClient } from 'triforge';
import { redisStore } from 'triforge/redis';

const [org = 'acme', workers = '4', name = 'first'] = process.argv.slice(2);
const key = (what: string) => `crawl:{${org}:${name}}:${what}`;
const [me, lease, end] = [`${hostname()}:${process.pid}`, 5000, 'end'];
const redis = createClient({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' });
redis.on('error', (error) => console.error(error.message));

/** Stores a team's remaining pages. @returns false if another worker has claimed the team. */
async function crawl(hosting: HostingClient, id: number): Promise<boolean> {
  const [claim, expiration] = [key(`claim:${id}`), { type: 'PX', value: lease } as const];
  if (!(await redis.set(claim, me, { condition: 'NX', expiration }))) return false;
  const beat = setInterval(() => redis.pExpire(claim, lease), lease / 5);
  let from = (await redis.hGet(key('next'), `${id}`)) ?? undefined;
  const list = hosting.teams.listMembers({ id, per_page: 100 }, { from });
  for await (const { items, cursor = end } of from === end ? [] : list.pages()) {
    const page = JSON.stringify({ by: me, members: items.map(({ login }) => login) });
    const step = redis.multi().hSetNX(key('pages'), `${id} ${from ?? 'start'}`, page);
    await step.hSet(key('next'), id, cursor).exec();
    from = cursor;
  }
  clearInterval(beat);
  await redis.del(claim);
  return true;
}

async function work(): Promise<void> {
  const store = redisStore(redis, { key: process.env.STORE_KEY });
  const rateLimit = { onLimit: 'wait', shared: store } as const;
  await using hosting = HostingClient.fromEnv({ rateLimit, maxConcurrency: 16, cache: { store } });
  const left = new Set(await hosting.teams.list({ org, per_page: 100 }).toArray());
  for (; left.size > 0; await sleep(500)) {
    for (const team of left) if (await crawl(hosting, team.id)) left.delete(team);
  }
}

async function lead(): Promise<void> {
  const forks = Array.from({ length: Number(workers) }, () => once(cluster.fork(), 'exit'));
  const ends = await Promise.all(forks);
  const stored = await redis.hVals(key('pages'));
  const pages: { by: string; members: string[] }[] = stored.map((page) => JSON.parse(page));
  for (const worker of new Set(pages.map(({ by }) => by))) {
    const own = pages.filter(({ by }) => by === worker);
    const members = own.flatMap((page) => page.members);
    console.log(`${worker}: ${own.length} pages, ${members.length} members`);
  }
  if (!ends.some(([code]) => code === 0)) throw new Error('Some pages were not read. Start again.');
}

await redis.connect();
await (cluster.isPrimary ? lead() : work());
await redis.close();
cluster.worker?.disconnect();
