import { describe, expect, test } from 'vitest';
import { SupportClient } from '../../src/index.js';
import { world } from './support-world.js';

describe('inputs', () => {
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
      'an attribute that is the id',
      (c) => c.cases.update({ case_id: 1, attributes: { id: 'x' } }),
      'attributes.id',
    ],
    [
      'an attribute that is no scalar',
      (c) => c.cases.create({ attributes: { a: [] as never } }),
      'attributes.a',
    ],
    [
      'a date that does not exist',
      (c) => c.cases.search({ created_since: '2015-02-30T00:00:00+0000' }).toArray(),
      'created_since',
    ],
    [
      'a date of another format',
      (c) => c.contacts.search({ updated_since: '2015-02-20' }).toArray(),
      'updated_since',
    ],
    [
      'a Date that is none',
      (c) => c.cases.search({ updated_since: new Date('x') }).toArray(),
      'updated_since',
    ],
    ['an empty id', (c) => c.cases.create({ contact_id: '' }), 'contact_id'],
    ['an id that is none', (c) => c.contacts.get({ contact_id: 'a/b' }), 'contact_id'],
    ['an id below 0', (c) => c.contacts.get({ contact_id: -1 }), 'contact_id'],
    ['an id with a fraction', (c) => c.contacts.get({ contact_id: 1.5 }), 'contact_id'],
    ['an id that ends otherwise', (c) => c.cases.get({ case_id: '7x' }), 'case_id'],
    ['an id that begins otherwise', (c) => c.cases.get({ case_id: 'x7' }), 'case_id'],
    ['an id in a list', (c) => c.cases.create({ contact_id: ['7'] as never }), 'contact_id'],
    ['a note that is no text', (c) => c.cases.create({ note: 5 as never }), 'note'],
    ['a tag that is none among others', (c) => c.cases.create({ tag: ['a', 5 as never] }), 'tag'],
    [
      'an attribute without a name',
      (c) => c.cases.create({ attributes: { '': 'x' } }),
      'attributes.',
    ],
    ['no name', (c) => c.contacts.update({ contact_id: 1 } as never), 'name'],
    ['an unknown input', (c) => c.cases.get({ case_id: 1, other: 1 } as never), 'other'],
  ])('refused before anything is sent: %s', async (_name, call, field) => {
    const { client, server } = await world();
    await expect(call(client)).rejects.toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
    await client.close();
  });

  test('ids may be of any length, and 0', async () => {
    const { client, server } = await world({ answer: (_request, response) => response.end('[]') });
    for (const case_id of [0, '0', '1234567890']) await client.cases.listTags({ case_id });
    const asked = server.log.slice(1).map((line) => line.split('?')[0]);
    expect(asked).toEqual([
      'GET /api/v2/case/0/tags',
      'GET /api/v2/case/0/tags',
      'GET /api/v2/case/1234567890/tags',
    ]);
    await client.close();
  });

  test('attributes are texts, numbers and truth values; what is undefined stays away', async () => {
    const { client, server } = await world({
      answer: (_request, response) => response.end('{"success":true,"case_id":1}'),
    });
    const attributes = { plan: 'a', seats: 3, vip: true, left: undefined };
    await client.cases.create({ attributes });
    expect(server.requests.at(-1)?.body).toMatch(/^plan=a&seats=3&vip=true&access_token=/);
    await client.close();
  });

  test('ids that go out as parameters may be any string', async () => {
    const { client, server } = await world({
      answer: (request, response) =>
        response.end(request.method === 'POST' ? '{"success":true,"case_id":1}' : '{"items":[]}'),
    });
    await client.cases.create({ contact_id: 'abc' });
    await client.cases.search({ contact_id: 'abc', campaign_id: 'x y' }).toArray();
    expect(server.requests.at(-2)?.body).toContain('contact_id=abc');
    expect(server.requests.at(-1)?.url).toContain('contact_id=abc&campaign_id=x%20y');
    await client.close();
  });
});

test.each<[unknown, string]>([
  [undefined, 'auth'],
  [null, 'auth'],
  ['the-token', 'auth'],
  [{}, 'auth.userName'],
  [{ userName: 'x' }, 'auth.apiKey'],
  [{ userName: 'x', apiKey: 'y', password: 7 }, 'auth.password'],
  [{ userName: '', apiKey: 'x', password: 'y' }, 'auth.userName'],
  [{ accessToken: '' }, 'auth.accessToken'],
])('auth %j is refused, naming %s', (given, part) => {
  const make = () => new SupportClient({ baseUrl: 'http://127.0.0.1:1/', auth: given as never });
  const named = expect.stringContaining(`${part}: `);
  expect(make).toThrow(
    expect.objectContaining({ code: 'configuration', option: 'auth', message: named }),
  );
});

test.each([
  { userName: 'x', apiKey: 'y', password: 'z', token: 'w' },
  { accessToken: 'x', token: 'w' },
])('auth %j is refused, as it has an option that is not known', (given) => {
  const make = () => new SupportClient({ baseUrl: 'http://127.0.0.1:1/', auth: given });
  expect(make).toThrow(expect.objectContaining({ code: 'configuration', option: 'auth.token' }));
});
