import { describe, expect, it } from 'vitest';
import { SupportClient } from '../../src/index.js';
import type { Contact } from '../../src/support/index.js';
import { world } from './support-world.js';

/** Creates a client for a service that sends the responses in order. */
async function respondWith(...responses: readonly unknown[]): Promise<SupportClient> {
  let requests = 0;
  const { client } = await world({
    respond: (_request, response) => {
      response.end(JSON.stringify(responses[Math.min(requests++, responses.length - 1)]));
    },
  });
  return client;
}

const profile = { contact_id: 7, source: 'sms', ext_id: '1' };

describe('response.outcome', () => {
  it.each<[unknown, unknown]>([
    [{ success: true }, { success: true, statusMessage: undefined }],
    [{ statusMessage: 'merged' }, { success: undefined, statusMessage: 'merged' }],
    [{}, undefined],
  ])('a response with the body %j has the outcome %j', async (result, outcome) => {
    const client = await respondWith(result);
    const { data, response } = await client.contacts.addProfile(profile).withResponse();
    expect(data).toBeUndefined();
    expect(response.outcome).toEqual(outcome);
  });

  it.each([
    ['a reason', 'No room', 'No room'],
    ["a reason that isn't a string", 7, undefined],
    ['no reason', undefined, undefined],
  ])(
    'a support response with success: false and %s causes an OperationFailedError',
    async (_what, output, statusMessage) => {
      const client = await respondWith({ success: false, statusMessage: output });
      for (const send of [
        () => client.contacts.addProfile(profile),
        () => client.me(),
        () => client.request('GET /campaign'),
      ]) {
        await expect(send()).rejects.toMatchObject({ code: 'operation_failed', statusMessage });
      }
    },
  );
});

describe('support records', () => {
  it.each<[string, unknown]>([
    ['from the top level', { id: 7, plan: 'a' }],
    ['from `data`', { success: true, data: { id: 7, plan: 'a' } }],
    [
      'from a field named after its type',
      { success: true, data: 'none', case: { id: 7, plan: 'a' } },
    ],
    ['without the outcome fields', { success: true, statusMessage: 'ok', id: 7, plan: 'a' }],
  ])('the client reads a support record %s', async (_where, response) => {
    const client = await respondWith(response);
    expect(await client.cases.get({ case_id: 7 })).toEqual({ id: 7, plan: 'a' });
  });

  it.each<[unknown, readonly unknown[]]>([
    [{ success: true }, ['id']],
    [null, []],
    [[{ id: 7 }], []],
  ])('the client rejects %j as a support record', async (response, path) => {
    const client = await respondWith(response);
    const call = client.contacts.get({ contact_id: 7 });
    await expect(call).rejects.toMatchObject({ code: 'response_shape', issues: [{ path }] });
  });
});

describe('SupportClient.paginate()', () => {
  it.each<[Readonly<Record<string, unknown>> | undefined, readonly string[]]>([
    [undefined, ['', '?index=2', '?index=4']],
    [{ index: '3', state: 'Open' }, ['?index=3&state=Open']],
    [{ index: 0 }, ['?index=0', '?index=2', '?index=4']],
  ])('SupportClient.paginate() paginates by index with the inputs %j', async (inputs, requests) => {
    const { client, server } = await world({
      respond: ({ url }, response) => {
        const index = Number(new URL(url, 'http://host').searchParams.get('index'));
        const items = [1, 2, 3, 4, 5].slice(index, index + 2);
        response.end(JSON.stringify({ total: 5, items }));
      },
    });
    await client.paginate('GET /case', inputs).toArray();
    const pages = server.log.slice(1).map((line) => line.replace(/[?&]access_token=.*/, ''));
    expect(pages).toEqual(requests.map((each) => `GET /api/v2/case${each}`));
  });
});

describe('support searches', () => {
  async function searching(pages: readonly unknown[]) {
    let page = 0;
    return await world({
      respond: (_request, response) => {
        response.end(JSON.stringify(pages[page++]));
      },
    });
  }
  const ids = (contacts: readonly Contact[]) => contacts.map((contact) => contact.id);

  it.each<[string, readonly unknown[], readonly number[]]>([
    [
      'envelopes with a total',
      [
        { total: 3, items: [{ id: 1 }, { id: 2 }] },
        { total: 3, items: [{ id: 3 }] },
      ],
      [1, 2, 3],
    ],
    ['bare arrays', [[{ id: 1 }], [{ id: 2 }], []], [1, 2]],
    ['a single record', [{ id: 1 }], [1]],
    ['an empty envelope', [{ success: true, total: 0, items: [] }], []],
  ])('a support search accepts %s', async (_name, pages, expected) => {
    const { client } = await searching(pages);
    expect(ids(await client.contacts.search().toArray())).toEqual(expected);
  });
});

describe('support inputs', () => {
  it.each<[string, (client: SupportClient) => Promise<unknown>, string]>([
    [
      "an attribute with a parameter's name",
      (c) => c.contacts.update({ contact_id: 1, name: 'x', attributes: { crm_id: 'y' } }),
      'attributes.crm_id',
    ],
    [
      'an attribute that JavaScript has rounded',
      (c) => c.cases.create({ attributes: { account: 2 ** 53 + 2 } }),
      'attributes.account',
    ],
    [
      "a date that doesn't exist",
      (c) => c.cases.search({ created_since: '2015-02-30T00:00:00+0000' }).toArray(),
      'created_since',
    ],
    ['an ID with a slash', (c) => c.contacts.get({ contact_id: 'a/b' }), 'contact_id'],
  ])('SupportClient rejects %s', async (_name, call, field) => {
    const { client, server } = await world();
    await expect(call(client)).rejects.toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
  });

  it('cases.create() sends string, number and boolean attributes, and omits undefined attributes', async () => {
    const { client, server } = await world({
      respond: (_request, response) => response.end('{"success":true,"case_id":1}'),
    });
    const attributes = { plan: 'a', seats: 3, vip: true, left: undefined };
    await client.cases.create({ attributes });
    expect(server.requests.at(-1)?.body).toMatch(/^plan=a&seats=3&vip=true&access_token=/);
  });
});

it.each<[unknown, string]>([
  [null, 'auth'],
  [{}, 'auth.userName'],
  [{ userName: 'x', apiKey: 'y', password: 7 }, 'auth.password'],
  [{ accessToken: '' }, 'auth.accessToken'],
])('SupportClient rejects %j as auth with an error that names `%s`', (passed, part) => {
  const make = () => new SupportClient({ baseUrl: 'http://127.0.0.1:1/', auth: passed as never });
  const named = expect.stringContaining(`${part}: `);
  expect(make).toThrow(
    expect.objectContaining({ code: 'configuration', option: 'auth', message: named }),
  );
});
