import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { RequestBody } from '../../../../src/transport/request/body.js';
import type { Authorizer, Credentials } from '../../../../src/transport/request/credentials.js';
import { rejectionOf } from '../../../support/client.js';
import { AnsweringDispatcher, type Reply } from '../dispatch/answering-dispatcher.js';
import {
  anyJson,
  createCallContext,
  createJob,
  createToken,
  fixed,
  renewableToken,
  transportOver,
} from '../prepared-calls.js';
import { recordChannel } from '../recorded-events.js';

const fine: Reply = { body: '"fine"' };
const to = (location: string, status = 302): Reply => ({ status, headers: { location } });
const elsewhere = 'https://elsewhere.example.net/thing';

/** Creates an authorizer with an old token, which `fresh` replaces after a 401. */
function renewing(fresh: Credentials | undefined) {
  let renewals = 0;
  const authorizer: Authorizer = {
    ...fixed(renewableToken('old-one')),
    renew: async () => {
      renewals++;
      return fresh;
    },
  };
  return { authorizer, renewals: () => renewals };
}

const authorizations = ({ sent }: AnsweringDispatcher) =>
  sent.map(({ headers }) => headers.authorization);

describe('redirects', () => {
  it('the client sends neither credentials nor private headers to an untrusted redirect target', async () => {
    const headers = [
      ['x-own', 'mine'],
      ['range', 'bytes=0-1'],
    ] as const;
    const dispatcher = new AnsweringDispatcher([to(elsewhere), fine]);
    const prepared = createJob(anyJson, {
      spec: { headers },
      authorizer: fixed(createToken('hush99')),
    });
    const { response } = await transportOver(dispatcher).perform(prepared);
    const [home, away] = dispatcher.sent;
    expect(home?.headers).toMatchObject({
      'x-own': 'mine',
      range: 'bytes=0-1',
      authorization: 'token hush99',
    });
    expect(away).toMatchObject({ method: 'GET', url: elsewhere, headers: { range: 'bytes=0-1' } });
    expect(new Set(Object.keys(away?.headers ?? {}))).toEqual(
      new Set(['accept', 'accept-encoding', 'range', 'user-agent']),
    );
    expect(response?.url).toBe(elsewhere);
  });

  it('the client ignores rate-limit headers from an untrusted origin', async () => {
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' };
    const dispatcher = new AnsweringDispatcher([to(elsewhere), { ...fine, headers }]);
    const transport = transportOver(dispatcher);
    const { response } = await transport.perform(createJob(anyJson));
    expect(response?.rateLimit).toMatchObject({ limit: 60, remaining: 0 });
    expect(transport.rateLimit('')).toBeUndefined();
  });

  it('the client sends credentials and headers to a trusted redirect target', async () => {
    const dispatcher = new AnsweringDispatcher([to(elsewhere), fine]);
    const prepared = createJob(anyJson, {
      spec: { headers: [['x-own', 'mine']] },
      authorizer: fixed(createToken('hush99')),
    });
    const trustedOrigins = ['https://elsewhere.example.net'];
    await transportOver(dispatcher, { trustedOrigins }).perform(prepared);
    expect(dispatcher.sent[1]).toMatchObject({
      url: elsewhere,
      headers: { 'x-own': 'mine', authorization: 'token hush99' },
    });
  });

  it('the client rejects a redirect to an earlier URL', async () => {
    const dispatcher = new AnsweringDispatcher(({ url }, index) => {
      if (index > 30) return fine;
      return to(url.endsWith('/a') ? '/b' : '/a');
    });
    const error = await rejectionOf(transportOver(dispatcher).perform(createJob(anyJson)));
    expect(error).toMatchObject({ name: 'RedirectError', reason: 'loop' });
    expect(dispatcher.sent.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/v3/thing',
      '/a',
      '/b',
    ]);
  });

  it('the client rejects a redirect beyond maxRedirects', async () => {
    const dispatcher = new AnsweringDispatcher((_sent, index) =>
      index > 30 ? fine : to(`/step/${index}`),
    );
    const transport = transportOver(dispatcher, { maxRedirects: 4 });
    const error = await rejectionOf(transport.perform(createJob(anyJson)));
    expect(error).toMatchObject({ name: 'RedirectError', reason: 'too_many' });
    expect(dispatcher.sent).toHaveLength(5);
  });

  it("the client publishes a redirect's target without secrets", async () => {
    const redirects = recordChannel('triforge:redirect');
    const dispatcher = new AnsweringDispatcher([
      to('/to/hush99', 307),
      to(`${elsewhere}?signature=x`, 301),
      fine,
    ]);
    const prepared = createJob(anyJson, { authorizer: fixed(createToken('hush99')) });
    await transportOver(dispatcher).perform(prepared);
    const request = { operation: 'things.get', method: 'GET' };
    const origin = 'https://code.example.com';
    expect(redirects).toEqual([
      {
        request: { ...request, url: `${origin}/api/v3/thing?page=2` },
        status: 307,
        location: `${origin}/to/***`,
      },
      {
        request: { ...request, url: `${origin}/to/***` },
        status: 301,
        location: `${elsewhere}?signature=***`,
      },
    ]);
  });

  it('the client remembers only permanent redirects', async () => {
    const dispatcher = new AnsweringDispatcher([
      to('/moved', 308),
      fine,
      to('/for-now', 307),
      fine,
      fine,
    ]);
    const transport = transportOver(dispatcher);
    for (let call = 0; call < 3; call++) await transport.perform(createJob(anyJson));
    expect(dispatcher.sent.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/v3/thing',
      '/moved',
      '/moved',
      '/for-now',
      '/moved',
    ]);
  });

  it("the client publishes a remembered redirect's target in the start event", async () => {
    const starts = recordChannel('triforge:request:start');
    const dispatcher = new AnsweringDispatcher([to('/moved/hush99', 308), fine, fine]);
    const transport = transportOver(dispatcher);
    const authorizer = fixed(createToken('hush99'));
    for (let call = 0; call < 2; call++)
      await transport.perform(createJob(anyJson, { authorizer }));
    const request = { operation: 'things.get', method: 'GET' };
    const origin = 'https://code.example.com';
    expect(starts).toEqual([
      { request: { ...request, url: `${origin}/api/v3/thing?page=2` }, attempt: 1 },
      { request: { ...request, url: `${origin}/moved/***` }, attempt: 1 },
    ]);
  });
});

describe('credentials', () => {
  it('the client requests the credentials again after a wait for a permit', async () => {
    const requirements: (string | undefined)[] = [];
    const authorizer: Authorizer = {
      credentialParameters: new Set(),
      credentials: (requirement) => {
        requirements.push(requirement);
        return createToken(`token-${requirements.length}`);
      },
    };
    const dispatcher = new AnsweringDispatcher(() => fine);
    const transport = transportOver(dispatcher, { maxConcurrency: 1 });
    const first = transport.perform(createJob(anyJson, { authorizer, spec: { auth: 'basic' } }));
    const second = transport.perform(createJob(anyJson, { authorizer }));
    await Promise.all([first, second]);
    expect(requirements).toEqual(['basic', undefined, undefined]);
    expect(authorizations(dispatcher)).toEqual(['token token-1', 'token token-3']);
  });
});

describe('renewal after a 401', () => {
  it('the client repeats a request only once with new credentials after a 401', async () => {
    const { authorizer, renewals } = renewing(createToken('new-one'));
    const dispatcher = new AnsweringDispatcher([{ status: 401 }, { status: 401 }, fine]);
    const running = transportOver(dispatcher).perform(createJob(anyJson, { authorizer }));
    expect(await rejectionOf(running)).toMatchObject({ name: 'AuthenticationError' });
    expect(authorizations(dispatcher)).toEqual(['token old-one', 'token new-one']);
    expect(renewals()).toBe(1);
  });

  it('the client throws an AuthenticationError after a 401 if there are no new credentials', async () => {
    const { authorizer } = renewing(undefined);
    const dispatcher = new AnsweringDispatcher([{ status: 401 }, fine]);
    const running = transportOver(dispatcher).perform(createJob(anyJson, { authorizer }));
    expect(await rejectionOf(running)).toMatchObject({ name: 'AuthenticationError' });
    expect(dispatcher.sent).toHaveLength(1);
  });

  it("the client doesn't renew the credentials after a 401 from an untrusted origin", async () => {
    const { authorizer, renewals } = renewing(createToken('new-one'));
    const dispatcher = new AnsweringDispatcher([to(elsewhere), { status: 401 }, fine]);
    const running = transportOver(dispatcher).perform(createJob(anyJson, { authorizer }));
    expect(await rejectionOf(running)).toMatchObject({ name: 'AuthenticationError' });
    expect(renewals()).toBe(0);
  });

  it("the client doesn't renew the credentials after a 401 with a truncated body", async () => {
    const { authorizer, renewals } = renewing(createToken('new-one'));
    const broken = { status: 401, body: '{', error: new Error('cut') };
    const dispatcher = new AnsweringDispatcher([broken, fine]);
    const prepared = createJob(anyJson, { authorizer, retry: { limit: 0 } });
    const error = await rejectionOf(transportOver(dispatcher).perform(prepared));
    expect(error).toMatchObject({ name: 'ResponseBodyError', reason: 'truncated', status: 401 });
    expect(renewals()).toBe(0);
  });

  it('the client masks the old and the new credentials in the error after a renewal', async () => {
    const { authorizer } = renewing(createToken('new-one'));
    const dispatcher = new AnsweringDispatcher([
      { status: 401 },
      { status: 400, body: '{"message":"neither old-one nor new-one, says hidden"}' },
    ]);
    const prepared = createJob(anyJson, { authorizer, spec: { secrets: ['hidden'] } });
    const error = await rejectionOf(transportOver(dispatcher).perform(prepared));
    expect(error).toMatchObject({ body: { message: 'neither *** nor ***, says ***' } });
  });
});

describe('streamed bodies after a 401', () => {
  const createBody = (replayable: boolean): RequestBody => ({
    kind: 'stream',
    replayable,
    open: async () => ({
      stream: Readable.from(['text']),
      contentType: 'text/plain',
      length: 4,
    }),
  });

  it.each([
    [
      'repeats a request after a 401 if its body can be opened again',
      true,
      ['token old-one', 'token new-one'],
    ],
    [
      'sends a request only once despite a 401 if its body cannot be reopened',
      false,
      ['token old-one'],
    ],
  ])('the client %s', async (_name, replayable, sent) => {
    const { authorizer } = renewing(createToken('new-one'));
    const dispatcher = new AnsweringDispatcher([{ status: 401 }, { status: 403 }]);
    const spec = { method: 'POST', body: createBody(replayable) } as const;
    await rejectionOf(transportOver(dispatcher).perform(createJob(anyJson, { authorizer, spec })));
    expect(authorizations(dispatcher)).toEqual(sent);
  });
});

describe('CallContext.secrets', () => {
  it.each([
    ['contains no secrets without credentials', undefined, [], []],
    ['lists the token', createToken('hush99'), [], ['hush99']],
    [
      "lists the request's secrets and the token",
      createToken('hush99'),
      ['quiet'],
      ['quiet', 'hush99'],
    ],
  ])('CallContext.secrets %s', (_name, credentials, secrets, expected) => {
    const context = createCallContext(createJob(anyJson, { spec: { secrets } }));
    context.use(credentials);
    expect(context.secrets).toEqual(expected);
  });

  it('CallContext.secrets lists the tokens of all attempts without duplicates', () => {
    const context = createCallContext(createJob(anyJson));
    for (const secret of ['first', 'second', 'first']) context.use(createToken(secret));
    expect(context.secrets).toEqual(['second', 'first']);
  });
});
