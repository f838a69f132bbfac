import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import * as ioredis6 from 'ioredis';
import * as redis6 from 'redis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HostingClient } from '../../src/hosting/client.js';
import type { RedisClient } from '../../src/redis/client.js';
import { redisStore } from '../../src/redis/index.js';
import { SupportClient } from '../../src/support/client.js';
import { until } from '../support/client.js';
import { connectRedis, engine, noEngine, RedisServer, useRedis } from '../support/redis-server.js';
import { sendJson, serve } from '../support/server.js';

const { createClient } = redis6;
const require = createRequire(import.meta.url);
/** Both major versions of each Redis client in the peer ranges of package.json. */
const nodeRedisMajors: [string, typeof redis6][] = [
  ['redis 6', redis6],
  ['redis 5', require('redis-5')],
];
const ioredisMajors: [string, typeof ioredis6][] = [
  ['ioredis 6', ioredis6],
  ['ioredis 5', require('ioredis-5')],
];

const key = 'a key that all processes of the fleet know';
const token = 'secret-token-of-the-hosting-api';
const auth = { userName: 'secret-user', apiKey: 'secret-api-key', password: 'secret-password' };

/** Serves the hosting and support APIs with a rate limit of 1000, validators and sessions. */
function service() {
  let used = 0;
  const reset = `${Math.ceil(Date.now() / 1000) + 3600}`;
  return serve((request, response) => {
    const { url, headers } = request;
    if (url.endsWith('/authenticate')) {
      response.end('{"success":true,"access_token":"secret-session-token"}');
      return;
    }
    if (url.includes('/me')) {
      response.end('{"success":true,"logged_in":true}');
      return;
    }
    const fields = {
      etag: `"${url.length}"`,
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': `${1000 - ++used}`,
      'x-ratelimit-reset': reset,
    };
    if (headers['if-none-match'] === fields.etag) response.writeHead(304, fields).end();
    else sendJson(response, { text: 'x'.repeat(3000) }, 200, fields);
  });
}

/** Uses a store's limits, cache and session. */
async function useAll(client: RedisClient) {
  const server = await service();
  const store = redisStore(client, { key, timeout: 20_000 });
  const lines: string[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (line: string) => lines.push(line) };
  const hosting = new HostingClient({
    baseUrl: `${server.origin}/api/v3`,
    auth: { type: 'token', token },
    rateLimit: { shared: store },
    cache: { store },
    maxConcurrency: 8,
    log,
  });
  const support = new SupportClient({
    baseUrl: `${server.origin}/api/v2`,
    auth,
    session: { store },
    log,
  });
  const paths = Array.from({ length: 40 }, (_, at) => `/x/${at % 20}`);
  await Promise.all(paths.map((path) => hosting.request({ path })));
  await support.me();
  await hosting.close();
  await support.close();
  return { lines, server, store };
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();
  const nodeRedis = () => connectRedis(redis.server.url);

  it.each(nodeRedisMajors)(
    'redisStore stores limits, cached responses and a session through %s without a warning',
    async (_name, { createClient }) => {
      const client = createClient({ url: redis.server.url });
      client.on('error', () => undefined);
      await client.connect();
      onTestFinished(() => client.destroy());
      expect((await useAll(client)).lines).toEqual([]);
    },
  );

  it.each(ioredisMajors)(
    'redisStore stores limits, cached responses and a session through %s, even after SCRIPT FLUSH',
    async (_name, { Redis }) => {
      const client = new Redis(redis.server.url);
      onTestFinished(() => client.disconnect());
      expect((await useAll(client)).lines).toEqual([]);
      await client.script('FLUSH');
      const { lines, server } = await useAll(client);
      expect(lines).toEqual([]);
      // Each of the 20 paths is requested twice, and the second request is conditional.
      expect(server.requests.filter(({ headers }) => headers['if-none-match']).length).toBe(20);
    },
  );

  it.each(
    ioredisMajors.flatMap(([name, { Redis }]) =>
      [
        { enableAutoPipelining: true },
        { enableAutoPipelining: true, keyPrefix: 'app:' },
        { keyPrefix: '{app}:', showFriendlyErrorStack: true, stringNumbers: true },
      ].map((options) => [name, JSON.stringify(options), Redis, options] as const),
    ),
  )(
    'redisStore stores limits, cached responses and a session through %s with the options %s',
    async (name, shown, Redis, options) => {
      const client = new Redis(redis.server.url, options);
      onTestFinished(() => client.disconnect());
      const { lines, store } = await useAll(client);
      expect(lines).toEqual([]);
      const { keyPrefix = '' } = options;
      const names = await (await nodeRedis()).keys(`${keyPrefix}triforge:*`);
      expect(names.length).toBeGreaterThan(5);
      const delivery = `of ${name} ${shown}`;
      expect(await store.claimDelivery(delivery, 'one', 60_000)).toBe('granted');
      expect(await store.claimDelivery(delivery, 'two', 60_000)).toBe('running');
    },
  );

  it.each([...nodeRedisMajors, ...ioredisMajors])(
    'redisStore needs only the Redis permissions from the fleets guide (%s)',
    async (_name, library) => {
      const admin = await nodeRedis();
      const guide = readFileSync(new URL('../../docs/fleets.md', import.meta.url), 'utf8');
      const rights = [...guide.matchAll(/^ACL (SETUSER .+)$/gm)].map(([, line = '']) => line);
      expect(rights).toHaveLength(2);
      // Permissions from an earlier test must not remain.
      await admin.sendCommand(['ACL', 'DELUSER', 'triforge']);
      for (const line of rights) await admin.sendCommand(['ACL', ...line.split(' ')]);
      const cluster = /`(\+cluster.+?)`/.exec(guide)?.[1] ?? '';
      expect(cluster).toContain('+readonly');
      await admin.sendCommand(['ACL', 'SETUSER', 'another', ...cluster.split(' ')]);
      const url = redis.server.url.replace('//', '//triforge:password@');
      if ('Redis' in library) {
        const limited = new library.Redis(url);
        onTestFinished(() => limited.disconnect());
        expect((await useAll(limited)).lines).toEqual([]);
        await expect(limited.get('other:key')).rejects.toThrow('NOPERM');
        return;
      }
      const limited = library.createClient({ url });
      limited.on('error', () => undefined);
      await limited.connect();
      onTestFinished(() => limited.destroy());
      expect((await useAll(limited)).lines).toEqual([]);
      await expect(limited.get('other:key')).rejects.toThrow('NOPERM');
    },
  );

  it("redisStore doesn't expose secrets to MONITOR or --bigkeys", async () => {
    const cli = engine?.replace(/server$/, 'cli') ?? '';
    const monitor = spawn(cli, ['-p', `${redis.server.port}`, 'MONITOR']);
    onTestFinished(() => void monitor.kill());
    let seen = '';
    monitor.stdout.setEncoding('latin1').on('data', (text: string) => {
      seen += text;
    });
    await until('MONITOR is running', () => seen.includes('OK'));
    const client = await nodeRedis();
    await useAll(client);
    await client.set('end', 'of-the-test');
    await until('MONITOR has shown all commands', () => seen.includes('of-the-test'));
    const { stdout } = await promisify(execFile)(cli, ['-p', `${redis.server.port}`, '--bigkeys']);
    expect(stdout).toContain('triforge:');
    for (const text of [seen, stdout]) {
      expect(text).not.toMatch(/secret-|\/x\/|127\.0\.0\.1:\d+\/api/);
      for (const secret of [token, ...Object.values(auth), 'secret-session-token']) {
        expect(text).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
      }
    }
  });

  it("the names of Redis keys depend on redisStore's secret key", async () => {
    const client = await nodeRedis();
    const namesUnder = async (secret: string) => {
      await client.flushAll();
      const store = redisStore(client, { key: secret, timeout: 20_000 });
      await store.acquireLock('lock', 'owner', 60_000);
      const body = Buffer.from('body');
      await store.set('entry', { url: 'u', statusText: 'OK', headers: {}, body, digest: 'd' });
      await store.saveSession('account', { accessToken: 'token', lifetime: 60_000 });
      const asks = { reported: undefined, since: undefined, held: 0, need: 1, want: 1, waiters: 0 };
      const budgets = [{ key: 'a credential', ...asks }];
      const slots = { capacity: 1, held: 0, want: 1 };
      const starts = [
        { key: 'an interval', interval: 100, since: undefined, want: 1, late: undefined },
      ];
      const report = { holder: 'h', lease: 60_000, pause: 1000, slots, budgets, starts };
      await store.exchange('scope', report);
      // These two keys belong to a part of the cache, not to an entry.
      return new Set((await client.keys('*')).filter((name) => !/:(ages|entries)$/.test(name)));
    };
    const names = await namesUnder(key);
    expect(names.size).toBeGreaterThan(6);
    expect(await namesUnder(key)).toEqual(names);
    const others = await namesUnder('another key, of other processes, as long');
    expect([...others].filter((name) => names.has(name))).toEqual([]);
  });

  it('redisStore stays within maxBytes by evicting the least recently used entries', async () => {
    const client = await nodeRedis();
    await client.flushAll();
    const store = redisStore(client, { prefix: 'small:', maxBytes: 16 * 20_000, timeout: 20_000 });
    const bodies = Array.from({ length: 300 }, () => randomBytes(4000));
    const entry = (body: Buffer) => ({
      url: 'u',
      statusText: 'OK',
      headers: {},
      body,
      digest: 'd',
    });
    for (const [at, body] of bodies.entries()) await store.set(`entry ${at}`, entry(body));
    let bytes = 0;
    for (const name of await client.keys('small:c:*:entries')) {
      for (const field of await client.hKeys(name)) {
        bytes += Number(await client.sendCommand(['HSTRLEN', name, field]));
      }
    }
    expect(bytes).toBeLessThanOrEqual(16 * 20_000);
    expect(bytes).toBeGreaterThan(16 * 5000);
    expect(await store.get('entry 299')).toMatchObject({ url: 'u', body: bodies[299] });
    expect(await store.get('entry 0')).toBeUndefined();
    await store.delete('entry 299');
    expect(await store.get('entry 299')).toBeUndefined();
  });

  it('redisStore rejects an unknown client, a short key, and an invalid prefix or timeout', () => {
    // @ts-expect-error: not a Redis client
    expect(() => redisStore({})).toThrow(
      'client: must be a client, cluster or Sentinel client of redis 5 or 6, or of ioredis 5 or 6',
    );
    const client = { sendCommand: async () => null };
    expect(() => redisStore(client, { key: 'short' })).toThrow(
      'key: must be a string or Uint8Array of at least 32 bytes',
    );
    expect(() => redisStore(client, { prefix: '{a}' })).toThrow('prefix: ');
    expect(() => redisStore(client, { timeout: 0 })).toThrow('timeout: ');
  });
});

describe.skipIf(!engine)('redisStore on a cluster of three nodes', () => {
  let nodes: RedisServer[];
  beforeAll(async () => {
    const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '20000'];
    nodes = await Promise.all([0, 1, 2].map(() => RedisServer.start(...options)));
    const [first] = nodes;
    for (const [at, node] of nodes.entries()) {
      const client = createClient({ url: node.url });
      await client.connect();
      const from = Math.floor((at * 16384) / 3);
      const to = Math.floor(((at + 1) * 16384) / 3) - 1;
      await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${to}`]);
      await client.sendCommand(['CLUSTER', 'SET-CONFIG-EPOCH', `${at + 1}`]);
      if (first && at > 0)
        await client.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', `${first.port}`]);
      client.destroy();
    }
    for (const node of nodes) {
      const client = createClient({ url: node.url });
      await client.connect();
      await until('the cluster is ready', async () => {
        const info = String(await client.sendCommand(['CLUSTER', 'INFO']));
        return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
      });
      client.destroy();
    }
  });
  afterAll(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });

  it.each(ioredisMajors)(
    'redisStore stores limits, cached responses and a session through a cluster client of %s',
    async (_name, { Cluster }) => {
      const client = new Cluster(nodes.map(({ port }) => ({ host: '127.0.0.1', port })));
      onTestFinished(() => client.disconnect());
      expect((await useAll(client)).lines).toEqual([]);
    },
  );

  it.each(nodeRedisMajors)(
    'redisStore stores limits, cached responses and a session through a cluster client of %s',
    async (_name, { createCluster }) => {
      const client = createCluster({ rootNodes: nodes.map(({ url }) => ({ url })) });
      client.on('error', () => undefined);
      await client.connect();
      onTestFinished(() => client.destroy());
      expect((await useAll(client)).lines).toEqual([]);
    },
  );
});
