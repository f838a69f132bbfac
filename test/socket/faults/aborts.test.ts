import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingClientOptions } from '../../../src/hosting/index.js';
import type { HostingClient } from '../../../src/index.js';
import { createSchema } from '../../../src/schema/standard-schema.js';
import { createClient, rejectionOf, until, watchRejections } from '../../support/client.js';
import { heldLimit, holdTimers } from '../../support/held-timers.js';
import { type Handler, sendJson, serve, type TestServer } from '../../support/server.js';
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

it.each(['a signal', 'timeout.total'])(
  'a call interrupted by %s rejects without waiting for an async schema',
  async (how) => {
    const rejections = watchRejections();
    const server = await serve((_request, response) => sendJson(response, [{ id: 1 }]));
    let validations = 0;
    let fail: (reason: unknown) => void = () => undefined;
    const validate = () => {
      validations++;
      return new Promise<never>((_resolve, reject) => {
        fail = reject;
      });
    };
    const schema = createSchema(validate);
    const hosting = createClient(server);
    const calls = [
      (options: object) => hosting.pulls.get({ ...repo, number: 1 }, options).as(schema),
      (options: object) => hosting.pulls.list(repo, options).as(schema).first(),
      (options: object) => hosting.request('POST /x', {}, { schema, ...options }),
    ];
    for (const [index, call] of calls.entries()) {
      const timers = holdTimers();
      const controller = new AbortController();
      const { signal } = controller;
      const options = how === 'a signal' ? { signal } : { timeout: { total: heldLimit } };
      const failing = rejectionOf(call(options));
      await until('the schema runs', () => validations === index + 1);
      if (how === 'a signal') controller.abort(reason);
      else timers.runOut();
      const timedOut = expect.objectContaining({ code: 'timeout', reason: 'total' });
      expect(await failing).toEqual(how === 'a signal' ? reason : timedOut);
      fail(new Error('too late'));
    }
    expect(await rejections()).toEqual([]);
  },
);
