import { Agent } from 'undici';
import { expect } from 'vitest';
import { heldLimit } from '../../support/held-timers.js';
import { type Handler, sendJson } from '../../support/server.js';
import { broken, connection, fails, ok, onHttp, testFaults } from './fault-table.js';

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
/** Sends an endless body as fast as the client reads it. */
const flood: Handler = (_seen, response) => {
  response.writeHead(200);
  const pour = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', pour);
  pour();
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
    name: 'body never ends',
    place: onHttp(flood),
    options: { maxResponseBytes: 1_000_000 },
    ends: fails(broken('too_large')),
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
  {
    name: 'body arrives after the total timeout',
    place: onHttp(half),
    call: { timeout: { total: heldLimit } },
    runsOutAfter: 1,
    ends: fails(timedOut('total')),
  },
  {
    name: 'headers arrive late, without a headers timeout,',
    // undici checks timeouts twice a second, and a timeout expires at the second check.
    place: onHttp((_seen, response) => setTimeout(() => sendJson(response, ok), 1500)),
    options: { timeout: { headers: 20 } },
    call: { timeout: { headers: false } },
    ends: { GET: { result: ok } },
  },
  {
    name: 'redirect target never responds',
    place: onHttp((seen, response) =>
      seen.url === '/b' ? undefined : response.writeHead(307, { location: '/b' }).end(),
    ),
    call: { timeout: heldLimit },
    runsOutAfter: 2,
    ends: fails(timedOut('total'), { requests: 2 }),
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
  {
    name: 'whose dispatcher was closed',
    place: async () => {
      const dispatcher = new Agent();
      await dispatcher.close();
      return { origin: 'http://127.0.0.1:1', options: { dispatcher } };
    },
    ends: fails(connection(false)),
  },
]);
