import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RequestPolicy } from '../../../../src/transport/policies/user-policies.js';
import type { Reply } from '../dispatch/answering-dispatcher.js';
import { anyJson, createJob, createToken, fixed, renewableToken } from '../prepared-calls.js';
import { recordChannel } from '../recorded-events.js';
import { changing, elsewhere, fine, url, withPolicies } from './with-policies.js';

describe('a policy', () => {
  it('a policy adds a header that depends on the request', async () => {
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

  it('a policy receives the values of a repeated header joined with commas', async () => {
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

  it("a policy that changes the URL also changes it in the attempt's events", async () => {
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

  it('a policy receives the response or failure of each attempt', async () => {
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

  it('policies run in the listed order', async () => {
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

  it('a policy can freeze its request and context', async () => {
    const seen: object[] = [];
    const freezing: RequestPolicy = (next) => (request, context) => {
      seen.push({ ...context });
      return next(Object.freeze(request), Object.freeze(context));
    };
    const { transport } = withPolicies([freezing]);
    await transport.perform(createJob(anyJson));
    expect(seen).toEqual([{ operation: expect.any(String), attempt: 1 }]);
  });

  it('a policy returns its own response without sending a request', async () => {
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

  it('a policy runs again when a request is repeated after a 401', async () => {
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
  ])(
    "a policy's second request goes to its own URL after a redirect to %s",
    async (_where, location) => {
      const second = 'https://code.example.com/api/v3/second';
      const replies: Reply[] = [{ status: 302, headers: { location } }, fine, fine];
      const { transport, dispatcher } = withPolicies([again(second)], replies);
      await transport.perform(
        createJob(anyJson, { authorizer: fixed(createToken('hush99-header')) }),
      );
      expect(dispatcher.sent.map((sent) => sent.url)).toEqual([url, location, second]);
      expect(dispatcher.sent[2]?.headers).toMatchObject({ authorization: 'token hush99-header' });
    },
  );

  it("a policy's second request has the original method after a 303", async () => {
    const replies: Reply[] = [{ status: 303, headers: { location: '/result' } }, fine, fine];
    const { transport, dispatcher } = withPolicies([again(url)], replies);
    await transport.perform(
      createJob(anyJson, { spec: { method: 'POST', body: { kind: 'form', text: 'a=1' } } }),
    );
    expect(dispatcher.sent.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  });
});
