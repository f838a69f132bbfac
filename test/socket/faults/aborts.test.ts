import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingClient, HostingClientOptions } from '../../../src/hosting/index.js';
import { createClient, rejectionOf, until, watchRejections } from '../../support/client.js';
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
    name: 'during the pause for a secondary limit',
    handler: (_seen, response) => sendJson(response, {}, 429, { 'retry-after': '50' }),
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
