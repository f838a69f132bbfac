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
