import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';
import { createClient, rejectionOf, turns, until } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { type Handler, sendJson, serve, serveRaw, type TestServer } from '../support/server.js';
import { asset, folder, respond } from './download-world.js';

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
  it('ends unread streams', async () => {
    const server = await serve(begun);
    const hosting = createClient(server);
    const stream = await hosting.releases.downloadAsset(asset);
    const web = await hosting.releases.downloadAsset(asset, { as: 'web' });
    await hosting.close();
    expect(stream.destroyed).toBe(true);
    const truncated = { code: 'response_body', reason: 'truncated' };
    expect(await rejectionOf(stream.toArray())).toMatchObject(truncated);
    expect(await rejectionOf(web.getReader().read())).toMatchObject(truncated);
    await noSocket(server);
  });

  it('rejects new calls immediately', async () => {
    const server = await serve(never);
    const hosting = createClient(server);
    const hanging = rejectionOf(hosting.request('GET a'));
    await until('a request arrived', () => server.log.length === 1);
    const closing = hosting.close();
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
    await until('a request arrived', () => server.log.length === 1);
    await hosting.close();
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
      await until('a request arrived', () => server.log.length > 0);
    }
    await hosting.close();
    expect(await failing).toMatchObject(closed);
    expect(await queued).toMatchObject(closed);
    await noSocket(server);
  });

  it('ends a pending connection attempt', async () => {
    const silent = await serveRaw(() => undefined);
    const baseUrl = silent.origin.replace('http:', 'https:');
    const hosting = new HostingClient({ baseUrl, retry: false });
    const failing = rejectionOf(hosting.request('GET a'));
    await until('the client connects', () => silent.sockets.size === 1);
    await hosting.close();
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
    await until('a request arrived', () => server.requests.length === 1);
    await hosting.close();
    expect(await failing).toMatchObject({ ...closed, mayHaveActed: true });
    expect(data.destroyed).toBe(true);
    await noSocket(server);
  });

  it('ends a file download that waits to resume', async () => {
    const server = await serve((request, response) => respond(request, response, { cutAfter: 5 }));
    const hosting = createClient(server, { retry: { limit: 9, baseDelay: 2 ** 31 - 1 } });
    const { path, names } = await folder();
    const failing = rejectionOf(hosting.releases.downloadAsset(asset, { to: join(path, 'a') }));
    await until('a request arrived', () => server.log.length === 1);
    await hosting.close();
    expect(await failing).toMatchObject({
      code: expect.stringMatching(/connection|response_body/),
    });
    await until('no file is left', async () => (await names()).length === 0);
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
