import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HostingClient, OAuthWebFlow } from '../../src/hosting/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve, serveRaw } from '../support/server.js';

/** Returns the error that a call rejects with. */
async function errorOf(call: Promise<unknown>): Promise<Error> {
  const error = await rejectionOf(call);
  if (error instanceof Error) return error;
  throw new TypeError('expected an error');
}

describe('error hints', () => {
  it.each([
    [401, 'application/json', '{"message":"Bad credentials"}'],
    [404, 'application/json', '{"message":"Not Found"}'],
    [403, 'application/xml', '<Error><Code>AccessDenied</Code></Error>'],
  ])(
    'the error message for a %i names the redirect target that received no credentials',
    async (status, type, body) => {
      const other = await serve((_request, response) =>
        response.writeHead(status, { 'content-type': type }).end(body),
      );
      const server = await serve((_request, response) =>
        response.writeHead(302, { location: `${other.origin}/moved` }).end(),
      );
      const auth = { type: 'token', token: 'a-good-token' } as const;
      const { message } = await errorOf(createClient(server, { auth }).request('GET /x'));
      expect(message).toContain(`the response is from ${other.origin}, which received no credent`);
      expect(message).toContain(`If you trust ${other.origin}, add it to trustedOrigins.`);
      expect(message).not.toContain('Check auth');
      const trustedOrigins = [other.origin];
      const trusted = createClient(server, { auth, trustedOrigins });
      expect((await errorOf(trusted.request('GET /x'))).message).not.toContain('trustedOrigins');
      const anonymous = await errorOf(createClient(server).request('GET /x'));
      expect(anonymous.message, 'there are no credentials').not.toContain('trustedOrigins');
    },
  );

  it('the error message for a 404 with an HTML page mentions /api/v3/ unless baseUrl contains it', async () => {
    const server = await serve(({ url }, response) =>
      url.endsWith('/json')
        ? sendJson(response, { message: 'Not Found' }, 404)
        : response.writeHead(404, { 'content-type': 'text/html' }).end('<!DOCTYPE html>'),
    );
    const advice = 'baseUrl must include the path /api/v3/';
    const wrong = createClient(server, { baseUrl: server.origin });
    expect((await errorOf(wrong.request('GET /x'))).message).toContain(advice);
    expect((await errorOf(wrong.request('GET /json'))).message).not.toContain(advice);
    expect((await errorOf(createClient(server).request('GET /x'))).message).not.toContain(advice);
  });

  const vendorAdvice = "GitHub Enterprise needs vendor: 'github'.";

  it.each([
    ['a 415', 415, {}, undefined, true],
    [
      'a 415 from a server with the default vendor',
      415,
      { 'x-service-media-type': 'x' },
      undefined,
      false,
    ],
    ['stars without starred_at', 200, {}, undefined, true],
  ])(
    'the error message suggests the `vendor` option only if the server may need it: %s',
    async (_what, status, headers, vendor, does) => {
      const user = { login: 'mona', id: 1, avatar_url: 'a', url: 'u' };
      const server = await serve((_request, response) =>
        response.writeHead(status, headers).end(JSON.stringify(status === 200 ? [user] : {})),
      );
      const { starring } = createClient(server, { vendor });
      const list = starring.listStargazers({ owner: 'a', repo: 'b', mediaType: 'star' });
      const { message } = await errorOf(list.toArray());
      expect(message.includes(vendorAdvice), message).toBe(does);
    },
  );

  it("an error of OAuthWebFlow names the flow's own options", async () => {
    const application = { clientId: '0'.repeat(20), clientSecret: '1'.repeat(40) };
    const exchange = async (authUrl: string) => {
      await using flow = new OAuthWebFlow({ authUrl, ...application, retry: false });
      return await rejectionOf(flow.exchangeCode({ code: 'a-code' }));
    };
    const closing = await serveRaw((socket) => socket.end());
    expect(await exchange(closing.origin)).toHaveProperty(
      'message',
      expect.stringContaining('use https:// in authUrl.'),
    );
    const rejecting = await serve((_request, response) => sendJson(response, {}, 401));
    expect(await exchange(rejecting.origin)).toHaveProperty(
      'message',
      expect.stringContaining('Check clientId and clientSecret.'),
    );
  });
});

/** Matches both callers, the inner caller first. */
const callers = /innerCaller.*outerCaller/s;

const repo = { owner: 'o', repo: 'r' };

/** Every way to read a list. */
const lists: Readonly<Record<string, (hosting: HostingClient) => Promise<unknown>>> = {
  'a for await loop': async (hosting) => {
    for await (const _ of hosting.pulls.list(repo));
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
});
