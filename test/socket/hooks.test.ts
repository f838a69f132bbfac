import { Agent, interceptors } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ConfigurationError,
  HookError,
  NotFoundError,
  TimeoutError,
  UnprocessableError,
} from '../../src/errors/index.js';
import type { HookRequest, HookResponse, RequestHooks } from '../../src/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const repo = { owner: 'acme', repo: 'rocket' };
const release = { ...repo, tag_name: 'v1' };
const token = 'ghp_0123456789abcdef';
const options = { auth: { type: 'token', token }, validation: 'off' } as const;

/** Hooks that record everything they see. */
function recordHooks() {
  const requests: HookRequest[] = [];
  const responses: [HookRequest, HookResponse][] = [];
  const hooks: RequestHooks = {
    beforeRequest: (request) => {
      requests.push(request);
      return { 'x-trace': `${requests.length}` };
    },
    afterResponse: (request, response) => {
      responses.push([request, response]);
    },
  };
  return { hooks, requests, responses };
}

describe('hooks', () => {
  it('receive the method, URL, status and headers of each attempt, and can add headers', async () => {
    const server = await serve((_request, response, index) =>
      sendJson(response, {}, index === 0 ? 502 : 200, { 'x-served': `${index}` }),
    );
    const { hooks, requests, responses } = recordHooks();
    const client = createClient(server, { ...options, hooks });
    await client.pulls.get({ ...repo, number: 1 });
    const url = `${server.origin}/api/v3/repos/acme/rocket/pulls/1`;
    const seen = { operation: 'pulls.get', method: 'GET', url };
    expect(requests).toEqual([
      { ...seen, attempt: 1, headers: {} },
      { ...seen, attempt: 2, headers: {} },
    ]);
    expect(
      responses.map(([request, { status, headers }]) => [request, status, headers['x-served']]),
    ).toEqual([
      [{ ...seen, attempt: 1, headers: { 'x-trace': '1' } }, 502, '0'],
      [{ ...seen, attempt: 2, headers: { 'x-trace': '2' } }, 200, '1'],
    ]);
    expect(server.requests.map(({ headers }) => headers['x-trace'])).toEqual(['1', '2']);
  });

  it('receive neither credentials nor secrets that the server echoes', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, {}, 200, { 'x-echo': `token ${token}` }),
    );
    const { hooks, requests, responses } = recordHooks();
    const client = createClient(server, { ...options, hooks });
    await client.hooks.create({
      ...repo,
      name: 'web',
      config: { url: 'https://ci.example.com', secret: 's3cret-hook' },
    });
    const seen = JSON.stringify([requests, responses]);
    expect(seen).toContain('x-echo');
    expect(seen).not.toContain(token);
    expect(seen).not.toContain('s3cret-hook');
  });

  it('cannot set headers that the client sets', async () => {
    const server = await serve((_request, response) => sendJson(response, {}));
    const hooks = { beforeRequest: () => ({ authorization: 'token other' }) };
    const call = createClient(server, { ...options, hooks }).pulls.get({ ...repo, number: 1 });
    await expect(call).rejects.toThrow(
      /^pulls\.get: hooks\.beforeRequest failed: headers\.authorization: must not be set.* \[GET http/,
    );
    expect(server.requests).toEqual([]);
  });

  it('cannot add headers to a request to an untrusted origin', async () => {
    const other = await serve((_request, response) => sendJson(response, {}));
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${other.origin}/x` }).end(),
    );
    const { hooks, requests } = recordHooks();
    await createClient(server, { ...options, hooks }).pulls.get({ ...repo, number: 1 });
    expect(requests.map(({ url }) => new URL(url).origin)).toEqual([server.origin, other.origin]);
    expect(other.requests[0]?.headers['x-trace']).toBeUndefined();
  });

  it.each(['an object', 5])('must be functions (got %s)', (hook) => {
    // `as`: JavaScript callers can pass anything.
    const hooks = { beforeRequest: hook } as unknown as RequestHooks;
    expect(() => createClient({ origin: 'https://code.test' }, { hooks })).toThrow(
      /^hooks\.beforeRequest: must be a function/,
    );
  });
});

describe('hooks that throw', () => {
  const boom = new Error('the tracer is down');
  const fail = () => {
    throw boom;
  };

  it('an error in beforeRequest rejects the call before it is sent', async () => {
    const server = await serve((_request, response) => sendJson(response, {}));
    const client = createClient(server, { ...options, hooks: { beforeRequest: fail } });
    const error = await rejectionOf(client.releases.create(release));
    expect(error).toBeInstanceOf(HookError);
    expect(error).toMatchObject({ code: 'hook', cause: boom, mayHaveActed: false });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['true after a write that succeeded', 201, true],
    ['true after a write whose outcome is unknown', 502, true],
    ['false after a write that was rejected', 422, false],
    ['false after a write that was rate limited', 429, false],
  ])(
    'an error in afterResponse rejects the call without a retry, with mayHaveActed: %s',
    async (_name, status, mayHaveActed) => {
      const server = await serve((_request, response) => sendJson(response, {}, status));
      const client = createClient(server, { ...options, hooks: { afterResponse: fail } });
      const error = await rejectionOf(client.releases.create(release));
      expect(error).toMatchObject({ name: 'HookError', cause: boom, mayHaveActed });
      expect(server.requests).toHaveLength(1);
    },
  );
});

it('a call times out after its total timeout if a hook never settles', async () => {
  const server = await serve((_request, response) => sendJson(response, {}));
  const hooks = { afterResponse: () => new Promise<void>(() => {}) };
  const client = createClient(server, { ...options, hooks });
  const error = await rejectionOf(client.releases.create(release, { timeout: 100 }));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ reason: 'total', mayHaveActed: true });
});

it('a hook that throws after a 303 causes an error with mayHaveActed: true', async () => {
  const server = await serve((request, response) =>
    request.method === 'POST'
      ? response.writeHead(303, { location: '/api/v3/done' }).end()
      : sendJson(response, {}),
  );
  let requests = 0;
  const hooks = {
    beforeRequest: () => {
      if (++requests === 2) throw new Error('boom');
      return undefined;
    },
  };
  const error = await rejectionOf(
    createClient(server, { ...options, hooks }).releases.create(release),
  );
  expect(error).toMatchObject({ name: 'HookError', mayHaveActed: true });
});

describe('the responseError interceptor of undici', () => {
  it.each([
    ['GET /gone', 404, NotFoundError],
    ['POST /items', 422, UnprocessableError],
  ] as const)(
    'keeps the error class, and the client sends %s only once',
    async (route, status, ErrorClass) => {
      const agent = new Agent();
      onTestFinished(() => agent.close());
      const dispatcher = agent.compose(interceptors.responseError());
      const server = await serve((_request, response) =>
        sendJson(response, { message: 'Nope' }, status),
      );
      const error = await rejectionOf(createClient(server, { dispatcher }).request(route));
      expect(error).toBeInstanceOf(ErrorClass);
      expect(error).toMatchObject({ mayHaveActed: false, body: { message: 'Nope' } });
      expect(server.requests).toHaveLength(1);
    },
  );
});

describe('a dispatcher from undici 6', () => {
  it('the error of the first call explains that the dispatcher needs undici 7', async () => {
    // undici 6 throws this error, because the handler has no `onError` method.
    const dispatcher = {
      dispatch: () => {
        throw new Error('invalid onError method');
      },
    };
    const client = createClient({ origin: 'http://127.0.0.1:1' }, { dispatcher });
    const error = await rejectionOf(client.request('GET /user'));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option: 'dispatcher' });
    expect(String(error)).toContain('needs undici 7 or later');
  });
});
