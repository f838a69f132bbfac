import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type ClientOptions,
  type Contact,
  isTriforgeError,
  SupportClient,
} from '../../src/index.js';
import { type Seen, serve } from '../support/server.js';

const auth = { userName: 'nightly', apiKey: 'api-key-of-nightly', password: 'pass-of-nightly' };

interface World {
  readonly server: Awaited<ReturnType<typeof serve>>;
  readonly client: SupportClient;
  /** Sessions opened so far. */
  sessions(): number;
  /** The token that is valid now ends. */
  expire(): void;
}

interface Behaviour {
  readonly authenticate?: (response: ServerResponse, session: number) => void;
  readonly answer?: (request: Seen, response: ServerResponse) => void;
  readonly options?: Partial<ClientOptions>;
  readonly expires?: string;
  /** The server's own time. */
  readonly date?: string;
}

/** A server with sessions, and a client of it. */
async function world(behaviour: Behaviour = {}): Promise<World> {
  let sessions = 0;
  let valid = '';
  const server = await serve((request, response) => {
    if (request.url.endsWith('/authenticate')) {
      sessions += 1;
      if (behaviour.authenticate) return behaviour.authenticate(response, sessions);
      valid = `token-number-${sessions}`;
      if (behaviour.date !== undefined) response.setHeader('date', behaviour.date);
      const expires = behaviour.expires ?? '2099-01-01T00:00:00+0000';
      return response.end(JSON.stringify({ success: true, access_token: valid, expires }));
    }
    const sent = new URLSearchParams(`${request.url.split('?')[1] ?? ''}&${request.body}`).get(
      'access_token',
    );
    if (sent !== valid) {
      response.writeHead(401, 'The token is invalid or expired, please renew it');
      return response.end();
    }
    if (behaviour.answer) return behaviour.answer(request, response);
    return response.end(JSON.stringify({ success: true, logged_in: true, id: 1 }));
  });
  const client = new SupportClient({
    baseUrl: `${server.origin}/api/v2/`,
    auth,
    retry: false,
    ...behaviour.options,
  });
  return {
    server,
    client,
    sessions: () => sessions,
    expire: () => {
      valid = 'expired';
    },
  };
}

describe('a session', () => {
  test('is opened on first use, shared by concurrent calls, and kept', async () => {
    const { client, sessions, server } = await world();
    expect(server.log).toEqual([]);
    await Promise.all(Array.from({ length: 16 }, () => client.me()));
    await client.me();
    expect(sessions()).toBe(1);
    await client.close();
  });

  test('is renewed once on 401, and the call is repeated once: also a write', async () => {
    const { client, sessions, server, expire } = await world();
    await client.me();
    expire();
    await client.contacts.update({ contact_id: 1, name: 'x' });
    expect(sessions()).toBe(2);
    expect(server.log).toEqual([
      'POST /api/v2/authenticate',
      'GET /api/v2/me?access_token=token-number-1',
      'POST /api/v2/contact/1',
      'POST /api/v2/authenticate',
      'POST /api/v2/contact/1',
    ]);
    await client.close();
  });

  test('that is refused again is an error, never a third attempt', async () => {
    const { client, server } = await world({
      authenticate: (response) => response.end('{"success":true,"access_token":"never valid"}'),
    });
    await expect(client.me()).rejects.toMatchObject({ code: 'authentication', status: 401 });
    expect(server.log.filter((line) => line.startsWith('GET'))).toHaveLength(2);
    await client.close();
  });

  test('about to end is renewed before it is used', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const soon = `${new Date(Date.now() + 120_000).toISOString().slice(0, 19)}+0000`;
    const { client, sessions, server } = await world({ expires: soon });
    await client.me();
    vi.setSystemTime(Date.now() + 80_000);
    await client.me();
    expect(sessions(), 'it is good for 40 s more').toBe(1);
    vi.setSystemTime(Date.now() + 20_000);
    await client.me();
    expect(sessions()).toBe(2);
    expect(server.log.filter((line) => line.startsWith('GET'))).toHaveLength(3);
    await client.close();
  });

  test.each([
    ['behind ours', '2014-06-01T13:00:00+0000', 'Sun, 01 Jun 2014 12:00:00 GMT'],
    ['ahead of ours', '2099-06-01T13:00:00+0000', 'Mon, 01 Jun 2099 12:00:00 GMT'],
  ])('on a server whose clock is %s is opened once', async (_title, expires, date) => {
    const { client, sessions } = await world({ expires, date });
    await client.me();
    await client.me();
    expect(sessions()).toBe(1);
    await client.close();
  });

  test('with an unreadable end relies on 401', async () => {
    const { client, sessions, expire } = await world({ expires: 'one day' });
    await client.me();
    await client.me();
    expect(sessions()).toBe(1);
    expire();
    await client.me();
    expect(sessions()).toBe(2);
    await client.close();
  });

  test.each([
    [
      '401',
      (response: ServerResponse) => response.writeHead(401, 'No such user').end(),
      'No such user',
    ],
    [
      'success: false',
      (response: ServerResponse) =>
        response.end('{"success":false,"statusMessage":"No such user"}'),
      'No such user',
    ],
    [
      'no token',
      (response: ServerResponse) => response.end('{"success":true}'),
      'no access_token came',
    ],
  ])(
    'refused by %s: one error for all who wait, not remembered',
    async (_name, authenticate, said) => {
      const { client, sessions } = await world({ authenticate });
      const results = await Promise.allSettled([
        client.me(),
        client.me(),
        client.contacts.get({ contact_id: 1 }),
      ]);
      const reasons = new Set(
        results.map((each) => (each.status === 'rejected' ? each.reason : undefined)),
      );
      expect(reasons.size).toBe(1);
      const [reason] = reasons;
      expect(reason).toMatchObject({ code: 'authentication' });
      expect(String(reason)).toContain(said);
      expect(String(reason)).toContain('userName, apiKey or password were refused');
      await expect(client.me()).rejects.toMatchObject({ code: 'authentication' });
      expect(sessions()).toBe(2);
      await client.close();
    },
  );

  test('an abort of one does not end it for the others', async () => {
    const held: ServerResponse[] = [];
    const { client } = await world({ authenticate: (response) => held.push(response) });
    const controller = new AbortController();
    const reason = new Error('one leaves');
    const one = client.me({ signal: controller.signal });
    const other = client.me();
    controller.abort(reason);
    await expect(one).rejects.toBe(reason);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    held[0]?.end('{"success":false,"statusMessage":"told at last"}');
    await expect(other).rejects.toThrow('told at last');
    await client.close();
  });
});

test('a token from elsewhere is not renewed: 401 says what it may be, with the server’s words', async () => {
  const { client, server } = await world();
  const other = client.withAuth({ accessToken: 'from-elsewhere' });
  const error: unknown = await other.me().catch((reason: unknown) => reason);
  expect(String(error)).toContain('The token is invalid or expired, please renew it');
  expect(String(error)).toContain('the access token is missing, invalid or expired');
  expect(server.log).toHaveLength(1);
  await expect(other.authenticate()).rejects.toMatchObject({ code: 'configuration' });
  await client.close();
});

test('a search over 10,000 contacts feeds 16 workers; the token ends while all are in flight', async () => {
  const total = 10_000;
  const read: number[] = [];
  let inFlight = 0;
  let expired = false;
  const held: (() => void)[] = [];
  const { client, sessions, expire } = await world({
    answer: (request, response) => {
      const url = new URL(request.url, 'http://host');
      const id = /\/contact\/(\d+)$/.exec(url.pathname)?.[1];
      if (id !== undefined) {
        read.push(Number(id));
        response.end(JSON.stringify({ id: Number(id) }));
        return;
      }
      const index = Number(url.searchParams.get('index') ?? 0);
      // The server caps what is asked for.
      const items = Array.from({ length: Math.min(400, total - index) }, (_, offset) => ({
        id: index + offset,
      }));
      response.end(JSON.stringify({ success: true, total, items }));
    },
  });
  const found = client.contacts.search({ count: 1000 })[Symbol.asyncIterator]();
  async function worker(): Promise<void> {
    for (;;) {
      const next = await found.next();
      if (next.done) return;
      inFlight += 1;
      if (!expired && next.value.id >= 5000) {
        // All sixteen meet here, and ask with a token that has just ended.
        const all = new Promise<void>((resolve) => held.push(resolve));
        if (held.length === 16) {
          expired = true;
          expire();
          for (const go of held) go();
        }
        await all;
      }
      await client.contacts.get({ contact_id: next.value.id });
      inFlight -= 1;
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker));
  await client.close();
  expect(expired).toBe(true);
  expect(inFlight).toBe(0);
  expect(sessions()).toBe(2);
  expect(read).toHaveLength(total);
  expect(new Set(read).size).toBe(total);
});

describe('searches', () => {
  async function searching(pages: readonly unknown[]) {
    let page = 0;
    return await world({
      answer: (_request, response) => {
        response.end(JSON.stringify(pages[page++]));
      },
    });
  }
  const ids = (contacts: readonly Contact[]) => contacts.map((contact) => contact.id);

  test.each<[string, readonly unknown[], readonly number[]]>([
    [
      'envelopes with a total',
      [
        { total: 3, items: [{ id: 1 }, { id: 2 }] },
        { total: 3, items: [{ id: 3 }] },
      ],
      [1, 2, 3],
    ],
    [
      'envelopes without one',
      [{ items: [{ id: 1 }] }, { items: [{ id: 2 }] }, { items: [] }],
      [1, 2],
    ],
    ['bare arrays', [[{ id: 1 }], [{ id: 2 }], []], [1, 2]],
    ['a lone record', [{ id: 1 }], [1]],
    ['nothing', [{ success: true, total: 0, items: [] }], []],
  ])('%s', async (_name, pages, expected) => {
    const { client } = await searching(pages);
    expect(ids(await client.contacts.search().toArray())).toEqual(expected);
    await client.close();
  });

  test('a page that repeats is an error, and so is an empty one before the total', async () => {
    const repeating = await searching([[{ id: 1 }], [{ id: 1 }]]);
    await expect(repeating.client.contacts.search().toArray()).rejects.toThrow(
      'repeats the one before',
    );
    await repeating.client.close();
    const short = await searching([
      { total: 9, items: [{ id: 1 }] },
      { total: 9, items: [] },
    ]);
    await expect(short.client.contacts.search().toArray()).rejects.toMatchObject({
      code: 'response_shape',
    });
    await short.client.close();
  });

  test('continues from a cursor', async () => {
    const { client, server } = await searching([
      { total: 9, items: [{ id: 8 }] },
      { total: 9, items: [{ id: 8 }] },
    ]);
    const first = await client.contacts.search({ index: 7 }).pages().next();
    expect(first.value.cursor).toBe('8');
    await client.contacts.search({}, { from: first.value.cursor }).toArray();
    expect(server.log.at(-1)).toContain('index=8');
    await expect(client.contacts.search({}, { from: 'page 2' }).toArray()).rejects.toMatchObject({
      field: 'from',
    });
    await client.close();
  });

  test('a record that does not fit is named by its place', async () => {
    const { client } = await searching([{ total: 2, items: [{ id: 1 }, { id: 'two' }] }]);
    await expect(client.contacts.search().toArray()).rejects.toMatchObject({
      issues: [{ path: ['items', 1, 'id'] }],
    });
    await client.close();
  });
});

describe('refused before anything is sent', () => {
  test.each<[string, (client: SupportClient) => Promise<unknown>, string]>([
    [
      'an attribute that is a parameter',
      (c) => c.contacts.update({ contact_id: 1, name: 'x', attributes: { crm_id: 'y' } }),
      'attributes.crm_id',
    ],
    [
      'an attribute that is the token',
      (c) => c.contacts.create({ name: 'x', attributes: { access_token: 'y' } }),
      'attributes.access_token',
    ],
    [
      'an inherited name',
      (c) => c.cases.create({ attributes: JSON.parse('{"__proto__":"x"}') }),
      'attributes.__proto__',
    ],
    [
      'an attribute that is no scalar',
      (c) => c.cases.create({ attributes: { a: [] as never } }),
      'attributes.a',
    ],
    [
      'a date that does not exist',
      (c) => c.cases.search({ created_since: '2015-02-30T00:00:00+0000' }).toArray(),
      'date',
    ],
    ['an id that is none', (c) => c.contacts.get({ contact_id: 'a/b' }), 'contact_id'],
    ['no name', (c) => c.contacts.update({ contact_id: 1 } as never), 'name'],
    ['an unknown input', (c) => c.cases.get({ case_id: 1, other: 1 } as never), 'other'],
  ])('%s', async (_name, call, field) => {
    const { client, server } = await world();
    await expect(call(client)).rejects.toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
    await client.close();
  });

  test.each([
    undefined,
    null,
    {},
    { userName: 'x' },
    { accessToken: '' },
    { userName: '', apiKey: 'x', password: 'y' },
  ])('auth %j', (given) => {
    const make = () => new SupportClient({ baseUrl: 'http://127.0.0.1:1/', auth: given as never });
    expect(make).toThrow(expect.objectContaining({ code: 'configuration', option: 'auth' }));
  });
});

test('no secret shows in an error, in a client or in a session', async () => {
  const { client } = await world({
    answer: (request, response) => {
      // A server that echoes everything it was sent.
      response.end(
        JSON.stringify({
          success: false,
          statusMessage: `refused: ${request.url} ${request.body}`,
        }),
      );
    },
  });
  const errors: unknown[] = [];
  await client.contacts
    .update({ contact_id: 1, name: 'x' })
    .catch((error: unknown) => errors.push(error));
  await client.contacts.get({ contact_id: 1 }).catch((error: unknown) => errors.push(error));
  await client
    .withAuth({ accessToken: 'token-number-77' })
    .me()
    .catch((error: unknown) => errors.push(error));
  expect(errors.every(isTriforgeError)).toBe(true);
  expect(errors).toHaveLength(3);
  const shown = [client, client.contacts, ...errors].map(
    (each) => inspect(each, { depth: 20, showHidden: false }) + JSON.stringify(each) + String(each),
  );
  for (const text of shown) {
    for (const secret of [auth.password, auth.apiKey, 'token-number'])
      expect(text).not.toContain(secret);
  }
  await client.close();
});
