import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingClientOptions } from '../../src/hosting/client.js';
import type { RequestOptions } from '../../src/transport/options.js';
import type { RawRequest } from '../../src/transport/raw-request.js';
import { clientOf, rejectionOf, until } from '../support/client.js';
import { type Handler, sendJson, serve } from '../support/server.js';

const never: Handler = () => undefined;
const half: Handler = (_request, response) => {
  response.writeHead(200, { 'content-length': '10' });
  response.write('[');
};
const drip: Handler = (_request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 10);
  response.once('close', () => clearInterval(timer));
};

interface Case {
  readonly name: string;
  readonly server: Handler;
  readonly client?: Partial<HostingClientOptions>;
  readonly options?: RequestOptions;
  readonly request?: Partial<RawRequest>;
  readonly error: Readonly<Record<string, unknown>>;
  readonly message?: RegExp;
}

const timedOut = (kind: string, mayHaveActed = true) => ({
  name: 'TimeoutError',
  code: 'timeout',
  kind,
  mayHaveActed,
});

const cases: readonly Case[] = [
  {
    name: 'no answer in time',
    server: never,
    options: { timeout: { headers: 20 } },
    error: timedOut('headers'),
    message: /no answer within 20 ms \[GET/,
  },
  {
    name: 'no answer in time to a write says that it may have been done',
    server: never,
    options: { timeout: { headers: 20 } },
    request: { method: 'POST', json: {} },
    error: timedOut('headers'),
    message: /may have executed/,
  },
  {
    name: 'a body that stalls',
    server: half,
    options: { timeout: { body: 20 } },
    error: timedOut('body'),
    message: /stalled for 20 ms/,
  },
  {
    name: 'the total covers the headers',
    server: never,
    options: { timeout: 20 },
    error: timedOut('total'),
    message: /within 20 ms/,
  },
  {
    name: 'the total covers the body',
    server: half,
    options: { timeout: { total: 20 } },
    error: timedOut('total'),
  },
  {
    name: 'the total covers a body that never ends',
    server: drip,
    options: { timeout: { total: 60, body: 40 } },
    error: timedOut('total'),
  },
  {
    name: "the client's own timeout",
    server: never,
    client: { timeout: 20 },
    error: timedOut('total'),
  },
  {
    name: 'the total spans attempts',
    server: (_request, response) => response.destroy(),
    client: { retry: { limit: 100, baseDelay: 5, maxDelay: 5 } },
    options: { timeout: 60 },
    error: { code: expect.stringMatching(/^(?:timeout|connection)$/) },
  },
  {
    name: 'false turns one off, the others stay',
    server: never,
    client: { timeout: { headers: 20 } },
    options: { timeout: { headers: false, total: 60 } },
    error: timedOut('total'),
  },
];

describe('a timeout', () => {
  for (const { name, server: handler, client, options, request, error, message } of cases) {
    it(name, async () => {
      const server = await serve(handler);
      const own = clientOf(server, { retry: false, ...client });
      const raised = await rejectionOf(own.request({ path: '/x', ...request }, options));
      expect(raised).toMatchObject(error);
      if (message) expect(String(raised)).toMatch(message);
      await own.close();
      await until('no socket is open', async () => (await server.open()) === 0);
    });
  }

  it('to connect', async () => {
    // A connection that hangs can't be had on the loopback address: a dispatcher says so instead.
    const { Agent } = await import('undici');
    const connect = (_options: object, done: (error: Error, socket: null) => void) => {
      done(Object.assign(new Error('slow'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), null);
    };
    const dispatcher = new Agent({ connect });
    const client = clientOf({ origin: 'http://127.0.0.1:1' }, { dispatcher, retry: false });
    const error = await rejectionOf(client.request({ path: '/x', method: 'POST', json: {} }));
    expect(error).toMatchObject(timedOut('connect', false));
  });

  it('total stands still while a streamed body is sent', async () => {
    const server = await serve((request, response) => sendJson(response, request.body.length));
    const data = Readable.from(
      (async function* () {
        for (let count = 0; count < 10; count++) {
          await new Promise((resolve) => {
            setTimeout(resolve, 15);
          });
          yield Buffer.from('x');
        }
      })(),
    );
    const client = clientOf(server, { validation: 'off', timeout: { total: 100, headers: 60 } });
    const upload = { upload_url: server.origin, name: 'a', content_type: 'a/b', data, size: 10 };
    expect(await client.releases.uploadAsset(upload)).toBe(10);
  });

  it('total leaves no timer behind when an upload is answered early', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'triforge-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const data = join(folder, 'big');
    await writeFile(data, Buffer.alloc(8_000_000));
    const { createServer } = await import('node:http');
    const early = createServer((_request, response) => {
      response.writeHead(401, { connection: 'close' }).end('{}');
    });
    await new Promise<void>((resolve) => {
      early.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      early.closeAllConnections();
      early.close();
    });
    const address = early.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const origin = `http://127.0.0.1:${port}`;
    const client = clientOf({ origin }, { timeout: { total: 1_234_567 } });
    const upload = { upload_url: origin, name: 'a', content_type: 'a/b', data };
    const timers: unknown[] = [];
    const { setTimeout: original } = globalThis;
    globalThis.setTimeout = Object.assign((...parameters: Parameters<typeof original>) => {
      const timer = original(...parameters);
      if (Number(parameters[1]) > 1_000_000) timers.push(timer);
      return timer;
    }, original);
    onTestFinished(() => {
      globalThis.setTimeout = original;
    });
    await rejectionOf(client.releases.uploadAsset(upload));
    await new Promise((resolve) => {
      original(resolve, 50);
    });
    const alive = timers.filter((timer) => Reflect.get(Object(timer), '_destroyed') !== true);
    expect(alive).toEqual([]);
  });
});

describe('a signal', () => {
  const reason = { any: 'value' };

  it('that is aborted already sends nothing and asks for nothing', async () => {
    const server = await serve(never);
    let asked = 0;
    const client = clientOf(server, {
      auth: () => {
        asked++;
        return { type: 'none' };
      },
    });
    const call = client.request({ path: '/x' }, { signal: AbortSignal.abort(reason) });
    expect(await rejectionOf(call)).toBe(reason);
    expect([server.requests.length, asked]).toEqual([0, 0]);
  });

  const stages: readonly [string, Handler][] = [
    ['the headers', never],
    ['the body', half],
    ['a backoff', (_request, response) => sendJson(response, {}, 503, { 'retry-after': '50' })],
    [
      'a pause for a secondary limit',
      (_request, response) => sendJson(response, {}, 429, { 'retry-after': '50' }),
    ],
    [
      'the end of a rate-limit window',
      (_request, response) =>
        sendJson(response, {}, 403, {
          'x-ratelimit-limit': '60',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + 600}`,
        }),
    ],
    [
      'a redirect',
      (request, response) =>
        request.url === '/b' ? undefined : response.writeHead(302, { location: '/b' }).end(),
    ],
  ];
  for (const [stage, handler] of stages) {
    it(`rejects with its very reason while waiting for ${stage}`, async () => {
      const server = await serve(handler);
      const client = clientOf(server, { rateLimit: { onLimit: 'wait' } });
      const controller = new AbortController();
      const { signal } = controller;
      const call = rejectionOf(client.request({ path: '/a' }, { signal }));
      await until('it was asked', () => server.requests.length > 0);
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      controller.abort(reason);
      expect(await call).toBe(reason);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      await client.close();
      await until('no socket is open', async () => (await server.open()) === 0);
    });
  }

  it('rejects while waiting for a place', async () => {
    const server = await serve(never);
    const client = clientOf(server, { maxConcurrency: 1 });
    const first = new AbortController();
    const second = new AbortController();
    const calls = [first, second].map(({ signal }) =>
      rejectionOf(client.request({ path: '/a' }, { signal })),
    );
    second.abort(reason);
    expect(await calls[1]).toBe(reason);
    first.abort();
    await calls[0];
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  it('shared by many calls warns of nothing, and keeps no listener', async () => {
    const warnings: unknown[] = [];
    const note = (warning: unknown) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => {
      process.off('warning', note);
    });
    const server = await serve((_request, response) => sendJson(response, 1));
    const client = clientOf(server);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 50 }, () => client.request({ path: '/' }, { signal })));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('after the end does nothing', async () => {
    const server = await serve((_request, response) => sendJson(response, 1));
    const controller = new AbortController();
    const call = clientOf(server).request({ path: '/' }, { signal: controller.signal });
    expect(await call).toBe(1);
    controller.abort();
    expect((await call.withResponse()).data).toBe(1);
  });
});
