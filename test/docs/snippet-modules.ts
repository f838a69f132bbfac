import { createServer, type Server } from 'node:http';
import { expect, vi } from 'vitest';
import type { WaitForConfiguration } from '../../src/console/index.js';
import * as consoleModule from '../../src/console/index.js';
import * as triforge from '../../src/index.js';

/** Asks without a pause, and believes what it hears. */
export class ConsoleClient extends consoleModule.ConsoleClient {
  override waitForConfiguration(options?: WaitForConfiguration) {
    return super.waitForConfiguration({ interval: 1, gracePeriod: 0, ...options });
  }
}

/** The modules that code imports: as they are, but for what would take long, or takes the whole process. */
export async function modulesOf(code: string) {
  const servers: Server[] = [];
  const runner = testRunner();
  const standIns: Readonly<Record<string, object>> = {
    triforge: { ...triforge, ConsoleClient },
    'triforge/console': { ...consoleModule, ConsoleClient },
    'node:http': { createServer: onFreePorts(servers) },
    'node:test': runner.functions,
    vitest: { ...runner.functions, expect, vi },
    '@jest/globals': { ...runner.functions, expect },
  };
  const names = /(?:\bfrom |\brequire\()'([^']+)'/g;
  const modules = new Map<string, object>();
  for (const [, name = ''] of code.matchAll(names)) {
    modules.set(name, standIns[name] ?? (await import(name)));
  }
  const close = () => servers.map((server) => server.close());
  return { modules, runTests: runner.run, close };
}

/** A `createServer` whose servers listen on a free port, whichever is named. */
function onFreePorts(servers: Server[]) {
  return (...parameters: Parameters<typeof createServer>) => {
    const server = createServer(...parameters);
    const listen = server.listen.bind(server);
    servers.push(server);
    return Object.assign(server, { listen: () => listen(0, '127.0.0.1') });
  };
}

type Work = () => unknown;

/** What all runners of tests have: it keeps the tests until they are to be run. */
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
