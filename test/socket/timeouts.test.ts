import { getEventListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf, until, watchWarnings } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { listening, sendJson, serve } from '../support/server.js';
import { folder } from './download-world.js';

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

  it('timeout.total leaves no timer behind after an early response to an upload', async () => {
    const data = join((await folder()).path, 'big');
    await writeFile(data, Buffer.alloc(8_000_000));
    const early = createServer((_request, response) => {
      response.writeHead(401, { connection: 'close' }).end('{}');
    });
    const { origin } = await listening(early);
    const timers = holdTimers();
    const client = createClient({ origin }, { timeout: { total: heldLimit } });
    const upload = { upload_url: origin, name: 'a', content_type: 'a/b', data };
    await rejectionOf(client.releases.uploadAsset(upload));
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    expect([timers.started > 0, timers.running]).toEqual([true, 0]);
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
