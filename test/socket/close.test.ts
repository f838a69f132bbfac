import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/index.js';
import { createClient, rejectionOf, turns, until, watchRejections } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { type Handler, sendJson, serve, serveRaw, type TestServer } from '../support/server.js';
import { asset, content, etag, folder, respond } from './download-world.js';
import { auth } from './support-world.js';

const never: Handler = () => undefined;
/** Fields of the error of calls after `close()`. */
const closed = { code: 'connection', message: expect.stringContaining('the client is closed') };

/** Sends the start of a body that never ends. */
const begun: Handler = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000000' });
  response.write(Buffer.alloc(100_000));
};

const noSocket = (server: TestServer) =>
  until('no socket is open', async () => (await server.open()) === 0);

describe('close()', () => {
  it('ends unread streams immediately, regardless of the grace period', async () => {
    const server = await serve(begun);
    const hosting = createClient(server);
    const stream = await hosting.releases.downloadAsset(asset);
    const web = await hosting.releases.downloadAsset(asset, { as: 'web' });
    await hosting.close({ gracePeriod: 2 ** 31 - 1 });
    expect(stream.destroyed).toBe(true);
    const truncated = { code: 'response_body', reason: 'truncated' };
    expect(await rejectionOf(stream.toArray())).toMatchObject(truncated);
    expect(await rejectionOf(web.getReader().read())).toMatchObject(truncated);
    await noSocket(server);
  });

  it('an unread stream reports its error even to a listener added after close()', async () => {
    const rejections = watchRejections();
    const hosting = createClient(await serve(begun));
    const stream = await hosting.releases.downloadAsset(asset);
    await hosting.close();
    const [error] = await once(stream.resume(), 'error').catch((reason: unknown) => [reason]);
    expect(error).toMatchObject({ code: 'response_body' });
    expect(await rejections()).toEqual([]);
  });

  it('ends a partly read stream after the grace period', async () => {
    const server = await serve(begun);
    const hosting = createClient(server);
    const stream = await hosting.releases.downloadAsset(asset);
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    await hosting.close({ gracePeriod: 20 });
    const reading = async () => {
      for (;;) if ((await iterator.next()).done) return;
    };
    expect(await rejectionOf(reading())).toMatchObject({ reason: 'truncated' });
    await noSocket(server);
  });

  it('lets calls and streams in flight finish', async () => {
    let held: ServerResponse | undefined;
    const server = await serve((request, response) => {
      if (request.url.endsWith('/held')) held = response;
      else respond(request, response);
    });
    const hosting = createClient(server);
    const call = hosting.request('GET held');
    const stream = await hosting.releases.downloadAsset(asset);
    const bytes = stream.toArray();
    await until('the call is on its way', () => held !== undefined);
    const closing = hosting.close({ gracePeriod: 2 ** 31 - 1 });
    expect(Buffer.concat(await bytes)).toHaveLength(content.length);
    if (held) sendJson(held, { fine: true });
    expect(await call).toEqual({ fine: true });
    await closing;
    await noSocket(server);
  });

  it('rejects new calls immediately', async () => {
    const server = await serve(never);
    const hosting = createClient(server);
    const hanging = rejectionOf(hosting.request('GET a'));
    await until('it is on its way', () => server.log.length === 1);
    const closing = hosting.close({ gracePeriod: 2 ** 31 - 1 });
    const write = hosting.starring.star({ owner: 'o', repo: 'r' });
    expect(await rejectionOf(write)).toMatchObject({ ...closed, mayHaveActed: false });
    const list = hosting.pulls.list({ owner: 'o', repo: 'r' });
    expect(await rejectionOf(list.first())).toMatchObject(closed);
    const { path, names } = await folder();
    const download = hosting.releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(download)).toMatchObject(closed);
    expect(await names()).toEqual([]);
    const other = hosting.withAuth({ type: 'token', token: 't' });
    expect(await rejectionOf(other.request('GET b'))).toMatchObject(closed);
    await hosting.close({ gracePeriod: 0 });
    await closing;
    expect(await hanging).toMatchObject({ ...closed, mayHaveActed: true });
    expect(await rejectionOf(hosting.request('GET c'))).toMatchObject(closed);
    expect(server.log).toHaveLength(1);
    await noSocket(server);
  });

  it("close() ends the client's calls but leaves a custom dispatcher open", async () => {
    const server = await serve((request, response, index) =>
      request.url.endsWith('/held') ? never(request, response, index) : sendJson(response, []),
    );
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const hosting = createClient(server, { dispatcher });
    const other = createClient(server, { dispatcher });
    const hanging = rejectionOf(hosting.request('GET held'));
    await until('it is on its way', () => server.log.length === 1);
    await hosting.close({ gracePeriod: 1 });
    expect(await hanging).toMatchObject(closed);
    expect(await rejectionOf(hosting.request('GET b'))).toMatchObject(closed);
    expect(await other.request('GET c')).toEqual([]);
    await other.close();
  });

  it.each<[string, Partial<HostingClientOptions>, Handler]>([
    ['a wait for credentials', { auth: () => new Promise(() => undefined) }, never],
    [
      'a wait for the rate limit',
      { rateLimit: { onLimit: 'wait' } },
      (_request, response) => sendJson(response, {}, 429, { 'retry-after': '60' }),
    ],
    [
      'the pause before a retry',
      { retry: { baseDelay: 60_000, maxDelay: 60_000 } },
      (_request, response) => sendJson(response, {}, 503, { 'retry-after': '60' }),
    ],
    [
      'a redirect',
      {},
      (request, response) =>
        request.url.endsWith('/b') || response.writeHead(302, { location: '/b' }).end(),
    ],
    ['a response body', {}, begun],
    [
      'the prompt for a one-time password',
      {
        auth: {
          type: 'basic',
          username: 'u',
          password: 'p',
          otp: () => new Promise(() => undefined),
        },
      },
      (_request, response) => sendJson(response, {}, 401, { 'x-service-otp': 'required' }),
    ],
  ])('ends a call during %s', async (_what, options, handler) => {
    const server = await serve(handler);
    const hosting = createClient(server, { timeout: { total: false }, ...options });
    const failing = rejectionOf(hosting.request('GET a'));
    const queued = rejectionOf(hosting.request('GET a'));
    if (!('auth' in options) || typeof options.auth === 'object') {
      await until('it was sent', () => server.log.length > 0);
    }
    await hosting.close({ gracePeriod: 30 });
    expect(await failing).toMatchObject(closed);
    expect(await queued).toMatchObject(closed);
    await noSocket(server);
  });

  it('ends a pending connection attempt', async () => {
    const silent = await serveRaw(() => undefined);
    const baseUrl = silent.origin.replace('http:', 'https:');
    const hosting = new HostingClient({ baseUrl, retry: false });
    const failing = rejectionOf(hosting.request('GET a'));
    await until('it connects', () => silent.sockets.size === 1);
    await hosting.close({ gracePeriod: 0 });
    expect(await failing).toMatchObject(closed);
    await noSocket(silent);
  });

  it('ends an upload and destroys its source stream', async () => {
    const server = await serve(never);
    const hosting = createClient(server);
    const data = new Readable({ read() {} });
    data.push('some');
    const upload = { upload_url: server.origin, name: 'a', content_type: 'a/b', data, size: 10 };
    const failing = rejectionOf(hosting.releases.uploadAsset(upload));
    await until('it is on its way', () => server.requests.length === 1);
    await hosting.close({ gracePeriod: 10 });
    expect(await failing).toMatchObject({ ...closed, mayHaveActed: true });
    expect(data.destroyed).toBe(true);
    await noSocket(server);
  });

  it('lets a truncated file download resume', async () => {
    const server = await serve((request, response, index) => {
      if (index > 0) return respond(request, response);
      response.writeHead(200, { 'content-length': content.length, etag });
      return response.write(content.subarray(0, 5000), () => {
        void hosting.close({ gracePeriod: 2 ** 31 - 1 }).then(() => {
          isClosed = true;
        });
        response.destroy();
      });
    });
    let isClosed = false;
    const hosting = createClient(server);
    const { path } = await folder();
    const file = await hosting.releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(file.size).toBe(content.length);
    expect(server.log).toHaveLength(2);
    await until('the client is closed', () => isClosed);
  });

  it('ends a file download that is waiting to resume', async () => {
    const server = await serve((request, response) => respond(request, response, { cutAfter: 5 }));
    const hosting = createClient(server, { retry: { limit: 9, baseDelay: 2 ** 31 - 1 } });
    const { path, names } = await folder();
    const failing = rejectionOf(hosting.releases.downloadAsset(asset, { to: join(path, 'a') }));
    await until('it is on its way', () => server.log.length === 1);
    await hosting.close({ gracePeriod: 50 });
    expect(await failing).toMatchObject({
      code: expect.stringMatching(/connection|response_body/),
    });
    await until('nothing is left', async () => (await names()).length === 0);
  });

  it('lets a call in flight open a session', async () => {
    const server = await serve((request, response) => {
      if (!request.url.endsWith('/authenticate')) return sendJson(response, { id: 1 });
      return setTimeout(() => {
        sendJson(response, {
          success: true,
          access_token: 't',
          expires: '2099-01-01T00:00:00+0000',
        });
      }, 20);
    });
    const support = new SupportClient({
      baseUrl: `${server.origin}/api/v2`,
      auth,
      validation: 'off',
    });
    const call = support.me();
    const closing = support.close({ gracePeriod: 2 ** 31 - 1 });
    expect(await call).toEqual({ id: 1 });
    await closing;
  });

  it.each([-1, Number.NaN, 'soon', 2 ** 31])(
    'rejects a gracePeriod of %o and leaves the client open',
    async (gracePeriod) => {
      const hosting = createClient(await serve((_request, response) => sendJson(response, [])));
      const closing = Reflect.apply(hosting.close, hosting, [{ gracePeriod }]);
      expect(await rejectionOf(closing)).toMatchObject({
        code: 'invalid_request',
        field: 'gracePeriod',
      });
      expect(await hosting.request('GET a')).toEqual([]);
      await hosting.close();
    },
  );

  it.each([
    ['does not respond', ''],
    ['opens a tunnel but sends nothing', 'HTTP/1.1 200 Connection established\r\n\r\n'],
  ])('closes the connection to a proxy that %s', async (_how, response) => {
    const proxy = await serveRaw((socket) => response !== '' && socket.write(response));
    const hosting = new HostingClient({
      baseUrl: 'https://example.com/api/v3',
      proxy: proxy.origin,
      retry: false,
    });
    const call = rejectionOf(hosting.request('GET a'));
    await until('the proxy received a request', () => proxy.log.length > 0);
    // Gives the client time to read the proxy's response.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await hosting.close({ gracePeriod: 0 });
    expect(await call).toMatchObject(closed);
    await noSocket(proxy);
  });
});

const licenseMd5 = 'a'.repeat(32);
const running = { status: 'running', progress: [] };

describe('calls with file inputs', () => {
  const endless = () => {
    const stream = new Readable({ read() {} });
    stream.push('begin');
    return stream;
  };

  it('a call with file inputs completes if close() follows immediately', async () => {
    const server = await serve((_request, response) => response.writeHead(202).end());
    const appliance = new ConsoleClient({ baseUrl: server.origin });
    const { path } = await folder();
    const license = join(path, 'license');
    await writeFile(license, 'license');
    const call = appliance.start({ license, package: Buffer.from('package') });
    await appliance.close({ gracePeriod: 60_000 });
    expect(await call).toEqual({ location: undefined });
    expect(server.log).toEqual(['POST /setup/api/start']);
  });

  it('a call whose input stream never ends sends nothing and fails after the grace period of close()', async () => {
    const server = await serve((_request, response) => response.writeHead(202).end());
    const appliance = new ConsoleClient({ baseUrl: server.origin, auth: { licenseMd5 } });
    const streams = [endless(), endless(), endless()] as const;
    const [license, settings, authorized_key] = streams;
    const calls = [
      appliance.start({ license, package: Buffer.from('a') }),
      appliance.start({ license: Buffer.from('a'), settings, package: Buffer.from('a') }),
      appliance.authorizedKeys.add({ authorized_key }),
    ].map(rejectionOf);
    await appliance.close({ gracePeriod: 20 });
    for (const call of calls) {
      expect(await call).toMatchObject({ ...closed, mayHaveActed: false });
    }
    for (const stream of streams) expect(stream.destroyed).toBe(true);
    expect(server.log).toEqual([]);
  });

  it('a call whose input stream never ends fails when timeout.total expires', async () => {
    const server = await serve((_request, response) => response.writeHead(202).end());
    const appliance = new ConsoleClient({ baseUrl: server.origin });
    onTestFinished(() => appliance.close());
    const timers = holdTimers();
    const license = endless();
    const timeout = { total: heldLimit };
    const call = rejectionOf(appliance.start({ license, package: Buffer.from('a') }, { timeout }));
    await until('the file is read', () => license.readableFlowing !== null);
    timers.runOut();
    expect(await call).toMatchObject({ code: 'timeout', reason: 'total', mayHaveActed: false });
    expect(license.destroyed).toBe(true);
    expect(server.log).toEqual([]);
  });
});

describe('downloads to a file', () => {
  it('a download to a file completes if close() follows immediately', async () => {
    const server = await serve((request, response) => respond(request, response));
    const hosting = createClient(server);
    const { path } = await folder();
    const call = hosting.releases.downloadAsset(asset, { to: join(path, 'a') });
    await hosting.close({ gracePeriod: 60_000 });
    expect((await call).size).toBe(content.length);
  });
});

describe('waitForConfiguration()', () => {
  it('waitForConfiguration() stops waiting when the client closes', async () => {
    const server = await serve((_request, response) => sendJson(response, running));
    const appliance = new ConsoleClient({ baseUrl: server.origin, auth: { licenseMd5 } });
    const statuses = appliance.waitForConfiguration({ interval: 2 ** 31 - 1, timeout: false });
    const iterator = statuses[Symbol.asyncIterator]();
    await iterator.next();
    const next = rejectionOf(iterator.next());
    await turns(5);
    await appliance.close();
    expect(await next).toMatchObject(closed);
    expect(server.log).toHaveLength(1);
  });
});

describe('SupportClient.close()', () => {
  it('a closing SupportClient rejects authenticate() without opening a session', async () => {
    let held: ServerResponse | undefined;
    const server = await serve((request, response) => {
      if (request.url.includes('/me')) {
        held = response;
        return;
      }
      const expires = '2099-01-01T00:00:00+0000';
      sendJson(response, { success: true, access_token: 't', expires });
    });
    const support = new SupportClient({ baseUrl: server.origin, auth, validation: 'off' });
    const call = support.me();
    await until('it is on its way', () => held !== undefined);
    const closing = support.close({ gracePeriod: 60_000 });
    expect(await rejectionOf(support.authenticate())).toMatchObject(closed);
    if (held) sendJson(held, {});
    await call;
    await closing;
    expect(server.log.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });
});
