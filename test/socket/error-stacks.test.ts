import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingClient } from '../../src/hosting/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { nobody, sendJson, serve } from '../support/server.js';
import { folder } from './download-world.js';

/** Matches both callers, the inner caller first. */
const callers = /innerCaller.*outerCaller/s;

const repo = { owner: 'o', repo: 'r' };

/** Every way to read a list. */
const lists: Readonly<Record<string, (hosting: HostingClient) => Promise<unknown>>> = {
  'a for await loop': async (hosting) => {
    for await (const _ of hosting.pulls.list(repo));
  },
  'pages()': async (hosting) => {
    for await (const _ of hosting.pulls.list(repo).pages());
  },
  'toArray()': async (hosting) => await hosting.pulls.list(repo).toArray(),
  'first()': async (hosting) => await hosting.pulls.list(repo).first(),
};

const calls: typeof lists = {
  ...lists,
  'a call': async (hosting) => await hosting.pulls.get({ ...repo, number: 1 }),
  'withResponse()': async (hosting) =>
    await hosting.pulls.get({ ...repo, number: 1 }).withResponse(),
};

/** Returns the stack of the error that a call throws through two nested callers. */
async function getStack(call: () => Promise<unknown>): Promise<string> {
  const limit = Error.stackTraceLimit;
  // This is Node's default. The test runner sets a different value.
  Error.stackTraceLimit = 10;
  onTestFinished(() => {
    Error.stackTraceLimit = limit;
  });
  async function innerCaller() {
    await call();
  }
  async function outerCaller() {
    await innerCaller();
  }
  const error = await rejectionOf(outerCaller());
  expect(Error.stackTraceLimit).toBe(10);
  return error instanceof Error ? (error.stack ?? '') : '';
}

/** Serves a list. `fail` responds to requests for page 2. */
function secondPage(fail: (response: ServerResponse) => void) {
  return serve((request, response) => {
    if (request.url.includes('page=2')) return fail(response);
    const host = request.headers.host;
    const link = (page: number) => `<http://${host}/api/v3/repos/o/r/pulls?page=${page}>`;
    return sendJson(response, [], 200, { link: `${link(2)}; rel="next", ${link(9)}; rel="last"` });
  });
}

describe('error.stack', () => {
  describe.each(Object.entries(calls))('of %s', (_name, call) => {
    it.each<[string, string, () => Promise<{ readonly origin: string }>]>([
      [
        'the server rejects the request',
        'NotFoundError',
        () => serve((_request, response) => sendJson(response, {}, 404)),
      ],
      ['the connection fails', 'ConnectionError', nobody],
      [
        'the client does not follow a redirect',
        'RedirectError',
        () =>
          serve((_request, response) =>
            response.writeHead(302, { location: 'ftp://example.com' }).end(),
          ),
      ],
      [
        "the response doesn't match its model",
        'ResponseShapeError',
        () => serve((_request, response) => sendJson(response, [{ id: 'x' }])),
      ],
    ])('shows the calling function and its caller if %s', async (_what, error, start) => {
      const client = createClient(await start(), { retry: false, cache: true });
      const stack = await getStack(() => call(client));
      expect(stack.startsWith(`${error}: pulls`), stack).toBe(true);
      expect(stack).toMatch(callers);
    });

    it('shows the calling function and its caller if the input is invalid', async () => {
      const server = await nobody();
      const hosting = createClient(server, { headers: { 'x-a': 'b' } });
      Object.assign(repo, { owner: '' });
      const stack = await getStack(() => call(hosting)).finally(() =>
        Object.assign(repo, { owner: 'o' }),
      );
      expect(stack).toMatch(/^InvalidRequestError: pulls/);
      expect(stack).toMatch(callers);
    });
  });

  const whole = Object.entries(lists).filter(([name]) => name !== 'first()');
  for (const concurrency of [1, 4]) {
    it.each(whole)(
      `shows the function that uses %s and its caller if page 2 fails (concurrency: ${concurrency})`,
      async (_, call) => {
        const server = await secondPage((response) => response.destroy());
        const stack = await getStack(() =>
          call(createClient(server, { retry: false, concurrency })),
        );
        expect(stack).toMatch(/^ConnectionError: pulls/);
        expect(stack).toMatch(callers);
      },
    );
  }

  it('shows the calling function and its caller if a file download is truncated', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('x', () => response.destroy());
    });
    const hosting = createClient(server, { retry: { limit: 1, baseDelay: 0 } });
    const to = join((await folder()).path, 'file');
    const stack = await getStack(
      async () => await hosting.releases.downloadAsset({ ...repo, id: 1 }, { to }),
    );
    expect(stack).toMatch(/^ResponseBodyError: releases/);
    expect(stack).toMatch(callers);
  });

  it('contains no frames if Error.stackTraceLimit is 0', async () => {
    const server = await nobody();
    const hosting = createClient(server, { retry: false });
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    const error = await rejectionOf(hosting.pulls.list(repo).first()).finally(() => {
      Error.stackTraceLimit = limit;
    });
    expect(String(error instanceof Error && error.stack)).not.toContain('\n');
  });
});
