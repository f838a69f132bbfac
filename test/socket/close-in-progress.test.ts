import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { SupportClient } from '../../src/index.js';
import { createClient, rejectionOf, turns, until, watchWarnings } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { sendJson, serve } from '../support/server.js';
import { asset, content, folder, respond } from './download-world.js';
import { auth } from './support-world.js';

const closed = { code: 'connection', message: expect.stringContaining('the client is closed') };
const licenseMd5 = 'a'.repeat(32);
const running = { status: 'running', progress: [] };

/** Subscribes to a channel until the test ends. */
function on(channel: string, subscriber: () => void): void {
  const listener = () => subscriber();
  subscribe(channel, listener);
  onTestFinished(() => void unsubscribe(channel, listener));
}

describe('calls with file inputs', () => {
  const endless = () => {
    const stream = new Readable({ read() {} });
    stream.push('begin');
    return stream;
  };

  it('a call with file inputs completes if close() follows immediately', async () => {
    const server = await serve((_request, response) => response.writeHead(202).end());
    const appliance = new ConsoleClient({ baseUrl: server.origin });
    const { path } = await folder();
    const license = join(path, 'license');
    await writeFile(license, 'license');
    const call = appliance.start({ license, package: Buffer.from('package') });
    await appliance.close({ gracePeriod: 60_000 });
    expect(await call).toEqual({ location: undefined });
    expect(server.log).toEqual(['POST /setup/api/start']);
  });

  it('a call whose input stream never ends sends nothing and fails after the grace period of close()', async () => {
    const server = await serve((_request, response) => response.writeHead(202).end());
    const appliance = new ConsoleClient({ baseUrl: server.origin, auth: { licenseMd5 } });
    const streams = [endless(), endless(), endless()] as const;
    const [license, settings, authorized_key] = streams;
    const calls = [
      appliance.start({ license, package: Buffer.from('a') }),
      appliance.start({ license: Buffer.from('a'), settings, package: Buffer.from('a') }),
      appliance.authorizedKeys.add({ authorized_key }),
    ].map(rejectionOf);
    await appliance.close({ gracePeriod: 20 });
    for (const call of calls) {
      expect(await call).toMatchObject({ ...closed, mayHaveActed: false });
    }
    for (const stream of streams) expect(stream.destroyed).toBe(true);
    expect(server.log).toEqual([]);
  });

  it('a call whose input stream never ends fails when timeout.total expires', async () => {
    const server = await serve((_request, response) => response.writeHead(202).end());
    const appliance = new ConsoleClient({ baseUrl: server.origin });
    onTestFinished(() => appliance.close());
    const timers = holdTimers();
    const license = endless();
    const timeout = { total: heldLimit };
    const call = rejectionOf(appliance.start({ license, package: Buffer.from('a') }, { timeout }));
    await until('the file is read', () => license.readableFlowing !== null);
    timers.runOut();
    expect(await call).toMatchObject({ code: 'timeout', reason: 'total', mayHaveActed: false });
    expect(license.destroyed).toBe(true);
    expect(server.log).toEqual([]);
  });
});

describe('downloads to a file', () => {
  it('a download to a file completes if close() follows immediately', async () => {
    const server = await serve((request, response) => respond(request, response));
    const hosting = createClient(server);
    const { path } = await folder();
    const call = hosting.releases.downloadAsset(asset, { to: join(path, 'a') });
    await hosting.close({ gracePeriod: 60_000 });
    expect((await call).size).toBe(content.length);
  });
});

describe('waitForConfiguration()', () => {
  it('waitForConfiguration() stops waiting when the client closes', async () => {
    const server = await serve((_request, response) => sendJson(response, running));
    const appliance = new ConsoleClient({ baseUrl: server.origin, auth: { licenseMd5 } });
    const statuses = appliance.waitForConfiguration({ interval: 2 ** 31 - 1, timeout: false });
    const iterator = statuses[Symbol.asyncIterator]();
    await iterator.next();
    const next = rejectionOf(iterator.next());
    await turns(5);
    await appliance.close();
    expect(await next).toMatchObject(closed);
    expect(server.log).toHaveLength(1);
  });

  it('waitForConfiguration() emits no leak warning if many calls share a signal', async () => {
    const warnings = watchWarnings();
    const server = await serve((_request, response) => sendJson(response, running));
    const appliance = new ConsoleClient({ baseUrl: server.origin, auth: { licenseMd5 } });
    const controller = new AbortController();
    const { signal } = controller;
    const runs = Array.from({ length: 12 }, () =>
      rejectionOf(appliance.waitForConfiguration({ signal }).done()),
    );
    await until('all were answered', () => server.log.length === 12);
    controller.abort('enough');
    expect(new Set(await Promise.all(runs))).toEqual(new Set(['enough']));
    await appliance.close();
    await turns(2);
    expect(warnings).toEqual([]);
  });
});

describe('SupportClient.close()', () => {
  it('a closing SupportClient rejects authenticate() without opening a session', async () => {
    let held: ServerResponse | undefined;
    const server = await serve((request, response) => {
      if (request.url.includes('/me')) {
        held = response;
        return;
      }
      const expires = '2099-01-01T00:00:00+0000';
      sendJson(response, { success: true, access_token: 't', expires });
    });
    const support = new SupportClient({ baseUrl: server.origin, auth, validation: 'off' });
    const call = support.me();
    await until('it is on its way', () => held !== undefined);
    const closing = support.close({ gracePeriod: 60_000 });
    expect(await rejectionOf(support.authenticate())).toMatchObject(closed);
    if (held) sendJson(held, {});
    await call;
    await closing;
    expect(server.log.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });
});

describe('diagnostics channels', () => {
  it.each(['abort', 'close'])(
    'a call that waits for quota leaves no timer behind after a subscriber calls %s()',
    async (how) => {
      const reset = Math.ceil(Date.now() / 1000) + 600;
      const server = await serve((_request, response) =>
        sendJson(response, {}, 200, {
          'x-ratelimit-limit': 60,
          'x-ratelimit-remaining': 0,
          'x-ratelimit-reset': reset,
        }),
      );
      const hosting = createClient(server, { rateLimit: { onLimit: 'wait' } });
      await hosting.request('GET a');
      const { setTimeout: set, clearTimeout: clear } = globalThis;
      const timers = new Set<unknown>();
      globalThis.setTimeout = Object.assign((...parameters: Parameters<typeof set>) => {
        const timer = set(...parameters);
        // Only the rate-limit timer is longer than 100 s.
        if ((parameters[1] ?? 0) > 100_000) timers.add(timer);
        return timer;
      }, set);
      globalThis.clearTimeout = (timer) => {
        timers.delete(timer);
        clear(timer);
      };
      onTestFinished(
        () => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
      );
      const controller = new AbortController();
      const { signal } = controller;
      on('triforge:wait', () => {
        if (how === 'abort') controller.abort('too long');
        else void hosting.close({ gracePeriod: 0 });
      });
      const error = await rejectionOf(hosting.request('GET b', {}, { signal }));
      if (how === 'abort') expect(error).toBe('too long');
      else expect(error).toMatchObject(closed);
      expect(timers.size).toBe(0);
      expect(server.log).toHaveLength(1);
    },
  );

  it('a diagnostics subscriber that calls close() when a response arrives ends the stream', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      response.write(Buffer.alloc(1000));
    });
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const hosting = createClient(server, { dispatcher });
    on('triforge:request:end', () => void hosting.close({ gracePeriod: 0 }));
    const stream = await hosting.releases.downloadAsset(asset);
    expect(await rejectionOf(stream.toArray())).toMatchObject({ reason: 'truncated' });
    await until('no socket is open', async () => (await server.open()) === 0);
  });
});
