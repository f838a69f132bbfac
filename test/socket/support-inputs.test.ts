import { describe, expect, test } from 'vitest';
import { SupportClient } from '../../src/index.js';
import { world } from './support-world.js';

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
    ['no name', (c) => c.contacts.update({ contact_id: 1 } as never), 'name'],
    ['an unknown input', (c) => c.cases.get({ case_id: 1, other: 1 } as never), 'other'],
  ])('%s', async (_name, call, field) => {
    const { client, server } = await world();
    await expect(call(client)).rejects.toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
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

  test('what a write says of itself is beside its result', async () => {
    const said = { success: true, statusMessage: 'merged with 8' };
    const { client } = await world({
      answer: (request, response) => {
        const record = request.url.includes('/tags') ? { data: { id: 7 } } : { id: 7, name: 'x' };
        response.end(JSON.stringify({ ...said, ...(request.url.includes('/add') ? {} : record) }));
      },
    });
    const calls = [
      client.contacts.update({ contact_id: 7, name: 'x' }),
      client.contacts.updateTags({ contact_id: 7, add: ['a'] }),
      client.contacts.addProfile({ contact_id: 7, source: 'sms', ext_id: '1' }),
      client.cases.addMessage({ case_id: 7, source: 'sms', ext_id: '1' }),
    ];
    for (const call of calls) {
      const { response } = await call.withResponse();
      expect(response.outcome).toEqual(said);
    }
    expect(await calls[0]).toEqual({ id: 7, name: 'x' });
    expect(await calls[2]).toBeUndefined();
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
