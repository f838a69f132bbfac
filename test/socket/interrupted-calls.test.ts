import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import {
  type HostingClient,
  isTriforgeError,
  SupportClient,
  type TriforgeError,
} from '../../src/index.js';
import type { StandardSchema } from '../../src/schema/standard-schema.js';
import { createClient, rejectionOf, until, watchRejections } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { sendJson, serve } from '../support/server.js';
import { asset, folder, respond } from './download-world.js';
import { auth } from './support-world.js';

const repo = { owner: 'o', repo: 'r' };
const reason = { any: 'value' };

/** Creates a promise that the test settles, and counts how often it is requested. */
function prompt<T>() {
  const requests = { times: 0 };
  let settle: ((value: T) => void) | undefined;
  let fail: ((reason: unknown) => void) | undefined;
  const response = new Promise<T>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  const sendRequest = () => {
    requests.times++;
    return response;
  };
  return {
    requests,
    sendRequest,
    settle: (value: T) => settle?.(value),
    fail: (why: unknown) => fail?.(why),
  };
}

/** Ways to interrupt a call, each with the expected error. */
const interruptions = [
  {
    how: 'a signal',
    start: () => {
      const controller = new AbortController();
      return {
        options: { signal: controller.signal },
        interrupt: () => controller.abort(reason),
        expected: reason,
      };
    },
  },
  {
    how: 'timeout.total',
    start: () => {
      const timers = holdTimers();
      return {
        options: { timeout: { total: heldLimit } },
        interrupt: () => timers.runOut(),
        expected: expect.objectContaining({ code: 'timeout', reason: 'total' }),
      };
    },
  },
];

describe.each(interruptions.map((each) => [each.how, each] as const))(
  'a call interrupted by %s',
  (_how, { start }) => {
    it('an interrupted call rejects without waiting for an async schema', async () => {
      const rejections = watchRejections();
      const server = await serve((_request, response) => sendJson(response, [{ id: 1 }]));
      const { requests, sendRequest, fail } = prompt<{ value: unknown }>();
      const schema: StandardSchema<unknown> = {
        '~standard': { version: 1, vendor: 'test', validate: sendRequest },
      };
      const hosting = createClient(server);
      const calls = [
        (options: object) => hosting.pulls.get({ ...repo, number: 1 }, options).as(schema),
        (options: object) => hosting.pulls.list(repo, options).as(schema).first(),
        (options: object) => hosting.request('POST /x', {}, { schema, ...options }),
      ];
      for (const [index, call] of calls.entries()) {
        const { options, interrupt, expected } = start();
        const failing = rejectionOf(call(options));
        await until('the schema runs', () => requests.times === index + 1);
        interrupt();
        expect(await failing).toEqual(expected);
      }
      fail(new Error('too late'));
      expect(await rejections()).toEqual([]);
    });

    it('an interrupted call rejects without waiting for a one-time password', async () => {
      const server = await serve((request, response) => {
        if (request.headers['x-service-otp'] === '123456') return sendJson(response, []);
        return sendJson(response, {}, 401, { 'x-service-otp': 'required; app' });
      });
      const { requests, sendRequest, settle } = prompt<string>();
      const auth = { type: 'basic', username: 'u', password: 'p', otp: sendRequest } as const;
      const hosting = createClient(server, { auth, maxConcurrency: 1, validation: 'off' });
      const { options, interrupt, expected } = start();
      const failing = rejectionOf(hosting.pulls.list(repo, options).first());
      await until('the code is requested', () => requests.times === 1);
      interrupt();
      expect(await failing).toEqual(expected);
      expect(server.log).toHaveLength(1);
      // The next call gets a permit and requests its own code.
      settle('123456');
      expect(await hosting.pulls.list(repo).toArray()).toEqual([]);
      expect(requests.times).toBe(2);
      expect(server.log).toHaveLength(3);
    });

    it('an interrupted call rejects without waiting for a new session', async () => {
      let sessions = 0;
      let valid = '';
      let held: ServerResponse | undefined;
      const server = await serve((request, response) => {
        if (!request.url.endsWith('/authenticate')) {
          if (request.url.endsWith(`=${valid}`))
            return sendJson(response, { success: true, id: 1 });
          return response.writeHead(401).end();
        }
        sessions++;
        if (sessions === 2) {
          held = response;
          return undefined;
        }
        valid = `token-${sessions}`;
        const expires = '2099-01-01T00:00:00+0000';
        return sendJson(response, { success: true, access_token: valid, expires });
      });
      const client = new SupportClient({
        baseUrl: `${server.origin}/api/v2`,
        auth,
        retry: false,
        maxConcurrency: 1,
        validation: 'off',
      });
      await client.me();
      valid = 'none';
      const { options, interrupt, expected } = start();
      const failing = rejectionOf(client.me(options));
      await until('the session is renewed', () => held !== undefined);
      interrupt();
      expect(await failing).toEqual(expected);
      // Other calls may be waiting for the new session, so the client continues to open it.
      held?.destroy();
      await rejectionOf(client.authenticate().then(() => Promise.reject(new Error('opened'))));
      await client.me();
      await client.me();
      expect(sessions).toBe(4);
      await client.close();
    });
  },
);

describe('calls with file inputs', () => {
  it('an aborted call destroys every file stream, even a stream that never ends', async () => {
    const server = await serve((_request, response) => sendJson(response, {}));
    const client = new ConsoleClient({ baseUrl: server.origin });
    const license = new Readable({ read() {} });
    license.push('begin');
    const pack = new Readable({ read() {} });
    const controller = new AbortController();
    const { signal } = controller;
    const failing = rejectionOf(client.start({ license, package: pack }, { signal }));
    await until('it is read', () => license.readableFlowing !== null || license.readableDidRead);
    controller.abort(reason);
    expect(await failing).toBe(reason);
    await until('both are destroyed', () => license.destroyed && pack.destroyed);
    expect(server.log).toEqual([]);
    await client.close();
  });
});

/** Returns the error from a failed call. Programs may use such an error as an abort reason. */
async function otherError(): Promise<TriforgeError> {
  const server = await serve((_request, response) => response.destroy());
  const client = createClient(server, { retry: false });
  const error = await rejectionOf(client.releases.downloadAsset(asset, { as: 'bytes' }));
  if (!isTriforgeError(error)) throw error;
  return error;
}

const calls: Readonly<
  Record<string, (client: HostingClient, path: string, signal: AbortSignal) => Promise<unknown>>
> = {
  'paginate() with a prefetched page': (client, _path, signal) =>
    client.paginate('GET a', {}, { signal }).toArray(),
  'paginate() with concurrency': (client, _path, signal) =>
    client.paginate('GET a', {}, { signal, concurrency: 4 }).toArray(),
  'a download to a file': (client, path, signal) =>
    client.releases.downloadAsset(asset, { to: join(path, 'a'), signal }),
};

describe.each(Object.entries(calls))('%s', (_what, run) => {
  it.each([false, true])(
    "an aborted call rejects with the unchanged abort reason, even if the reason is another call's error (frozen: %s)",
    async (isFrozen) => {
      const reason = await otherError();
      const { stack } = reason;
      const controller = new AbortController();
      const abort = () =>
        setTimeout(() => controller.abort(isFrozen ? Object.freeze(reason) : reason), 20);
      const server = await serve((request, response) => {
        if (!request.url.includes('/a')) return abort();
        if (request.url.includes('assets')) {
          respond(request, response, { headers: { 'content-length': '500000' } });
          return abort();
        }
        if (request.url.includes('page=')) return abort();
        const to = (page: number) => `<${server.origin}/api/v3/a?page=${page}>`;
        return sendJson(response, [1, 2], 200, {
          link: `${to(2)}; rel="next", ${to(9)}; rel="last"`,
        });
      });
      const { path } = await folder();
      const call = run(createClient(server, { retry: false }), path, controller.signal);
      expect(await rejectionOf(call)).toBe(reason);
      expect(reason.stack).toBe(stack);
    },
  );
});
