import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { until } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { listening, nobody } from '../support/server.js';
import { consoleServer, consoleWorld, md5 } from './console-server.js';

const licenseMd5 = md5('a license');
const running = { status: 'running', progress: [{ key: 'Updating', status: 'CONFIGURING' }] };
const success = { status: 'success', progress: [{ key: 'Updating', status: 'DONE' }] };

describe('waitForConfiguration()', () => {
  it('continues after a reset, a 503, a 404 and an empty response', async () => {
    const responses = [
      { status: 200, body: running },
      'reset',
      { status: 503, body: '<html>starting</html>' },
      { status: 404 },
      { status: 200, body: '' },
      { status: 200, headers: { 'content-type': 'text/html' }, body: JSON.stringify(success) },
    ] as const;
    const { server, client } = await consoleWorld(
      (_seen, count) => responses[count - 1] ?? 'reset',
      { auth: { licenseMd5 } },
    );
    const words: string[] = [];
    for await (const { status } of client.waitForConfiguration({ interval: 1 })) words.push(status);
    expect(words).toEqual(['running', 'success']);
    expect(server.seen.length, 'number of requests').toBe(responses.length);
  });

  it('continues until the server accepts connections', async () => {
    const { origin, port } = await nobody();
    await using client = new ConsoleClient({ baseUrl: origin, auth: { licenseMd5 } });
    const run = client.waitForConfiguration({ interval: 5, gracePeriod: 0 });
    const end = run.done();
    const server = createServer((_request, response) => response.end(JSON.stringify(success)));
    await new Promise((resolve) => setTimeout(resolve, 30));
    await listening(server, { port });
    expect(await end).toEqual(success);
  });

  it('rejects when its timeout expires during a status request', async () => {
    const { client } = await consoleWorld(() => 'hang', { auth: { licenseMd5 } });
    const run = client.waitForConfiguration({ interval: 1, timeout: 50 });
    await expect(run.done()).rejects.toMatchObject({
      code: 'timeout',
      reason: 'total',
      request: { operation: 'waitForConfiguration', method: 'GET' },
    });
    expect(run).not.toHaveProperty('then');
  });

  it('rejects when the signal is aborted during a pause', async () => {
    const { server, client } = await consoleWorld(() => ({ status: 200, body: running }), {
      auth: { licenseMd5 },
    });
    const controller = new AbortController();
    const reason = new Error('enough');
    // This interval exceeds a timer's maximum delay.
    const interval = 2 ** 31;
    const { signal } = controller;
    const run = client.waitForConfiguration({ signal, interval, timeout: false });
    const end = run.done();
    await until('a request arrived', () => server.seen.length > 0);
    setTimeout(() => controller.abort(reason), 30);
    await expect(end).rejects.toBe(reason);
    expect(server.seen.length).toBe(1);
  });

  it('rejects and removes its listener if the loop body aborts the signal', async () => {
    const { client } = await consoleWorld(() => ({ status: 200, body: running }), {
      auth: { licenseMd5 },
    });
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error('enough');
    const loop = async () => {
      for await (const _ of client.waitForConfiguration({ signal, interval: 600_000 })) {
        controller.abort(reason);
      }
    };
    await expect(loop()).rejects.toBe(reason);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it("repeats a status request that exceeds the client's timeout", async () => {
    await using server = await consoleServer((_seen, count) =>
      count === 1 ? 'hang' : { status: 200, body: success },
    );
    const timers = holdTimers();
    const auth = { licenseMd5 };
    await using client = new ConsoleClient({ baseUrl: server.url, auth, timeout: heldLimit });
    const run = client.waitForConfiguration({ interval: 1, gracePeriod: 0, timeout: false });
    const end = run.done();
    await until('a request arrived', () => server.seen.length === 1);
    timers.runOut();
    expect(await end).toEqual(success);
    expect(server.seen.length).toBe(2);
  });

  it.each([60_000, false] as const)(
    'waits for a slow response if the client has no timeout (own timeout: %s)',
    async (timeout) => {
      let requests = 0;
      const server = createServer((_request, response) => {
        requests++;
        setTimeout(() => response.end(JSON.stringify(success)), 30);
      });
      const { origin } = await listening(server);
      await using client = new ConsoleClient({
        baseUrl: origin,
        auth: { licenseMd5 },
        timeout: false,
      });
      const run = client.waitForConfiguration({ interval: 1, gracePeriod: 0, timeout });
      expect(await run.done()).toEqual(success);
      expect(requests).toBe(1);
    },
  );

  it('skips invalid statuses if validation is off', async () => {
    const bare = { status: 'success' };
    const responses = [{}, { status: 7 }, { status: 'x', progress: 1 }, running, bare];
    const { server, client } = await consoleWorld(
      (_seen, count) => ({
        status: 200,
        body: responses[count - 1],
      }),
      { auth: { licenseMd5 }, validation: 'off' },
    );
    expect(await client.waitForConfiguration({ interval: 1 }).done()).toEqual(bare);
    expect(server.seen.length).toBe(responses.length);
  });
});
