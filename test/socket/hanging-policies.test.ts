import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RequestPolicy } from '../../src/index.js';
import { createClient, rejectionOf, until, watchRejections } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const never = () => new Promise<never>(() => undefined);

const policies: [when: string, policy: RequestPolicy, requests: number][] = [
  ['before the request', () => never, 0],
  [
    'after the request',
    (next) => async (request, context) => {
      await next(request, context);
      return await never();
    },
    1,
  ],
];

describe.each(policies)('a call whose policy hangs %s', (_when, policy, requests) => {
  async function started(total = 60_000) {
    const server = await serve((_request, response) => sendJson(response, {}));
    const client = createClient(server, { policies: [policy], timeout: { total } });
    const controller = new AbortController();
    const { signal } = controller;
    const input = { path: '/x', method: 'POST', json: {} } as const;
    const error = rejectionOf(client.request(input, { signal }));
    await until('the server got the request', () => server.requests.length === requests);
    await sleep(20);
    return { client, controller, error, server };
  }

  it('a call with a hanging policy rejects with the abort reason', async () => {
    const rejections = watchRejections();
    const { controller, error } = await started();
    controller.abort('mine');
    expect(await error).toBe('mine');
    expect(await rejections()).toEqual([]);
  });

  it('a call with a hanging policy rejects when timeout.total expires, and reports whether a request was sent', async () => {
    const { error } = await started(100);
    expect(await error).toMatchObject({ code: 'timeout', mayHaveActed: requests > 0 });
  });

  it.each([0, 20])(
    'a call with a hanging policy rejects after close() with a grace period of %i ms',
    async (gracePeriod) => {
      const { client, error, server } = await started();
      await client.close({ gracePeriod });
      expect(await error).toMatchObject({ code: 'connection', mayHaveActed: requests > 0 });
      expect(server.requests).toHaveLength(requests);
    },
  );
});

const hiding: readonly (readonly [how: string, policy: RequestPolicy])[] = [
  [
    'returns its own response',
    (next) => async (request, context) => {
      await next(request, context);
      return { failed: false, status: 200, statusText: '', headers: {}, body: Buffer.from('{}') };
    },
  ],
  [
    'throws its own error',
    (next) => async (request, context) => {
      await next(request, context);
      throw new Error('not the reason');
    },
  ],
];

describe.each(hiding)('an interrupted call whose policy %s', (_how, policy) => {
  async function pending() {
    const server = await serve(() => undefined);
    const client = createClient(server, { policies: [policy], timeout: { total: 300 } });
    const controller = new AbortController();
    const input = { path: '/x', method: 'PUT', json: {} } as const;
    const error = rejectionOf(client.request(input, { signal: controller.signal }));
    await until('the server got the request', () => server.requests.length === 1);
    return { controller, error };
  }

  it('a call rejects with the abort reason even if a policy hides the abort', async () => {
    const { controller, error } = await pending();
    controller.abort('mine');
    expect(await error).toBe('mine');
  });

  it('a call rejects with a TimeoutError when timeout.total expires, even if a policy hides the timeout', async () => {
    const { error } = await pending();
    expect(await error).toMatchObject({ code: 'timeout', reason: 'total', mayHaveActed: true });
  });
});
