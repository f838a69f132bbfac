import { describe, expect, it } from 'vitest';
import { SupportClient } from '../../src/index.js';
import { until } from '../support/client.js';
import { world } from './support-world.js';

it.each<[string, (client: SupportClient) => Promise<void>]>([
  ['on close()', (client) => client.close()],
  ['at the end of an `await using` block', (client) => client[Symbol.asyncDispose]()],
])('SupportClient closes its sockets %s', async (_how, end) => {
  const { client, server } = await world({
    respond(_request, response) {
      // Without this header, undici would soon close the connection itself.
      response.setHeader('keep-alive', 'timeout=600');
      response.end('{"logged_in":true}');
    },
  });
  await client.me();
  await end(client);
  await until('no socket is open', async () => (await server.open()) === 0);
});

it('SupportClient exposes only the properties contacts and cases', async () => {
  const { client } = await world();
  expect(Object.keys(client)).toEqual(['contacts', 'cases']);
});

describe('support inputs', () => {
  it.each<[string, (client: SupportClient) => Promise<unknown>, string]>([
    [
      "an attribute with a parameter's name",
      (c) => c.contacts.update({ contact_id: 1, name: 'x', attributes: { crm_id: 'y' } }),
      'attributes.crm_id',
    ],
    [
      "an attribute with the token's name",
      (c) => c.contacts.create({ name: 'x', attributes: { access_token: 'y' } }),
      'attributes.access_token',
    ],
    [
      "an attribute with the ID's name",
      (c) => c.cases.update({ case_id: 1, attributes: { id: 'x' } }),
      'attributes.id',
    ],
    [
      "an attribute that isn't a scalar",
      (c) => c.cases.create({ attributes: { a: [] as never } }),
      'attributes.a',
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
    [
      'a date in another format',
      (c) => c.contacts.search({ updated_since: '2015-02-20' }).toArray(),
      'updated_since',
    ],
    [
      'an invalid Date',
      (c) => c.cases.search({ updated_since: new Date('x') }).toArray(),
      'updated_since',
    ],
    ['an empty ID', (c) => c.cases.create({ contact_id: '' }), 'contact_id'],
    ['an ID with a slash', (c) => c.contacts.get({ contact_id: 'a/b' }), 'contact_id'],
    ['a negative ID', (c) => c.contacts.get({ contact_id: -1 }), 'contact_id'],
    ['a fractional ID', (c) => c.contacts.get({ contact_id: 1.5 }), 'contact_id'],
    ['an ID with a letter at the end', (c) => c.cases.get({ case_id: '7x' }), 'case_id'],
    ['an ID with a letter at the start', (c) => c.cases.get({ case_id: 'x7' }), 'case_id'],
    ['a list as an ID', (c) => c.cases.create({ contact_id: ['7'] as never }), 'contact_id'],
    ["a note that isn't a string", (c) => c.cases.create({ note: 5 as never }), 'note'],
    ['a list of tags with a number', (c) => c.cases.create({ tag: ['a', 5 as never] }), 'tag'],
    [
      'an attribute without a name',
      (c) => c.cases.create({ attributes: { '': 'x' } }),
      'attributes.',
    ],
    [
      'a contact update without a name',
      (c) => c.contacts.update({ contact_id: 1 } as never),
      'name',
    ],
    ['an unknown input', (c) => c.cases.get({ case_id: 1, other: 1 } as never), 'other'],
  ])('SupportClient rejects %s', async (_name, call, field) => {
    const { client, server } = await world();
    await expect(call(client)).rejects.toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
  });

  it('SupportClient accepts numeric IDs of 1 to 10 digits, including 0', async () => {
    const { client, server } = await world({ respond: (_request, response) => response.end('[]') });
    for (const case_id of [0, '0', '1234567890']) await client.cases.listTags({ case_id });
    const requests = server.log.slice(1).map((line) => line.split('?')[0]);
    expect(requests).toEqual([
      'GET /api/v2/case/0/tags',
      'GET /api/v2/case/0/tags',
      'GET /api/v2/case/1234567890/tags',
    ]);
  });

  it('cases.create() sends string, number and boolean attributes, and omits undefined attributes', async () => {
    const { client, server } = await world({
      respond: (_request, response) => response.end('{"success":true,"case_id":1}'),
    });
    const attributes = { plan: 'a', seats: 3, vip: true, left: undefined };
    await client.cases.create({ attributes });
    expect(server.requests.at(-1)?.body).toMatch(/^plan=a&seats=3&vip=true&access_token=/);
  });

  it("SupportClient accepts any string for an ID that isn't part of the path", async () => {
    const { client, server } = await world({
      respond: (request, response) =>
        response.end(request.method === 'POST' ? '{"success":true,"case_id":1}' : '{"items":[]}'),
    });
    await client.cases.create({ contact_id: 'abc' });
    await client.cases.search({ contact_id: 'abc', campaign_id: 'x y' }).toArray();
    expect(server.requests.at(-2)?.body).toContain('contact_id=abc');
    expect(server.requests.at(-1)?.url).toContain('contact_id=abc&campaign_id=x%20y');
  });
});

it.each<[unknown, string]>([
  [undefined, 'auth'],
  [null, 'auth'],
  ['the-token', 'auth'],
  [{}, 'auth.userName'],
  [{ userName: 'x' }, 'auth.apiKey'],
  [{ userName: 'x', apiKey: 'y', password: 7 }, 'auth.password'],
  [{ userName: '', apiKey: 'x', password: 'y' }, 'auth.userName'],
  [{ accessToken: '' }, 'auth.accessToken'],
])('SupportClient rejects %j as auth with an error that names `%s`', (passed, part) => {
  const make = () => new SupportClient({ baseUrl: 'http://127.0.0.1:1/', auth: passed as never });
  const named = expect.stringContaining(`${part}: `);
  expect(make).toThrow(
    expect.objectContaining({ code: 'configuration', option: 'auth', message: named }),
  );
});

it.each([
  { userName: 'x', apiKey: 'y', password: 'z', token: 'w' },
  { accessToken: 'x', token: 'w' },
])('SupportClient rejects an unknown option in the auth %j', (passed) => {
  const make = () => new SupportClient({ baseUrl: 'http://127.0.0.1:1/', auth: passed });
  expect(make).toThrow(expect.objectContaining({ code: 'configuration', option: 'auth.token' }));
});
