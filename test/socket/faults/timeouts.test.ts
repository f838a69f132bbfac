import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf, until, watchWarnings } from '../../support/client.js';
import { heldLimit, holdTimers } from '../../support/held-timers.js';
import { type Handler, sendJson, serve } from '../../support/server.js';
import { fails, onHttp, testFaults } from './fault-table.js';

const timedOut = (reason: string, mayHaveActed = true) => ({
  name: 'TimeoutError',
  code: 'timeout',
  reason,
  mayHaveActed,
});
const never: Handler = () => undefined;
const half: Handler = (_seen, response) => {
  response.writeHead(200, { 'content-length': '10' });
  response.write('[');
};

testFaults('slow responses', 'a response whose', [
  {
    name: 'headers never arrive',
    place: onHttp(never),
    call: { timeout: { headers: 20 } },
    ends: {
      GET: {
        error: {
          ...timedOut('headers'),
          message: expect.stringMatching(/did not respond within 20 ms \[GET/),
        },
        attempts: 3,
      },
      POST: {
        error: { ...timedOut('headers'), message: expect.stringContaining('may have executed') },
      },
    },
  },
  {
    name: 'body stalls',
    place: onHttp(half),
    call: { timeout: { body: 20 } },
    ends: {
      GET: {
        error: { ...timedOut('body'), message: expect.stringContaining('stalled for 20 ms') },
        attempts: 3,
      },
      POST: { error: timedOut('body') },
    },
  },
  {
    name: 'headers arrive after the total timeout',
    place: onHttp(never),
    call: { timeout: heldLimit },
    runsOutAfter: 1,
    ends: {
      GET: {
        error: { ...timedOut('total'), message: expect.stringContaining(`within ${heldLimit} ms`) },
      },
      POST: { error: timedOut('total') },
    },
  },
]);

testFaults('slow connections', 'a connection', [
  {
    name: 'that takes too long to establish',
    // A hanging connection can't be produced on the loopback interface, so the dispatcher reports a
    // connect timeout.
    place: async () => ({
      origin: 'http://127.0.0.1:1',
      options: {
        dispatcher: new Agent({
          connect: (_options: object, done: (error: Error, socket: null) => void) => {
            done(Object.assign(new Error('slow'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), null);
          },
        }),
      },
    }),
    ends: {
      GET: { error: timedOut('connect', false), attempts: 3 },
      POST: { error: timedOut('connect', false), attempts: 3 },
    },
  },
  {
    name: 'that is never established',
    place: async () => ({
      origin: 'http://127.0.0.1:1',
      options: { dispatcher: new Agent({ connect: () => undefined }) },
    }),
    call: { timeout: 50 },
    ends: fails(timedOut('total', false)),
  },
]);

describe('timeout.total', () => {
  it('timeout.total limits all attempts of a call together', async () => {
    const server = await serve((_request, response, index) => {
      if (index < 3) response.destroy(); // The fourth request gets no response.
    });
    const timers = holdTimers();
    const client = createClient(server, { retry: { limit: 100, baseDelay: 0 } });
    const ended = rejectionOf(client.request('GET /x', {}, { timeout: heldLimit }));
    await until('the fourth attempt is under way', () => server.requests.length === 4);
    expect([timers.started, timers.running], 'one timer for all attempts').toEqual([1, 1]);
    timers.runOut();
    expect(await ended).toMatchObject({ code: 'timeout', reason: 'total', mayHaveActed: true });
    expect(server.requests).toHaveLength(4);
  });

  it('timeout.total limits each page of a list, and `signal` limits the whole list', async () => {
    const server = await serve((_request, response, index) => {
      const link = `<${server.origin}/api/v3/repos/a/b/pulls?page=${index + 2}>; rel="next"`;
      response.writeHead(200, index < 2 ? { link } : {}).end('[]');
    });
    const timers = holdTimers();
    const controller = new AbortController();
    const options = { timeout: heldLimit, signal: controller.signal, prefetch: false };
    const { pulls } = createClient(server);
    const pages = pulls.list({ owner: 'a', repo: 'b' }, options).pages()[Symbol.asyncIterator]();
    await pages.next();
    await pages.next();
    expect([timers.started, timers.running], 'one timer for each page').toEqual([2, 0]);
    const reason = new Error('time is over');
    controller.abort(reason);
    expect(await rejectionOf(pages.next())).toBe(reason);
  });

  it('timeout.total pauses during a streamed upload', async () => {
    const server = await serve(async (request, response) => {
      await until('the total timeout resumes', () => timers.running === 1);
      sendJson(response, request.body.length);
    });
    const timers = holdTimers();
    const data = Readable.from(
      (async function* () {
        yield Buffer.from('x');
        await until('the first byte arrived', () => server.requests[0]?.body === 'x');
        timers.runOut();
        yield Buffer.from('y');
      })(),
    );
    const client = createClient(server, { validation: 'off', timeout: { total: heldLimit } });
    const upload = { upload_url: server.origin, name: 'a', content_type: 'a/b', data, size: 2 };
    expect(await client.releases.uploadAsset(upload)).toBe(2);
  });
});

describe('the signal option', () => {
  it('50 concurrent calls with one signal cause no warning and leave no listeners', async () => {
    const warnings = watchWarnings();
    const server = await serve((_request, response) => sendJson(response, 1));
    const client = createClient(server);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 50 }, () => client.request('GET /', {}, { signal })));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
