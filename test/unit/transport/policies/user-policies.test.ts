import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/errors/index.js';
import type { RequestPolicy } from '../../../../src/transport/policies/user-policies.js';
import { rejectionOf } from '../../../support/client.js';
import { AnsweringDispatcher, type Reply } from '../dispatch/answering-dispatcher.js';
import {
  anyJson,
  createJob,
  createToken,
  fixed,
  renewableToken,
  transportOver,
} from '../prepared-calls.js';
import { recordChannel } from '../recorded-events.js';

const fine: Reply = { body: '"fine"' };
const url = 'https://code.example.com/api/v3/thing?page=2';
const elsewhere = 'https://elsewhere.example.net/thing';

/** Creates a transport with policies over scripted responses. */
function withPolicies(
  policies: readonly RequestPolicy[],
  script: ConstructorParameters<typeof AnsweringDispatcher>[0] = () => fine,
  options: Parameters<typeof transportOver>[1] = {},
) {
  const dispatcher = new AnsweringDispatcher(script);
  return { dispatcher, transport: transportOver(dispatcher, { policies, ...options }) };
}

/** Creates a policy that changes the URL or the headers of each request. */
const changing =
  (change: {
    readonly url?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }): RequestPolicy =>
  (next) =>
  (request, context) =>
    next({ ...request, ...change }, context);

describe('a policy', () => {
  it('adds a header that depends on the request', async () => {
    const sign = (text: string) => createHmac('sha256', 'key').update(text).digest('hex');
    const signing: RequestPolicy = (next) => (request, context) => {
      const signature = sign(`${request.method} ${request.url}`);
      return next(
        { ...request, headers: { ...request.headers, 'x-signature': signature } },
        context,
      );
    };
    const { dispatcher, transport } = withPolicies([signing]);
    await transport.perform(createJob(anyJson, { authorizer: fixed(createToken('hush99')) }));
    expect(dispatcher.sent[0]?.headers).toMatchObject({
      'x-signature': sign(`GET ${url}`),
      'accept-language': 'de',
      authorization: 'token hush99',
    });
  });

  it('receives the values of a repeated header joined with commas', async () => {
    const headers = [
      ['x-own', 'a'],
      ['x-own', 'b'],
    ] as const;
    const copying: RequestPolicy = (next) => (request, context) =>
      next({ ...request, headers: { ...request.headers } }, context);
    const { dispatcher, transport } = withPolicies([copying]);
    await transport.perform(createJob(anyJson, { spec: { headers } }));
    expect(dispatcher.sent[0]?.headers['x-own']).toBe('a, b');
  });

  it("changes the URL in the attempt's events", async () => {
    const [starts, ends] = [
      recordChannel('triforge:request:start'),
      recordChannel('triforge:request:end'),
    ];
    const { transport } = withPolicies([changing({ url: 'https://code.example.com/other' })]);
    await transport.perform(createJob(anyJson));
    const request = {
      operation: 'things.get',
      method: 'GET',
      url: 'https://code.example.com/other',
    };
    expect(starts).toMatchObject([{ request }]);
    expect(ends).toMatchObject([{ request }]);
  });

  it('receives the response or failure of each attempt', async () => {
    const seen: unknown[] = [];
    const watching: RequestPolicy = (next) => async (request, context) => {
      const response = await next(request, context);
      const { operation, attempt } = context;
      seen.push([operation, attempt, response.failed ? response.kind : response.status]);
      return response;
    };
    const replies = [{ error: new Error('gone') }, { status: 502 }, fine];
    const { transport } = withPolicies([watching], replies);
    expect((await transport.perform(createJob(anyJson))).data).toBe('fine');
    expect(seen).toEqual([
      ['things.get', 1, 'connection'],
      ['things.get', 2, 502],
      ['things.get', 3, 200],
    ]);
  });

  it('runs in the listed order', async () => {
    const log: string[] = [];
    const noting =
      (name: string): RequestPolicy =>
      (next) => {
        log.push(`create ${name}`);
        return (request, context) => {
          log.push(name);
          return next(request, context);
        };
      };
    const { transport } = withPolicies([noting('a'), noting('b')], undefined, { cache: true });
    expect(log).toEqual(['create b', 'create a']);
    for (let call = 0; call < 2; call++) await transport.perform(createJob(anyJson));
    expect(log.slice(2)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('freezes its request and context without an error', async () => {
    const seen: object[] = [];
    const freezing: RequestPolicy = (next) => (request, context) => {
      seen.push({ ...context });
      return next(Object.freeze(request), Object.freeze(context));
    };
    const { transport } = withPolicies([freezing]);
    await transport.perform(createJob(anyJson));
    expect(seen).toEqual([{ operation: expect.any(String), attempt: 1 }]);
  });

  it('returns its own response without sending a request', async () => {
    const body = Buffer.from('"made up"');
    const answering: RequestPolicy = () => async () => ({
      failed: false,
      status: 200,
      statusText: '',
      headers: {},
      body,
    });
    const { dispatcher, transport } = withPolicies([answering]);
    const { data, response } = await transport.perform(createJob(anyJson));
    expect(data).toBe('made up');
    expect(response.url).toBe(url);
    expect(dispatcher.sent).toEqual([]);
  });

  it('runs again when a request is repeated after a 401', async () => {
    const urls: string[] = [];
    const watching: RequestPolicy = (next) => (request, context) => {
      urls.push(request.url);
      return next(request, context);
    };
    const { transport, dispatcher } = withPolicies([watching], [{ status: 401 }, fine]);
    const authorizer = {
      ...fixed(renewableToken('old')),
      renew: async () => createToken('new'),
    };
    await transport.perform(createJob(anyJson, { authorizer }));
    expect(urls).toEqual([url, url]);
    expect(dispatcher.sent.map(({ headers }) => headers.authorization)).toEqual([
      'token old',
      'token new',
    ]);
  });
});

describe('repeated requests of a policy', () => {
  const again =
    (second: string): RequestPolicy =>
    (next) =>
    async (request, context) => {
      await next(request, context);
      return next({ ...request, url: second }, context);
    };

  it.each([
    ['the same origin', 'https://code.example.com/api/v3/moved'],
    ['another origin', elsewhere],
  ])('sends the second request to its own URL after a redirect to %s', async (_where, location) => {
    const second = 'https://code.example.com/api/v3/second';
    const replies: Reply[] = [{ status: 302, headers: { location } }, fine, fine];
    const { transport, dispatcher } = withPolicies([again(second)], replies);
    await transport.perform(
      createJob(anyJson, { authorizer: fixed(createToken('hush99-header')) }),
    );
    expect(dispatcher.sent.map((sent) => sent.url)).toEqual([url, location, second]);
    expect(dispatcher.sent[2]?.headers).toMatchObject({ authorization: 'token hush99-header' });
  });

  it('sends the second request with the original method after a 303', async () => {
    const replies: Reply[] = [{ status: 303, headers: { location: '/result' } }, fine, fine];
    const { transport, dispatcher } = withPolicies([again(url)], replies);
    await transport.perform(
      createJob(anyJson, { spec: { method: 'POST', body: { kind: 'form', text: 'a=1' } } }),
    );
    expect(dispatcher.sent.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  });
});

describe('a client with policies', () => {
  const credentials = {
    ...createToken('hush99-header'),
    parameters: 'access_token=hush99-query',
    secrets: ['hush99-header', 'hush99-query'],
  };
  const job = () => createJob(anyJson, { authorizer: fixed(credentials) });

  it('hides its credentials from the policies', async () => {
    const seen: unknown[] = [];
    const watching: RequestPolicy = (next) => async (request, context) => {
      const response = await next(request, context);
      seen.push(request, context, response);
      return response;
    };
    const { transport, dispatcher } = withPolicies([watching]);
    await transport.perform(job());
    expect(dispatcher.sent[0]?.url).toContain('hush99-query');
    expect(inspect(seen, { depth: 9, showHidden: true })).not.toContain('hush99');
    expect(JSON.stringify(seen)).not.toContain('hush99');
  });

  it('sends no credentials to an untrusted origin that a policy sets', async () => {
    const { transport, dispatcher } = withPolicies([changing({ url: elsewhere })]);
    await transport.perform(job());
    expect(dispatcher.sent[0]?.url).toBe(elsewhere);
    expect(JSON.stringify(dispatcher.sent)).not.toContain('hush99');
    expect(dispatcher.sent[0]?.headers).not.toHaveProperty('authorization');
  });

  it('sends its credentials to a trusted origin that a policy sets', async () => {
    const trustedOrigins = ['https://elsewhere.example.net'];
    const { transport, dispatcher } = withPolicies([changing({ url: elsewhere })], undefined, {
      trustedOrigins,
    });
    await transport.perform(job());
    expect(dispatcher.sent[0]).toMatchObject({
      url: `${elsewhere}?access_token=hush99-query`,
      headers: { authorization: 'token hush99-header' },
    });
  });

  it('forwards no policy headers to an untrusted origin on a redirect', async () => {
    const replies = [{ status: 302, headers: { location: elsewhere } }, fine];
    const { transport, dispatcher } = withPolicies(
      [changing({ headers: { 'x-signature': 'mine' } })],
      replies,
    );
    await transport.perform(job());
    const [home, away] = dispatcher.sent;
    expect(home?.headers).toMatchObject({ 'x-signature': 'mine' });
    expect(away?.url).toBe(elsewhere);
    expect(Object.keys(away?.headers ?? {})).not.toContain('x-signature');
    expect(JSON.stringify(away)).not.toContain('hush99');
  });

  it('masks a secret that a policy adds to a header', async () => {
    const secret = 'hush99-of-the-policy';
    const adding = changing({ headers: { 'x-api-key': secret } });
    const refused: Reply = { status: 400, body: JSON.stringify({ message: `not ${secret}` }) };
    const echo = await rejectionOf(withPolicies([adding], [refused]).transport.perform(job()));
    expect(echo).toMatchObject({ body: { message: 'not ***' } });
    const leak: Reply = { status: 302, headers: { location: `${elsewhere}?key=${secret}` } };
    const { transport, dispatcher } = withPolicies([adding], [leak, fine]);
    const [error] = await Promise.allSettled([transport.perform(job())]);
    expect(JSON.stringify(dispatcher.sent.slice(1))).not.toContain(secret);
    expect(inspect(error)).not.toContain(secret);
  });
});

it("the client rejects a redirect whose URL contains a policy's secret", async () => {
  const adding = changing({ url: `${url}&api_key=hush99-of-the-policy` });
  const location = `${elsewhere}?rd=${encodeURIComponent('/thing?api_key=hush99-of-the-policy')}`;
  const { transport, dispatcher } = withPolicies(
    [adding],
    [{ status: 302, headers: { location } }, fine],
  );
  const error = await rejectionOf(transport.perform(createJob(anyJson)));
  expect(error).toMatchObject({ reason: 'contains_secret' });
  expect(inspect(error)).not.toContain('hush99');
  expect(dispatcher.sent).toHaveLength(1);
});

describe('errors of policies', () => {
  const thrown = new Error('the policy failed');
  const failing: RequestPolicy = () => () => {
    throw thrown;
  };

  it("rethrows a policy's error without a retry", async () => {
    const starts = recordChannel('triforge:request:start');
    const { transport, dispatcher } = withPolicies([failing]);
    expect(await rejectionOf(transport.perform(createJob(anyJson)))).toBe(thrown);
    expect(dispatcher.sent).toEqual([]);
    expect(starts).toEqual([]);
  });

  it('releases the permit after a policy throws', async () => {
    const ends = recordChannel('triforge:request:error');
    let calls = 0;
    const failingOnce: RequestPolicy = (next) => async (request, context) => {
      const response = await next(request, context);
      calls++;
      if (calls === 1) throw thrown;
      return response;
    };
    const { transport, dispatcher } = withPolicies([failingOnce], undefined, { maxConcurrency: 1 });
    expect(await rejectionOf(transport.perform(createJob(anyJson)))).toBe(thrown);
    expect((await transport.perform(createJob(anyJson))).data).toBe('fine');
    expect(dispatcher.sent).toHaveLength(2);
    expect(ends).toMatchObject([{ attempt: 1, kind: 'unknown' }]);
  });

  it('throws a ConnectionError if the policy returns a connection failure', async () => {
    const passing: RequestPolicy = (next) => next;
    const { transport } = withPolicies([passing], () => ({ error: new Error('gone') }));
    const error = await rejectionOf(transport.perform(createJob(anyJson, { retry: { limit: 0 } })));
    expect(error).toBeInstanceOf(ConnectionError);
  });
});

describe('invalid policies', () => {
  it.each<[string, RequestPolicy, object]>([
    [
      'sets a header that only the client may set',
      changing({ headers: { authorization: 'mine' } }),
      { code: 'invalid_request', field: 'headers.authorization' },
    ],
    [
      "sets a URL that isn't absolute",
      changing({ url: '/relative' }),
      { code: 'invalid_request', field: 'policies.url' },
    ],
    [
      'changes the URL from https to http',
      changing({ url: 'http://code.example.com/' }),
      { code: 'invalid_request', field: 'policies.url' },
    ],
    [
      'changes the body',
      (next) => (request, context) => next({ ...request, body: 'x' }, context),
      { code: 'invalid_request', field: 'policies.body' },
    ],
    [
      'changes the method',
      (next) => (request, context) => next({ ...request, method: 'PUT' }, context),
      { code: 'invalid_request', field: 'policies.method' },
    ],
    [
      'calls next without the second argument',
      (next) => (request) => Reflect.apply(next, undefined, [request]),
      {
        code: 'configuration',
        message: 'policies[0]: must pass its second argument to next (got undefined)',
      },
    ],
    [
      'returns nothing',
      () => () => Reflect.apply(Promise.resolve, Promise, []),
      {
        code: 'configuration',
        message: 'policies[0]: must return a response, such as the one from next (got undefined)',
      },
    ],
    [
      'returns a response without a body',
      (next) => async (request, context) =>
        Object.assign({}, await next(request, context), { body: 1 }),
      {
        code: 'configuration',
        message: 'policies[0]: must return a response, such as the one from next',
      },
    ],
  ])('rejects the call if the policy %s', async (_name, policy, expected) => {
    const { transport } = withPolicies([policy]);
    expect(await rejectionOf(transport.perform(createJob(anyJson)))).toMatchObject(expected);
  });

  it.each<[string, unknown, string]>([
    ["isn't in an array", 'x', 'policies: must be an array of functions (got a string)'],
    ["isn't a function", [1], 'policies[0]: must be a function (got the number 1)'],
    [
      "doesn't return a function",
      [() => 1],
      'policies[0]: must return a function (got the number 1)',
    ],
  ])('throws a ConfigurationError if a policy %s', (_name, policies, message) => {
    // `as`: JavaScript callers can pass anything.
    const create = () => withPolicies(policies as RequestPolicy[]);
    expect(create).toThrow(expect.objectContaining({ code: 'configuration', message }));
  });
});
