import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { constants, createSecureServer, type Http2ServerResponse } from 'node:http2';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, rejectionOf, until } from '../support/client.js';
import { listening } from '../support/server.js';
import { certificate, privateKey } from './console-certificate.js';
import { asset, folder, hash } from './download-world.js';

/** Creates a client with an HTTP/2 dispatcher. */
function createClientOf(port: number) {
  const dispatcher = new Agent({ allowH2: true, connections: 1, connect: { ca: certificate } });
  onTestFinished(() => dispatcher.destroy());
  return createClient({ origin: `https://localhost:${port}` }, { dispatcher });
}

/** Starts a server that supports only HTTP/2, and creates a client with an HTTP/2 dispatcher. */
async function world() {
  const log: string[] = [];
  const bodies: string[] = [];
  let sessions = 0;
  const json = (response: Http2ServerResponse, value: unknown, status = 200, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  const server = createSecureServer({ cert: certificate, key: privateKey, allowHTTP1: false });
  server.on('session', () => {
    sessions += 1;
  });
  server.on('request', async (request, response) => {
    log.push(`HTTP/${request.httpVersion} ${request.method} ${request.url}`);
    const url = new URL(request.url, origin);
    const page = Number(url.searchParams.get('page') ?? 1);
    if (request.method === 'POST') {
      bodies.push(await text(request));
      json(response, { length: bodies.at(-1)?.length }, 201);
    } else if (url.pathname.endsWith('/items')) {
      const to = (number: number, rel: string) =>
        `<${origin}/api/v3/items?page=${number}>; rel="${rel}"`;
      const link = page < 9 ? { link: `${to(page + 1, 'next')}, ${to(9, 'last')}` } : {};
      json(response, [page], 200, link);
    } else if (url.pathname.endsWith('/moved')) {
      response.writeHead(302, { location: '/api/v3/found' }).end();
    } else if (url.pathname.endsWith('/found')) {
      json(response, { found: true });
    } else if (url.pathname.endsWith('/busy')) {
      const isFirst = log.filter((line) => line.endsWith('/busy')).length === 1;
      json(response, { busy: isFirst }, isFirst ? 503 : 200);
    } else if (!url.pathname.endsWith('/never')) {
      json(response, { message: 'Not Found' }, 404);
    }
  });
  const { port } = await listening(server);
  const origin = `https://localhost:${port}`;
  const client = createClientOf(port);
  return { client, log, bodies, origin, sessions: () => sessions };
}

test('an HTTP/2 dispatcher supports lists, writes, redirects, retries and errors', async () => {
  const { client, log, bodies, origin, sessions } = await world();
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect(await client.paginate('GET /items').toArray()).toEqual(all);
  expect(await client.paginate('GET /items', {}, { concurrency: 4 }).toArray()).toEqual(all);

  const posted = await client.request('POST /notes', { a: 'ä' });
  expect([posted, bodies]).toEqual([{ length: 9 }, ['{"a":"ä"}']]);
  const data = Readable.from([Buffer.from('ab'), Buffer.from('cd')]);
  const upload = { upload_url: origin, name: 'a', content_type: 'a/b', data, size: 4 };
  const sent = client.releases.uploadAsset(upload, { validation: 'off' });
  expect([await sent, bodies.at(-1)]).toEqual([{ length: 4 }, 'abcd']);

  expect(await client.request('GET /moved')).toEqual({ found: true });
  expect(await client.request('GET /busy')).toEqual({ busy: false });
  const missing = rejectionOf(client.request('GET /missing'));
  expect(await missing).toMatchObject({ code: 'not_found', status: 404 });

  expect(log.filter((line) => !line.startsWith('HTTP/2.0 '))).toEqual([]);
  expect(sessions(), 'number of connections').toBe(1);
});

test('an aborted HTTP/2 call leaves the connection usable', async () => {
  const { client, log, sessions } = await world();
  const controller = new AbortController();
  const call = rejectionOf(client.request('GET /never', {}, { signal: controller.signal }));
  await until('a request arrived', () => log.length === 1);
  const stopped = new Error('stopped');
  controller.abort(stopped);
  expect(await call).toBe(stopped);
  expect(await client.request('GET /found')).toEqual({ found: true });
  expect(sessions()).toBe(1);
});

test('the client resumes a file download if the server resets the HTTP/2 stream', async () => {
  const bytes = randomBytes(300_000);
  const server = createSecureServer({ cert: certificate, key: privateKey, allowHTTP1: false });
  const ranges: unknown[] = [];
  server.on('stream', (stream, { range }) => {
    stream.on('error', () => undefined);
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const rest = bytes.subarray(from);
    stream.respond({
      ':status': from > 0 ? 206 : 200,
      'content-type': 'application/zip',
      'content-length': rest.length,
      etag: '"one"',
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    const reset = () => stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    if (ranges.length > 1) stream.end(rest);
    else stream.write(rest.subarray(0, 100_000), () => setImmediate(reset));
  });
  const { port } = await listening(server);
  const client = createClientOf(port);
  const to = join((await folder()).path, 'a');
  await client.releases.downloadAsset(asset, { to });
  expect(hash(await readFile(to))).toBe(hash(bytes));
  expect(ranges).toEqual([undefined, 'bytes=100000-']);
});
