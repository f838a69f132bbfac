import { join } from 'node:path';
import { Readable } from 'node:stream';
import { types } from 'node:util';
import { runInNewContext } from 'node:vm';
import type { Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostingClient } from '../../src/hosting/index.js';
import { createFetchHandler } from '../../src/webhooks/index.js';
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
    'a schema',
    async (fail) => {
      const server = await take();
      const schema = { '~standard': { version: 1, vendor: 'own', validate: fail } } as const;
      return await createClient(server).request('GET /x', {}, { schema });
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
