import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingClientOptions } from '../../../src/hosting/index.js';
import {
  type HostingClient,
  isTriforgeError,
  SupportClient,
  type TriforgeError,
} from '../../../src/index.js';
import type { StandardSchema } from '../../../src/schema/standard-schema.js';
import { createClient, rejectionOf, until, watchRejections } from '../../support/client.js';
import { heldLimit, holdTimers } from '../../support/held-timers.js';
import { type Handler, sendJson, serve, type TestServer } from '../../support/server.js';
import { asset, folder, respond } from '../download-world.js';
import { auth } from '../support-world.js';
import { watchAttempts } from './fault-table.js';

/** Abort reason. The call must reject with this value. */
const reason = { any: 'value' };
const never: Handler = () => undefined;

/** A stage at which the test aborts a call. */
interface Stage {
  readonly name: string;
  readonly handler: Handler;
  readonly options?: Partial<HostingClientOptions> & { readonly dispatcher?: Dispatcher };
  readonly start?: (client: HostingClient, signal: AbortSignal, server: TestServer) => unknown;
  /**
   * Set if the stage begins before a request arrives. Default: the stage begins when a request
   * arrives.
   */
  readonly started?: 'at once';
  /** Number of requests that reach the server. Default: 1. */
  readonly requests?: number;
}

/** Creates a dispatcher that never connects. */
const noConnection = () => new Agent({ connect: () => undefined });

const stages: readonly Stage[] = [
  {
    name: 'before anything is sent',
    handler: never,
    started: 'at once',
    options: { auth: () => new Promise(() => undefined) },
    requests: 0,
  },
  {
    name: 'while it connects',
    handler: never,
    started: 'at once',
    options: { dispatcher: noConnection() },
    requests: 0,
  },
  {
    name: 'while it sends its body',
    handler: (_seen, response) => response.end(),
    start: (client, signal, { origin }) => {
      const data = new Readable({ read() {} });
      data.push('some');
      const upload = { upload_url: origin, name: 'a', content_type: 'a/b', data, size: 10 };
      return client.releases.uploadAsset(upload, { signal });
    },
  },
  { name: 'while it waits for headers', handler: never },
  {
    name: 'while it reads the body',
    handler: (_seen, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('[');
    },
  },
  {
    name: 'while it streams the body',
    handler: (_seen, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('[');
    },
    start: async (client, signal) => {
      const stream = await client.request('GET /x', {}, { responseType: 'stream', signal });
      if (!(stream instanceof Readable)) throw new Error('expected a stream');
      await stream.toArray();
    },
  },
  {
    name: 'while it follows a redirect',
    handler: (seen, response) =>
      seen.url === '/b' ? undefined : response.writeHead(302, { location: '/b' }).end(),
    requests: 2,
  },
  {
    name: 'during a backoff',
    handler: (_seen, response) => response.destroy(),
    options: { retry: { baseDelay: 2 ** 30, maxDelay: 2 ** 30 }, timeout: { total: false } },
  },
  {
    name: 'during the wait requested by a 503',
    handler: (_seen, response) => sendJson(response, {}, 503, { 'retry-after': '50' }),
  },
  {
    name: 'while it waits for a quota reset',
    handler: (_seen, response) =>
      sendJson(response, {}, 403, {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + 600}`,
      }),
  },
  {
    name: 'while it waits for a permit',
    handler: never,
    options: { maxConcurrency: 1 },
    start: (client, signal) => {
      const other = new AbortController();
      onTestFinished(() => other.abort());
      client.request('GET /first', {}, { signal: other.signal }).catch(() => undefined);
      return client.request('GET /second', {}, { signal }).finally(() => other.abort());
    },
  },
  {
    name: 'while a list fetches its second page',
    handler: (seen, response, index) =>
      index === 0
        ? sendJson(response, [1], 200, {
            link: `<http://${seen.headers.host}/api/v3/x?page=2>; rel="next"`,
          })
        : undefined,
    start: (client, signal) => client.paginate('GET /x', {}, { signal }).toArray(),
    requests: 2,
  },
];

describe('aborted calls', () => {
  for (const stage of stages) {
    it(`a call aborted ${stage.name} rejects and leaves no socket or listener`, async () => {
      const rejections = watchRejections();
      const server = await serve(stage.handler);
      const ledger = watchAttempts(server.origin);
      const client = createClient(server, { rateLimit: { onLimit: 'wait' }, ...stage.options });
      const controller = new AbortController();
      const { signal } = controller;
      const { start = (own: HostingClient) => own.request('GET /x', {}, { signal }) } = stage;
      const call = rejectionOf(Promise.resolve(start(client, signal, server)));
      const { requests = 1 } = stage;
      if (stage.started !== 'at once') {
        await until('a request arrived', () => server.requests.length >= requests);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      controller.abort(reason);
      expect(await call).toBe(reason);
      expect(server.requests).toHaveLength(requests);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      await client.close();
      await stage.options?.dispatcher?.destroy();
      await until('no socket is open', async () => (await server.open()) === 0);
      expect(await rejections()).toEqual([]);
      expect(ledger.ended, 'attempts reported as ended').toBe(ledger.started);
    });
  }

  it("a call with an aborted signal sends nothing and doesn't call the auth function", async () => {
    const server = await serve(never);
    let requests = 0;
    const client = createClient(server, {
      auth: () => {
        requests++;
        return { type: 'none' };
      },
    });
    const call = client.request('GET /x', {}, { signal: AbortSignal.abort(reason) });
    expect(await rejectionOf(call)).toBe(reason);
    expect([server.requests.length, requests]).toEqual([0, 0]);
  });
});

const repo = { owner: 'o', repo: 'r' };

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
