import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import { ApiClient } from '../../../src/transport/api-client.js';
import { anonymous } from '../../../src/transport/request/credentials.js';
import { defineEndpoint, type Endpoint } from '../../../src/transport/request/endpoint.js';
import { rejectionOf } from '../../support/client.js';
import { AnsweringDispatcher, type Reply } from './dispatch/answering-dispatcher.js';
import { anyJson, createToken, fixed, transportOver } from './prepared-calls.js';

type Words = Endpoint<object, unknown[]>;

const words: Words = defineEndpoint<object>('GET /words')({
  operation: 'words.list',
  input: {},
  // `as`: the server in these tests sends an array.
  response: { ...anyJson, map: (value) => value as unknown[] },
});

const link = '<https://code.example.com/api/v3/words?page=2>; rel="next"';
const pages: readonly Reply[] = [{ body: '["a"]', headers: { link } }, { body: '["b"]' }];

/** Creates a client that records the credentials for which it creates an authorizer. */
function noting() {
  const made: unknown[] = [];
  const dispatcher = new AnsweringDispatcher([...pages, ...pages]);
  const api = new ApiClient<unknown>(transportOver(dispatcher), anonymous, (auth) => {
    if (auth === null)
      throw new ConfigurationError('auth: expected credentials', { option: 'auth' });
    made.push(auth);
    return fixed(createToken(`number ${made.length}`));
  });
  return { api, made, dispatcher };
}

describe('the auth option', () => {
  it.each<[string, unknown]>([
    ['the same object', { token: 'mine' }],
    ['the same function', () => 'mine'],
  ])('the client reuses one authorizer for all calls with %s as `auth`', async (_name, auth) => {
    const { api, made, dispatcher } = noting();
    expect(await api.list(words, {}, { auth }).toArray()).toEqual(['a', 'b']);
    expect(await api.list(words, {}, { auth }).toArray()).toEqual(['a', 'b']);
    expect(made).toEqual([auth]);
    const sent = dispatcher.sent.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set(['token number 1']));
  });

  it('the client creates a separate authorizer for each of two equal `auth` objects', async () => {
    const { api, made } = noting();
    await api.call(words, {}, { auth: { token: 'mine' } });
    await api.call(words, {}, { auth: { token: 'mine' } });
    expect(made).toHaveLength(2);
  });

  it('the client accepts a string as `auth`', async () => {
    const { api, made } = noting();
    expect(await api.list(words, {}, { auth: 'mine' }).toArray()).toEqual(['a', 'b']);
    expect(new Set(made)).toEqual(new Set(['mine']));
  });

  it("the client rejects a call's invalid `auth` with an InvalidRequestError", async () => {
    const { api, dispatcher } = noting();
    const error = await rejectionOf(api.call(words, {}, { auth: null }));
    expect(error).toMatchObject({ code: 'invalid_request', field: 'auth' });
    expect(dispatcher.sent).toEqual([]);
  });
});
