import { channel } from 'node:diagnostics_channel';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { HostingClient } from '../../src/index.js';
import { resolveLog } from '../../src/transport/request/diagnostics.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

/** Creates a log that records its lines. Durations become `N ms`. */
function keptLog() {
  const lines: string[] = [];
  const at = (level: string) => (line: string) => {
    lines.push(`${level}: ${line.replace(/\b\d+ ms/g, 'N ms')}`);
  };
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { lines, log };
}

/** Starts a server with a response for each kind of log line. */
const serveCases = () =>
  serve((request, response, index) => {
    if (index === 0) response.writeHead(502).end();
    else if (request.url.includes('/moved')) {
      response.writeHead(302, { location: '/api/v3/there?token=hush-of-location' }).end();
    } else if (request.url.includes('/broken')) response.destroy();
    else if (request.url.includes('/odd')) sendJson(response, { number: 'x' });
    else sendJson(response, [], 200, { etag: '"1"' });
  });

describe('the log option', () => {
  it('receives lines without secrets for requests, retries, redirects and invalid responses', async () => {
    const server = await serveCases();
    const { origin } = server;
    const { lines, log } = keptLog();
    const token = 'hush-hosting-token';
    const auth = { type: 'token', token, in: 'query' } as const;
    const client = createClient(server, { log, auth, validation: 'warn' });
    await client.request('GET list', { page: 2, q: 'hush-search' });
    await client.request('GET moved', { token: 'hush-query' });
    const Odd = z.object({ number: z.number() });
    await client.request('GET odd', {}, { schema: Odd });
    await rejectionOf(client.request('GET broken', {}, { retry: false }));
    const at = `${origin}/api/v3`;
    expect(lines).toEqual([
      `warn: request: GET ${at}/list?page=2&q=*** 502 in N ms`,
      'warn: request: retry in N ms, after 502',
      `info: request: GET ${at}/list?page=2&q=*** 200 in N ms, attempt 2`,
      `debug: request: 302 to ${at}/there?token=***`,
      `info: request: GET ${at}/there?token=*** 200 in N ms`,
      `info: request: GET ${at}/odd 200 in N ms`,
      expect.stringMatching(/^warn: request: the response does not match .*: number: /),
      `error: request: GET ${at}/broken connection after N ms`,
    ]);
    expect(lines.join()).not.toContain('hush');
    expect(channel('triforge:request:end').hasSubscribers, 'no subscription').toBe(false);
  });

  it('receives only lines about its own client', async () => {
    const server = await serveCases();
    const [one, other] = [keptLog(), keptLog()];
    const first = createClient(server, { log: one.log });
    const second = createClient(server, { log: other.log });
    await Promise.all([first.request('GET a'), createClient(server).request('GET b')]);
    await first.withAuth({ type: 'none' }).request('GET c');
    await second.request('GET d');
    expect(one.lines.join()).toContain('/c 200');
    expect(one.lines.join()).not.toMatch(/\/[bd] 200/);
    expect(other.lines).toEqual([expect.stringContaining('/d 200')]);
  });

  it('receives lines for cached responses and rate-limit waits', async () => {
    const server = await serve((request, response) => {
      if (request.headers['if-none-match']) response.writeHead(304).end();
      else sendJson(response, [], 200, { etag: '"1"' });
    });
    const { lines, log } = keptLog();
    const client = createClient(server, { log, cache: true });
    await client.request('GET a');
    await client.request('GET a');
    resolveLog(log)?.('triforge:wait', { operation: 'pulls.list', delay: 1200.4, reason: 'quota' });
    const at = `${server.origin}/api/v3`;
    expect(lines).toEqual([
      `info: request: GET ${at}/a 200 in N ms`,
      `info: request: GET ${at}/a 304 in N ms`,
      'debug: request: served from the cache',
      'info: pulls.list: waits N ms for the rate limit',
    ]);
  });

  it('accepts a pino logger or the console', async () => {
    const server = await serve((_request, response) => sendJson(response, []));
    let written = '';
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk);
        done();
      },
    });
    await createClient(server, { log: pino({ base: null }, stream) }).request('GET x');
    expect(JSON.parse(written)).toMatchObject({
      level: 30,
      msg: expect.stringMatching(/x 200 in/),
    });
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    await createClient(server, { log: console }).request('GET x');
    expect(info).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/x 200 in \d+ ms$/));
    info.mockRestore();
  });

  it.each([['debug'], [{ info() {} }]])('rejects %o', (log) => {
    // This call isn't type-checked, because JavaScript callers may pass anything.
    const make = () => Reflect.construct(HostingClient, [{ baseUrl: 'https://a.example', log }]);
    expect(make).toThrow(
      expect.objectContaining({
        code: 'configuration',
        option: 'log',
        message: expect.stringContaining('log: must be an object with the methods debug, info'),
      }),
    );
  });
});

describe('TRIFORGE_LOG', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it.each([
    ['debug', ['warn', 'warn', 'info', 'debug', 'info', 'error']],
    ['info', ['warn', 'warn', 'info', 'info', 'error']],
    ['', []],
  ])(
    'the TRIFORGE_LOG level %j selects the lines on standard error, unless the log option is set',
    async (level, expected) => {
      const levels: unknown[] = [];
      vi.spyOn(console, 'error').mockImplementation((line) => {
        levels.push(/^triforge (\w+): request: /.exec(String(line))?.[1]);
      });
      const server = await serveCases();
      vi.stubEnv('TRIFORGE_LOG', level);
      const client = createClient(server);
      await client.request('GET list');
      await client.request('GET moved');
      await rejectionOf(client.request('GET broken', {}, { retry: false }));
      expect(levels).toEqual(expected);
      const { lines, log } = keptLog();
      await createClient(server, { log }).request('GET x');
      expect(lines, 'the log option takes precedence').toHaveLength(1);
      expect(levels).toHaveLength(expected.length);
    },
  );

  it('an unknown TRIFORGE_LOG level causes a ConfigurationError', () => {
    vi.stubEnv('TRIFORGE_LOG', 'verbose');
    expect(() => new HostingClient({ baseUrl: 'https://a.example' })).toThrow(
      expect.objectContaining({
        message: `TRIFORGE_LOG: must be 'debug' or 'info' (got "verbose")`,
        option: 'TRIFORGE_LOG',
      }),
    );
  });
});
