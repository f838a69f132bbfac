import { createServer, type Server } from 'node:http';
import * as redis from 'redis';
import { expect, vi } from 'vitest';
import type { WaitForConfiguration } from '../../src/console/index.js';
import * as consoleModule from '../../src/console/index.js';
import * as triforge from '../../src/index.js';
import { engine, RedisServer } from '../support/redis-server.js';

/** A ConsoleClient that polls every millisecond and has no grace period. */
export class ConsoleClient extends consoleModule.ConsoleClient {
  override waitForConfiguration(options?: WaitForConfiguration) {
    return super.waitForConfiguration({ interval: 1, gracePeriod: 0, ...options });
  }
}

/**
 * Returns the modules that `code` imports. Replaces modules that are slow or affect the whole process.
 */
export async function createModules(code: string) {
  const servers: Server[] = [];
  const engines = needsEngine(code) ? await readEngines() : undefined;
  const runner = testRunner();
  const standIns: Readonly<Record<string, object>> = {
    triforge: { ...triforge, ConsoleClient },
    'triforge/console': { ...consoleModule, ConsoleClient },
    'node:http': { createServer: onFreePorts(servers) },
    'node:test': runner.functions,
    vitest: { ...runner.functions, expect, vi },
    '@jest/globals': { ...runner.functions, expect },
    ...(engines && { redis: engines.module }),
  };
  const names = /(?:\bfrom |\brequire\()'([^']+)'/g;
  const modules = new Map<string, object>();
  for (const [, name = ''] of code.matchAll(names)) {
    modules.set(name, standIns[name] ?? (await import(name)));
  }
  const close = async () => {
    for (const server of servers) server.close();
    await engines?.close();
  };
  return { modules, runTests: runner.run, close };
}

/** Returns whether `code` requires a Redis server and none is installed. */
export function lacksEngine(code: string): boolean {
  return needsEngine(code) && engine === undefined;
}

function needsEngine(code: string): boolean {
  return code.includes("from 'redis'");
}

/**
 * Starts a Redis server on a free port. Returns a `redis` module whose clients connect to this server,
 * regardless of the URL.
 */
async function readEngines() {
  const server = await RedisServer.start();
  const clients: { destroy(): unknown }[] = [];
  const createClient = (options: redis.RedisClientOptions) => {
    const client = redis.createClient({ ...options, url: server.url });
    clients.push(client);
    return client;
  };
  const close = async () => {
    for (const client of clients) client.destroy();
    await server[Symbol.asyncDispose]();
  };
  return { module: { ...redis, createClient }, close };
}

/** Returns a `createServer` whose servers listen on a free port, regardless of the requested port. */
function onFreePorts(servers: Server[]) {
  return (...parameters: Parameters<typeof createServer>) => {
    const server = createServer(...parameters);
    const listen = server.listen.bind(server);
    servers.push(server);
    return Object.assign(server, { listen: () => listen(0, '127.0.0.1') });
  };
}

type Work = () => unknown;

/**
 * Creates the functions that all test runners share, and a `run` function for the collected tests.
 */
function testRunner() {
  const tests: Work[] = [];
  const each: { readonly before: Work[]; readonly after: Work[] } = { before: [], after: [] };
  const all: { readonly before: Work[]; readonly after: Work[] } = { before: [], after: [] };
  const keep = (list: Work[]) => (work: Work) => void list.push(work);
  const test = (_name: string, work: Work) => void tests.push(work);
  const functions = {
    test,
    it: test,
    describe: (_name: string, work: Work) => work(),
    before: keep(all.before),
    beforeAll: keep(all.before),
    beforeEach: keep(each.before),
    afterEach: keep(each.after),
    after: keep(all.after),
    afterAll: keep(all.after),
  };
  const run = async () => {
    const steps = tests.flatMap((work) => [...each.before, work, ...each.after]);
    for (const step of [...all.before, ...steps, ...all.after]) await step();
  };
  return { functions, run };
}
