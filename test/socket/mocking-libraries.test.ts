import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import nock from 'nock';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../src/errors/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { createClient, rejectionOf } from '../support/client.js';

// Runs each row of the table of mocking libraries in docs/testing.md. No server listens at `origin`.
const origin = 'http://127.0.0.1:1';
const place = { origin };
const user = { login: 'mona' };

/** Calls `globalThis.fetch`, which mocking libraries may replace after the client is created. */
const lateFetch: typeof fetch = (...request) => fetch(...request);

afterEach(() => {
  nock.cleanAll();
  nock.restore();
});

/** Creates undici's mock of `GET /api/v3/user`. */
function createMockAgent(): MockAgent {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get(origin)
    .intercept({ path: '/api/v3/user' })
    .reply(200, user, { headers: { 'content-type': 'application/json' } });
  onTestFinished(() => agent.close());
  return agent;
}

describe('mocking libraries', () => {
  it("the emulator's dispatcher serves a client", async () => {
    const auth = { type: 'token', token: seeded.token } as const;
    const client = createClient(place, { auth, dispatcher: createEmulator().dispatcher() });
    expect(await client.request('GET /user')).toMatchObject(user);
  });

  it("undici's MockAgent serves a client as its dispatcher", async () => {
    const client = createClient(place, { dispatcher: createMockAgent() });
    expect(await client.request('GET /user')).toEqual(user);
  });

  it('msw serves a client that sends requests with fetch', async () => {
    const client = createClient(place, { fetch: lateFetch });
    const server = setupServer(http.get(`${origin}/api/v3/user`, () => HttpResponse.json(user)));
    server.listen({ onUnhandledRequest: 'error' });
    onTestFinished(() => server.close());
    expect(await client.request('GET /user')).toEqual(user);
  });

  it('nock serves a client that sends requests with fetch', async () => {
    const client = createClient(place, { fetch: lateFetch });
    if (!nock.isActive()) nock.activate();
    nock(origin).get('/api/v3/user').reply(200, user);
    expect(await client.request('GET /user')).toEqual(user);
  });

  it('a client ignores the global dispatcher of undici', async () => {
    const before = getGlobalDispatcher();
    setGlobalDispatcher(createMockAgent());
    onTestFinished(() => setGlobalDispatcher(before));
    const client = createClient(place, { retry: false });
    expect(await rejectionOf(client.request('GET /user'))).toBeInstanceOf(ConnectionError);
  });
});
