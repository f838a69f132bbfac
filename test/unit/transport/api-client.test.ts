import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../src/errors/index.js';
import { ApiClient } from '../../../src/transport/api-client.js';
import {
  type Authorizer,
  anonymous,
  type Credentials,
} from '../../../src/transport/request/credentials.js';
import { defineEndpoint, type ResponseSpec } from '../../../src/transport/request/endpoint.js';
import { oneOf } from '../../../src/transport/request/input.js';
import { rejectionOf, turns } from '../../support/client.js';
import { about } from '../about.js';
import { AnsweringDispatcher, type Reply, silence } from './dispatch/answering-dispatcher.js';
import {
  anyJson,
  createToken,
  fixed,
  renewableToken,
  soon,
  transportOver,
} from './prepared-calls.js';

interface Input {
  readonly shape: 'long' | 'short';
}

const shape = oneOf('long', 'short');
const texts: ResponseSpec<string[]> = {
  ...anyJson,
  map: (value) => (Array.isArray(value) ? value.map(String) : []),
};
const shouted: ResponseSpec<string[]> = {
  ...texts,
  map: (value) => (Array.isArray(value) ? value.map((text) => String(text).toUpperCase()) : []),
};

/** An endpoint whose response spec depends on its input. */
const words = defineEndpoint<Input>('GET /words')({
  operation: 'words.list',
  input: { shape },
  response: (input) => (input.shape === 'long' ? shouted : texts),
});
const plain = defineEndpoint<Input>('GET /words')({
  operation: 'plain.list',
  input: { shape },
  response: texts,
});

const given: Reply = { body: '["a","b"]' };
const createAuthorizer = (token: string) => fixed(createToken(token));

function callerOver(script: ConstructorParameters<typeof AnsweringDispatcher>[0]) {
  const dispatcher = new AnsweringDispatcher(script);
  return { dispatcher, api: new ApiClient(transportOver(dispatcher), anonymous, createAuthorizer) };
}

it('a serialized or printed ApiClient hides its credentials', () => {
  const transport = transportOver(new AnsweringDispatcher([]));
  const api = new ApiClient(transport, fixed(createToken('s3cret-token')), () => anonymous);
  expect(JSON.stringify(api)).toBe('{}');
  expect(inspect(api, { depth: 9, showHidden: true })).not.toContain('s3cret-token');
});

describe("an endpoint's response function", () => {
  it("an endpoint's response function receives the input of call()", async () => {
    const { api } = callerOver(() => given);
    expect(await api.call(words, { shape: 'long' })).toEqual(['A', 'B']);
    expect(await api.call(words, { shape: 'short' })).toEqual(['a', 'b']);
    expect(await api.call(plain, { shape: 'long' })).toEqual(['a', 'b']);
  });

  it("an endpoint's response function receives the input of list()", async () => {
    const { api } = callerOver(() => given);
    expect(await api.list(words, { shape: 'long' }).toArray()).toEqual(['A', 'B']);
    expect(await api.list(words, { shape: 'short' }).toArray()).toEqual(['a', 'b']);
    expect(await api.list(plain, { shape: 'long' }).toArray()).toEqual(['a', 'b']);
  });
});

describe('ApiClient.rateLimit', () => {
  const budget = (remaining: number): Reply => ({
    ...given,
    headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': `${remaining}` },
  });
  const later = (credentials: Credentials | undefined): Authorizer => ({
    credentialParameters: new Set(),
    credentials: async () => credentials,
  });

  it.each<[string, Authorizer, string[]]>([
    ['no credentials', anonymous, []],
    ['asynchronous credentials that are undefined', later(undefined), []],
    ['a token', fixed(createToken('one')), ['token one']],
    ['an asynchronous token', later(createToken('one')), ['token one']],
  ])(
    'the client tracks separate quotas for two callers if one uses %s',
    async (_name, authorizer, own) => {
      const dispatcher = new AnsweringDispatcher([budget(7), budget(3)]);
      const transport = transportOver(dispatcher);
      const api = new ApiClient(transport, authorizer, createAuthorizer);
      const other = api.withAuth('two');
      expect(api.rateLimit).toBeUndefined();
      await api.call(plain, { shape: 'long' });
      await other.call(plain, { shape: 'long' });
      expect(api.rateLimit).toMatchObject({ limit: 60, remaining: 7 });
      expect(other.rateLimit).toMatchObject({ limit: 60, remaining: 3 });
      const authorizations = dispatcher.sent.map(({ headers }) => headers.authorization);
      expect(authorizations.filter((each) => each !== undefined)).toEqual([...own, 'token two']);
    },
  );

  it("rateLimit is undefined before the caller's first request", async () => {
    const transport = transportOver(new AnsweringDispatcher([budget(7)]));
    const api = new ApiClient(transport, anonymous, createAuthorizer);
    await api.call(plain, { shape: 'long' });
    expect(api.withAuth('two').rateLimit).toBeUndefined();
  });
});

describe('the auth option', () => {
  it("the client sends a call's `auth` only with that call", async () => {
    const { api, dispatcher } = callerOver(() => given);
    await api.call(plain, { shape: 'long' }, { auth: 'mine' });
    await api.call(plain, { shape: 'long' });
    expect(dispatcher.sent.map(({ headers }) => headers.authorization)).toEqual([
      'token mine',
      undefined,
    ]);
  });
});

describe('authorizers', () => {
  it('the client renews credentials through the authorizer that provided them', async () => {
    const authorizer = {
      ...fixed(renewableToken('old')),
      fresh: createToken('new'),
      async renew(this: { readonly fresh: Credentials }) {
        return this.fresh;
      },
    };
    const dispatcher = new AnsweringDispatcher([{ status: 401 }, given]);
    const api = new ApiClient(transportOver(dispatcher), authorizer, createAuthorizer);
    expect(await api.call(plain, { shape: 'short' })).toEqual(['a', 'b']);
    expect(dispatcher.sent.map(({ headers }) => headers.authorization)).toEqual([
      'token old',
      'token new',
    ]);
  });

  it("the error after a 401 contains the authorizer's unauthorizedHint", async () => {
    const authorizer = { ...fixed(createToken('old')), unauthorizedHint: 'the token has ended' };
    const dispatcher = new AnsweringDispatcher([{ status: 401 }, given]);
    const api = new ApiClient(transportOver(dispatcher), authorizer, createAuthorizer);
    const error = await rejectionOf(api.call(plain, { shape: 'short' }));
    expect(String(error)).toContain('401: the token has ended [GET ');
  });
});

describe('the signal option', () => {
  it('the client rejects a signal that is not an AbortSignal', async () => {
    const { api, dispatcher } = callerOver([]);
    // `as`: JavaScript callers can pass anything.
    const signal = {} as AbortSignal;
    const error = await rejectionOf(api.call(plain, { shape: 'long' }, { signal }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      field: 'signal',
      message: about('signal', /AbortSignal/),
    });
    expect(dispatcher.sent).toEqual([]);
  });

  const reason = new Error('enough');

  it("the signal aborts a list's page request", async () => {
    const { api } = callerOver([silence]);
    const abort = new AbortController();
    const ending = rejectionOf(
      api.list(plain, { shape: 'long' }, { signal: abort.signal }).toArray(),
    );
    await turns(1);
    abort.abort(reason);
    expect(await soon(ending)).toBe(reason);
  });
});

describe('ApiClient.list() with links', () => {
  const origin = 'https://elsewhere.example.net';
  const link = `<${origin}/words?page=2&token=hush99>; rel="next"`;
  const authorizer = { ...fixed(createToken('hush99')), credentialParameters: new Set(['token']) };

  function listOver(trustedOrigins: readonly string[]) {
    const dispatcher = new AnsweringDispatcher([{ ...given, headers: { link } }, given]);
    const transport = transportOver(dispatcher, { trustedOrigins });
    const list = new ApiClient(transport, authorizer, createAuthorizer).list(plain, {
      shape: 'long',
    });
    return { dispatcher, list };
  }

  it('the client removes credentials from a Link URL on a trusted origin', async () => {
    const { dispatcher, list } = listOver([origin]);
    const cursors: (string | undefined)[] = [];
    for await (const { cursor } of list.pages()) cursors.push(cursor);
    expect(cursors).toEqual([`${origin}/words?page=2`, undefined]);
    expect(dispatcher.sent.map(({ url }) => url)).toEqual([
      'https://code.example.com/api/v3/words?shape=long',
      `${origin}/words?page=2`,
    ]);
  });

  it('the client rejects a Link URL on an untrusted origin', async () => {
    const { dispatcher, list } = listOver([]);
    const error = await rejectionOf(list.toArray());
    expect(error).toMatchObject({
      name: 'ResponseShapeError',
      message: expect.stringContaining(`${origin}, which is not in trustedOrigins`),
    });
    expect(dispatcher.sent).toHaveLength(1);
  });
});

describe('ApiClient.call()', () => {
  it('ApiClient.call() returns a rejected promise if the input is invalid', async () => {
    const { api, dispatcher } = callerOver([]);
    // `as`: JavaScript callers can pass anything.
    const call = api.call(plain, { shape: 'round' } as unknown as Input);
    const error = await rejectionOf(call);
    expect(error).toMatchObject({ name: 'InvalidRequestError', field: 'shape' });
    expect(dispatcher.sent).toEqual([]);
  });

  it('ApiClient.call() returns both the result and the response through withResponse()', async () => {
    const { api } = callerOver([{ ...given, status: 201 }]);
    const { data, response } = await api.call(plain, { shape: 'long' }).withResponse();
    expect(data).toEqual(['a', 'b']);
    expect(response).toMatchObject({ status: 201, attempts: 1, fromCache: false });
  });
});
