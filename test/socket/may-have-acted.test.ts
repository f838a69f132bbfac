import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf, until } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { type Handler, sendJson, serve, serveRaw } from '../support/server.js';

const target = { owner: 'o', repo: 'r', id: 1 };
const none: Handler = (_request, response) => sendJson(response, { message: 'Not Found' }, 404);

describe('a retried DELETE', () => {
  const refusals: Readonly<Record<string, Handler>> = {
    'a 429 with Retry-After': (_request, response) =>
      sendJson(response, {}, 429, { 'retry-after': '0' }),
  };
  for (const [name, refuse] of Object.entries(refusals)) {
    it(`a retried DELETE rejects with a 404 if the first attempt got ${name}`, async () => {
      const server = await serve((seen, response, index) =>
        (index === 0 ? refuse : none)(seen, response, index),
      );
      const client = createClient(server);
      expect(await rejectionOf(client.releases.delete(target))).toMatchObject({
        status: 404,
        mayHaveActed: false,
      });
      expect(server.requests).toHaveLength(2);
    });
  }
});

describe('writes redirected by a 303', () => {
  const failures: Readonly<Record<string, Handler>> = {
    'a connection reset': (_request, response) => response.destroy(),
    'a 503 with Retry-After': (_request, response) =>
      sendJson(response, {}, 503, { 'retry-after': '0' }),
    'a 429 with Retry-After': (_request, response) =>
      sendJson(response, {}, 429, { 'retry-after': '0' }),
    'a 403 for a secondary limit': (_request, response) =>
      sendJson(response, { message: 'You have exceeded a secondary rate limit' }, 403, {
        'retry-after': '0',
      }),
  };
  for (const [name, fail] of Object.entries(failures)) {
    it(`the client sends a write only once if the GET after its 303 gets ${name}`, async () => {
      const server = await serve((seen, response, index) => {
        if (seen.method === 'POST') response.writeHead(303, { location: '/result' }).end();
        else fail(seen, response, index);
      });
      const call = createClient(server).request(
        'POST /x',
        {},
        { body: { data: JSON.stringify({}), contentType: 'application/json' } },
      );
      expect(await rejectionOf(call)).toMatchObject({ mayHaveActed: true });
      expect(server.log.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    });
  }

  it('the client sets mayHaveActed if the target of a 303 refuses connections', async () => {
    const gone = await serve(none);
    const origin = gone.origin;
    await gone.close();
    const server = await serve((_seen, response) =>
      response.writeHead(303, { location: `${origin}/result` }).end(),
    );
    const call = createClient(server).request(
      'POST /x',
      {},
      { body: { data: JSON.stringify({}), contentType: 'application/json' } },
    );
    expect(await rejectionOf(call)).toMatchObject({ code: 'connection', mayHaveActed: true });
    expect(server.log, 'a POST is never sent twice').toHaveLength(1);
  });
});

describe('truncated error responses', () => {
  for (const [status, mayHaveActed, output] of [
    ['403 Forbidden', false, 'The server did not execute the request.'],
    ['500 Oops', true, 'The server may have executed the request.'],
  ] as const) {
    it(`the client reports "${output}" for a truncated response with the status ${status}`, async () => {
      const server = await serveRaw((socket) =>
        socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\n{"mess`),
      );
      const call = createClient(server).request(
        'POST /x',
        {},
        { body: { data: JSON.stringify({}), contentType: 'application/json' } },
      );
      const error = await rejectionOf(call);
      expect(error).toMatchObject({ reason: 'truncated', mayHaveActed });
      expect(String(error)).toContain(output);
      expect(String(error)).not.toContain('The server executed');
    });
  }
});

it('a timeout while credentials are renewed sets mayHaveActed if an earlier attempt was sent', async () => {
  const server = await serve((_request, response) => response.destroy());
  let requests = 0;
  const timers = holdTimers();
  const client = createClient(server, {
    timeout: { total: heldLimit },
    auth: () => {
      requests++;
      return requests === 1 ? { type: 'token', token: 't' } : new Promise(() => undefined);
    },
  });
  const failing = rejectionOf(client.starring.star({ owner: 'o', repo: 'r' }));
  await until('credentials were requested again', () => requests === 2);
  timers.runOut();
  const error = await failing;
  expect(error).toMatchObject({ code: 'timeout', reason: 'total', mayHaveActed: true });
  expect(server.log, 'the second attempt was never sent').toHaveLength(1);
});

describe('error responses', () => {
  for (const [status, headers, mayHaveActed] of [
    [403, {}, false],
    [422, {}, false],
    [500, {}, true],
    [503, {}, true],
    [503, { 'retry-after': '3600' }, true],
    [503, { 'retry-after': '0' }, true],
  ] as const) {
    const when = 'retry-after' in headers ? ` with Retry-After: ${headers['retry-after']}` : '';
    it(`the client sets mayHaveActed to ${mayHaveActed} after a ${status}${when}`, async () => {
      const server = await serve((_seen, response) => sendJson(response, {}, status, headers));
      const call = createClient(server).request(
        'POST /x',
        {},
        { body: { data: JSON.stringify({}), contentType: 'application/json' } },
      );
      expect(await rejectionOf(call)).toMatchObject({ status, mayHaveActed });
    });
  }

  it('the client sets mayHaveActed if an earlier attempt of the call lost its connection', async () => {
    const server = await serve((_seen, response, index) => {
      if (index === 0) response.destroy();
      else sendJson(response, { message: 'no' }, 403);
    });
    const call = createClient(server).starring.star({ owner: 'o', repo: 'r' });
    expect(await rejectionOf(call)).toMatchObject({ code: 'permission', mayHaveActed: true });
  });
});
