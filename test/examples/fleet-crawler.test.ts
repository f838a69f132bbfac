import { createClient } from 'redis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { until } from '../support/client.js';
import { engine, noEngine, RedisServer } from '../support/redis-server.js';
import { startExample } from './run-example.js';

const { owner } = seeded;
const crawl = `crawl:{${owner}:monday}`;

/** Starts Redis and an emulator that has a team with three pages of members. The returned `start()` runs the example. */
async function world() {
  const emulator = createEmulator();
  const redis = await RedisServer.start();
  const client = createClient({ url: redis.url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(async () => {
    client.destroy();
    await redis[Symbol.asyncDispose]();
    await emulator.close();
  });
  const members = Array.from({ length: 250 }, (_, at) => `member-${at}`);
  for (const login of members) emulator.hosting.addUser(login);
  const { id } = emulator.hosting.addTeam(owner, 'Everybody', { members });
  const { hostingUrl } = await emulator.listen();
  const env = { TRIFORGE_BASE_URL: hostingUrl, TRIFORGE_TOKEN: seeded.token, REDIS_URL: redis.url };
  const start = () => {
    const running = startExample('fleet-crawler', env, [owner, '3', 'monday']);
    onTestFinished(() => running.kill());
    return running;
  };
  return { emulator, client, id, start };
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('fleet-crawler', () => {
  test('fleet-crawler stores each page only once even if workers are killed', async () => {
    const { emulator, client, id, start } = await world();
    const teams = [...emulator.hosting.state.teams.values()].filter(({ org }) => org === owner);
    const big = { path: `/teams/${id}/members`, query: { page: '2' } };
    const stuck = () =>
      emulator.requests.filter(({ path, status }) => path.includes(big.path) && status === 0)
        .length;
    emulator.fail(big, { kind: 'hang' }, { times: 2 });

    const first = start();
    await until('a worker waits for the second page of the big team', () => stuck() === 1);
    const has = (field: string) => client.hExists(`${crawl}:pages`, `${id} ${field}`);
    await until("the team's first page is stored", async () => (await has('start')) === 1);
    const claim = await client.get(`${crawl}:claim:${id}`);
    process.kill(Number(claim?.split(':')[1]), 'SIGKILL');
    await until('another worker waits for the page', () => stuck() === 2);
    expect(await client.get(`${crawl}:claim:${id}`), 'another worker').not.toBe(claim);
    const count = () => client.hLen(`${crawl}:pages`);
    await until('a page of each team is stored', async () => (await count()) === teams.length);
    first.kill();
    await first.ended;

    const second = await start().ended;
    expect(second.code, second.stderr).toBe(0);
    const stored = Object.entries(await client.hGetAll(`${crawl}:pages`));
    const pages = stored.map(([field, text]): [string, string, string[]] => {
      const { by, members } = JSON.parse(text);
      return [field.split(' ')[0] ?? '', by, members];
    });
    for (const team of teams) {
      const logins = pages.flatMap(([of, , members]) => (of === `${team.id}` ? members : []));
      expect(new Set(logins), team.name).toEqual(team.members);
      expect(logins, `${team.name}: no member twice`).toHaveLength(team.members.size);
    }
    const responded = emulator.requests.filter(
      ({ path, status }) => path.includes('/members') && status === 200,
    );
    expect(new Set(responded.map(({ path }) => path)).size).toBe(responded.length);
    expect(responded).toHaveLength(stored.length);

    const reported = second.stdout.trimEnd().split('\n');
    const expected = [...new Set(pages.map(([, by]) => by))].map((worker) => {
      const own = pages.filter(([, by]) => by === worker);
      return `${worker}: ${own.length} pages, ${own.flatMap(([, , each]) => each).length} members`;
    });
    expect(new Set(reported)).toEqual(new Set(expected));
    expect(reported.join('\n'), 'pages that the killed worker stored').toContain(`${claim}: `);
  });
});
