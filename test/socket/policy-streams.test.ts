import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { RequestPolicy } from '../../src/index.js';
import { createClient, rejectionOf, until } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { asset, content, folder, hash } from './download-world.js';

/** Starts a server whose downloads stall on an open connection. */
const stalling = () =>
  serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.write(content.subarray(0, 1000));
  });

/** A policy that pipes the body through another stream. */
const metering: RequestPolicy = (next) => async (request, context) => {
  const response = await next(request, context);
  if (response.failed || !(response.body instanceof Readable)) return response;
  return { ...response, body: pipeline(response.body, new PassThrough(), () => undefined) };
};

const respondWith =
  (body: () => Buffer | Readable): RequestPolicy =>
  () =>
  async () => ({ failed: false, status: 200, statusText: 'OK', headers: {}, body: body() });

describe('policies that drop a streamed response', () => {
  const dropping: readonly (readonly [how: string, policy: RequestPolicy])[] = [
    [
      'throws',
      (next) => async (request, context) => {
        await next(request, context);
        throw new Error('mine');
      },
    ],
    [
      'returns another response',
      (next) => async (request, context) => {
        await next(request, context);
        return { failed: false, status: 404, statusText: '', headers: {}, body: Buffer.from('') };
      },
    ],
    [
      'never settles',
      (next) => async (request, context) => {
        await next(request, context);
        return await new Promise<never>(() => undefined);
      },
    ],
  ];

  it.each(dropping)(
    'a policy that drops a streamed response and %s leaves no connection open',
    async (_how, policy) => {
      const server = await stalling();
      const client = createClient(server, { policies: [policy] });
      const controller = new AbortController();
      const { signal } = controller;
      const errors = [1, 2, 3].map(() =>
        rejectionOf(client.releases.downloadAsset(asset, { signal })),
      );
      await until('the server got the requests', () => server.requests.length === 3);
      setTimeout(() => controller.abort(), 50);
      await Promise.all(errors);
      await until('the connections are closed', async () => (await server.open()) === 0);
    },
  );
});

describe('custom bodies from a policy', () => {
  it.each<[string, () => Buffer | Readable]>([
    ['a Buffer', () => content],
    ['an empty Buffer', () => Buffer.alloc(0)],
    ['a Readable', () => Readable.from([content.subarray(0, 9), content.subarray(9)])],
    ['a Readable of text', () => Readable.from(['ab', 'ü'])],
  ])(
    'a download delivers %s from a policy as a stream, a web stream and a file',
    async (_what, body) => {
      const { path } = await folder();
      const server = await serve((_request, response) => sendJson(response, {}));
      const client = createClient(server, { policies: [respondWith(body)] });
      const passed = body();
      const parts: unknown[] = passed instanceof Readable ? await passed.toArray() : [passed];
      const bytes = Buffer.concat(
        parts.map((part) => (part instanceof Buffer ? part : Buffer.from(String(part)))),
      );
      const stream = await client.releases.downloadAsset(asset);
      expect(stream).toBeInstanceOf(Readable);
      expect(hash(await buffer(stream))).toBe(hash(bytes));
      const web = await client.releases.downloadAsset(asset, { as: 'web' });
      expect(hash(await buffer(web))).toBe(hash(bytes));
      const to = join(path, 'file');
      await client.releases.downloadAsset(asset, { to });
      expect(hash(await readFile(to))).toBe(hash(bytes));
      expect(server.requests).toEqual([]);
    },
  );

  it('an aborted download with policies rejects with the abort reason while the body stalls', async () => {
    const server = await stalling();
    const client = createClient(server, { policies: [metering, metering] });
    const { path, names } = await folder();
    const reason = new Error('mine');
    for (const to of [undefined, join(path, 'file')]) {
      const controller = new AbortController();
      const { signal } = controller;
      const options = to === undefined ? { signal } : { signal, to };
      const read = async () => {
        const got = await client.releases.downloadAsset(asset, options);
        if (got instanceof Readable) await buffer(got);
      };
      const error = rejectionOf(read());
      setTimeout(() => controller.abort(reason), 100);
      expect(await error).toBe(reason);
    }
    expect(await names()).toEqual([]);
    await until('the connections are closed', async () => (await server.open()) === 0);
  });

  it('a download fails if a policy destroys the body', async () => {
    const server = await stalling();
    const destroying: RequestPolicy = (next) => async (request, context) => {
      const response = await next(request, context);
      if (!response.failed && response.body instanceof Readable) response.body.destroy();
      return response;
    };
    const client = createClient(server, { policies: [destroying] });
    const stream = async () => buffer(await client.releases.downloadAsset(asset));
    const web = async () => buffer(await client.releases.downloadAsset(asset, { as: 'web' }));
    expect(await rejectionOf(stream())).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect(await rejectionOf(web())).toBeInstanceOf(Error);
  });

  it.each<[string, (body: Readable) => Readable]>([
    [
      'fails',
      (body) =>
        body.pipe(
          new Transform({ transform: (_chunk, _encoding, done) => done(new Error('mine')) }),
        ),
    ],
    ['ends without reading the response', () => Readable.from([content])],
    ['contains an object', () => Readable.from([{ a: 1 }])],
  ])("a download leaves no connection open if a policy's body %s", async (_how, wrap) => {
    const server = await stalling();
    const wrapping: RequestPolicy = (next) => async (request, context) => {
      const response = await next(request, context);
      if (response.failed || !(response.body instanceof Readable)) return response;
      return { ...response, body: wrap(response.body) };
    };
    const client = createClient(server, { policies: [wrapping] });
    const stream = await client.releases.downloadAsset(asset);
    await buffer(stream).catch(() => undefined);
    await until('the connection is closed', async () => (await server.open()) === 0);
  });

  it("a download rejects a policy's body that contains an object", async () => {
    const body = () => Readable.from(['ab', { a: 1 }]);
    const server = await serve((_request, response) => sendJson(response, {}));
    const client = createClient(server, { policies: [respondWith(body)] });
    const read = async () => buffer(await client.releases.downloadAsset(asset));
    expect(await rejectionOf(read())).toMatchObject({
      code: 'configuration',
      message: 'policies: must return a body of bytes or text (got an object in its stream)',
    });
  });

  it("a download through a policy's stream ends when the client closes", async () => {
    const server = await stalling();
    const client = createClient(server, { policies: [metering] });
    const stream = await client.releases.downloadAsset(asset);
    const error = rejectionOf(buffer(stream));
    await client.close({ gracePeriod: 20 });
    expect(await error).toMatchObject({ code: 'CLIENT_CLOSED' });
    await until('the connections are closed', async () => (await server.open()) === 0);
  });
});

it("a policy's Readable body for a JSON response causes a ConfigurationError", async () => {
  const server = await serve((_request, response) => sendJson(response, {}));
  const client = createClient(server, { policies: [respondWith(() => Readable.from(['{}']))] });
  expect(await rejectionOf(client.request({ path: '/x' }))).toMatchObject({
    code: 'configuration',
    message: expect.stringContaining(
      'policies[0]: must return the body as a Buffer unless the method returns a stream and the status is 2xx',
    ),
  });
});

it("the client destroys an upload's stream if a policy responds instead of the server", async () => {
  const server = await serve((_request, response) => sendJson(response, {}));
  const client = createClient(server, { policies: [respondWith(() => Buffer.from('{}'))] });
  const data = Readable.from([content]);
  const upload_url = `${server.origin}/assets{?name}`;
  const input = { upload_url, name: 'a', content_type: 'text/plain', data, size: content.length };
  await client.releases.uploadAsset(input).as(z.unknown());
  expect(data.destroyed).toBe(true);
  expect(server.requests).toEqual([]);
});

it('later responses never change a body that a policy keeps', async () => {
  const server = await serve((_request, response, index) => {
    sendJson(response, { text: String(index).repeat(300_000) });
  });
  const kept: (Buffer | Readable)[] = [];
  const keeping: RequestPolicy = (next) => async (request, context) => {
    const response = await next(request, context);
    if (!response.failed) kept.push(response.body);
    return response;
  };
  const client = createClient(server, { policies: [keeping] });
  const plain = createClient(server);
  for (let call = 0; call < 4; call += 1) {
    await client.request({ path: '/x' });
    await plain.request({ path: '/x' });
  }
  expect(kept.map((body) => JSON.parse(String(body)).text[0])).toEqual(['0', '2', '4', '6']);
  expect(kept.map((body) => new Set(JSON.parse(String(body)).text).size)).toEqual([1, 1, 1, 1]);
});
