import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { types } from 'node:util';
import { runInNewContext } from 'node:vm';
import type { Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostingClient } from '../../src/hosting/index.js';
import { createEmulator } from '../../src/testing/index.js';
import { createFetchHandler, type DeliveryStore } from '../../src/webhooks/index.js';
import { createClient, turns } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { folder } from './download-world.js';
import { secret, signed } from './webhook-receivers.js';

/** Values that the caller's code throws. Each test creates new values. */
const values: readonly [string, () => unknown][] = [
  ['an object without a prototype', () => Object.create(null)],
  ['an error from another realm', () => runInNewContext('new RangeError("other realm")')],
  [
    'a circular AggregateError',
    () => {
      const error = new AggregateError([], 'cycle');
      error.errors.push(error);
      error.cause = error;
      return error;
    },
  ],
  ['a symbol', () => Symbol('s')],
  ['undefined', () => undefined],
];

const ways: readonly [string, (value: unknown) => unknown][] = [
  [
    'throws',
    (value) => {
      throw value;
    },
  ],
  [
    'returns a thenable that throws',
    (value) => ({
      // biome-ignore lint/suspicious/noThenProperty: user code may return any thenable
      then: () => {
        throw value;
      },
    }),
  ],
  ['rejects with', (value) => Promise.reject(value)],
];

type Fail = () => never;

const take = () => serve((request, response) => sendJson(response, request.body.length));
const repo = { owner: 'o', repo: 'r' };

/**
 * Features that call the caller's code. Each triforge call must settle, regardless of what that
 * code does.
 */
const places: readonly [string, (fail: Fail) => Promise<unknown>][] = [
  [
    'a log',
    async (fail) => {
      const log = { debug: fail, info: fail, warn: fail, error: fail };
      const server = await serve((_request, response) => sendJson(response, []));
      expect(await createClient(server, { log }).pulls.list(repo).toArray()).toEqual([]);
    },
  ],
  [
    'an auth function',
    async (fail) =>
      await createClient(await take(), { auth: fail })
        .pulls.list(repo)
        .toArray(),
  ],
  [
    "an upload's onProgress",
    async (fail) => {
      const server = await take();
      const data = Readable.from([Buffer.alloc(300_000), Buffer.alloc(300_000)]);
      const upload = {
        upload_url: server.origin,
        name: 'a',
        content_type: 'a/b',
        data,
        size: 600_000,
      };
      return await createClient(server).releases.uploadAsset(upload, { onProgress: fail });
    },
  ],
  [
    "a download's onProgress",
    async (fail) => {
      const server = await serve((_request, response) => response.end(Buffer.alloc(100_000)));
      return await createClient(server).releases.downloadAsset(
        { ...repo, id: 1 },
        { to: join((await folder()).path, 'a'), onProgress: fail },
      );
    },
  ],
  [
    'a dispatcher',
    async (fail) => {
      const dispatcher = { dispatch: fail, close: fail, destroy: fail };
      // `as`: JavaScript callers may pass any object with these methods.
      const passed = dispatcher as unknown as Dispatcher;
      const baseUrl = 'http://code.example.test/api/v3/';
      const client = new HostingClient({ baseUrl, dispatcher: passed, retry: false });
      return await client.pulls.list(repo).toArray();
    },
  ],
  [
    'a cache store',
    async (fail) => {
      const server = await serve((_request, response) => sendJson(response, []));
      const store = {
        get: fail,
        set: fail,
        delete: fail,
        acquireLock: fail,
        lockOwner: fail,
        releaseLock: fail,
      };
      const client = createClient(server, { cache: { store } });
      expect(await client.pulls.list(repo).toArray()).toEqual([]);
    },
  ],
  [
    'a store for shared limits',
    async (fail) => {
      const server = await serve((_request, response) => sendJson(response, []));
      const client = createClient(server, { rateLimit: { shared: { exchangeLimits: fail } } });
      expect(await client.pulls.list(repo).toArray()).toEqual([]);
    },
  ],
  [
    'a schema',
    async (fail) => {
      const server = await take();
      const schema = { '~standard': { version: 1, vendor: 'own', validate: fail } } as const;
      return await createClient(server).request('GET /x', {}, { schema });
    },
  ],
  [
    'a delivery store',
    async (fail) => {
      const deliveries: DeliveryStore = {
        get: fail,
        set: fail,
        setIfAbsent: fail,
        delete: fail,
      };
      const receive = createFetchHandler({ secret, deliveries, onDelivery: () => undefined });
      expect((await receive(new Request('http://a.test/', signed('a')))).status).toBe(202);
    },
  ],
  [
    'a webhook handler and its onError',
    async (fail) => {
      for (const onError of [fail, undefined]) {
        const receive = createFetchHandler({ secret, onDelivery: fail, onError });
        expect((await receive(new Request('http://a.test/', signed()))).status).toBe(500);
      }
    },
  ],
  [
    'a dispatcher after the request has started',
    async (fail) => {
      const dispatcher = new (class extends EventEmitter {
        dispatch(_options: unknown, handler: Dispatcher.DispatchHandler) {
          // `as`: the client calls only the controller's `abort`.
          const controller = { abort: () => undefined } as Partial<Dispatcher.DispatchController>;
          const started = controller as Dispatcher.DispatchController;
          handler.onRequestStart?.(started, {});
          Promise.resolve()
            .then(fail)
            .catch((error: unknown) => {
              // `as`: JavaScript code may report any value.
              handler.onResponseError?.(started, error as Error);
            });
          return true;
        }
      })() as unknown as Dispatcher;
      const options = { dispatcher, retry: false } as const;
      await new HostingClient({ baseUrl: 'http://code.example.test/api/v3/', ...options })
        .request('GET /own')
        .catch(() => undefined);
    },
  ],
  [
    "an emulator's custom route",
    async (fail) => {
      const emulator = createEmulator();
      onTestFinished(() => emulator.close());
      emulator.hosting.route('GET /own', fail);
      const baseUrl = 'http://code.example.test/api/v3/';
      const dispatcher = emulator.dispatcher();
      const client = new HostingClient({ baseUrl, dispatcher, retry: false });
      await client.request('GET /own').catch(() => undefined);
      const { hostingUrl } = await emulator.listen();
      await fetch(`${hostingUrl}own`, { headers: { 'user-agent': 'a' } });
    },
  ],
];

describe.each(places)('failures in %s', (_place, use) => {
  it.each(ways)(
    "a failure in the caller's code neither leaves a call pending nor crashes the process (the code %s a value)",
    async (_way, by) => {
      const ended: string[] = [];
      let name = '';
      const note = (kind: string) => () => ended.push(`${kind}: ${name}`);
      const [unhandled, uncaught] = [note('unhandledRejection'), note('uncaughtException')];
      process.on('unhandledRejection', unhandled);
      process.on('uncaughtException', uncaught);
      onTestFinished(() => {
        process.off('unhandledRejection', unhandled);
        process.off('uncaughtException', uncaught);
      });
      for (const [what, value] of values) {
        name = what;
        // `as`: JavaScript code may return anything.
        const fail = (() => by(value())) as Fail;
        const outcome = await Promise.race([
          use(fail).then(
            () => 'resolved',
            // The call may reject with the value itself, which can't be inspected.
            (error: unknown) =>
              types.isNativeError(error) && error.name === 'AssertionError' ? error : 'rejected',
          ),
          new Promise((resolve) => setTimeout(resolve, 5000, 'never ended').unref()),
        ]);
        if (outcome === 'never ended') ended.push(`never ended: ${what}`);
        if (outcome instanceof Error) throw outcome;
        await turns(5);
      }
      expect(ended).toEqual([]);
    },
  );
});
