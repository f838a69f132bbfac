import { describe, expect, test } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { SupportClient } from '../../src/support/index.js';
import { consoleServer } from '../socket/console-server.js';
import { serve } from '../support/server.js';
import { contractAvailable, contractNote, readContract } from './contract-table.js';
import { consoleRows, licenseMd5 } from './rows/console.js';

/** One row of the contract's table "Support API v2": a call and its expected request. */
interface Row {
  /** Method and path, as in the contract. */
  readonly row: string;
  readonly call: (client: SupportClient) => Promise<unknown>;
  /** Path and query, without the token. */
  readonly url: string;
  /** Form, without the token. Undefined for a GET request. */
  readonly form?: string;
  readonly reply: unknown;
  /** Expected result. Default: the response. */
  readonly result?: unknown;
}

const contact = { id: 7, name: 'Ada', crm_id: 'c-7', vip: 'yes', tags: ['a'] };
const supportCase = { id: 9, subject: 'Help', state: 'Open', contact };
const ok = { success: true, statusMessage: 'ok' };
const since = new Date('2015-02-20T19:32:51Z');
const sinceText = '2015-02-20T19%3A32%3A51%2B0000';

const rows: readonly Row[] = [
  { row: 'GET /me', call: (c) => c.me(), url: '/me', reply: { ...ok, logged_in: true } },
  {
    row: 'POST /contact',
    call: (c) =>
      c.contacts.create({
        name: 'Ada',
        echo_data: true,
        note: ['a', 'b'],
        tag: 'x',
        attributes: { vip: 'yes', level: 3 },
      }),
    url: '/contact',
    form: 'name=Ada&echo_data=true&note=a&note=b&tag=x&vip=yes&level=3',
    reply: { ...ok, contact_id: 7, data: contact },
  },
  {
    row: 'POST /contact/<contact_id>',
    call: (c) =>
      c.contacts.update({
        contact_id: 7,
        name: 'Ada',
        first_name: 'A',
        last_name: 'B',
        crm_id: 'c',
        client_id: 'd',
        extended_value: 'e',
        note: 'n',
        tag: ['t', 'u'],
        attributes: { other: 'x & y' },
      }),
    url: '/contact/7',
    form: 'name=Ada&first_name=A&last_name=B&crm_id=c&client_id=d&extended_value=e&note=n&tag=t&tag=u&other=x%20%26%20y',
    reply: { ...ok, contact },
    result: contact,
  },
  {
    row: 'GET /contact/<contact_id>',
    call: (c) => c.contacts.get({ contact_id: '7' }),
    url: '/contact/7',
    reply: contact,
  },
  {
    row: 'GET /contact',
    call: (c) =>
      c.contacts
        .search({
          count: 5,
          index: 0,
          order_by: 'name',
          order_dir: 'ASC',
          crm_id: 'c',
          name: 'Ada',
          updated_since: since,
        })
        .toArray(),
    url: `/contact?count=5&index=0&order_by=name&order_dir=ASC&crm_id=c&name=Ada&updated_since=${sinceText}`,
    reply: { success: true, total: 1, items: [contact] },
    result: [contact],
  },
  {
    row: 'GET /contact/<contact_id>/profiles',
    call: (c) => c.contacts.listProfiles({ contact_id: 7 }),
    url: '/contact/7/profiles',
    reply: [{ id: 1, source: 'email', ext_id: 'a@b' }],
  },
  {
    row: 'POST /contact/<contact_id>/profiles/add',
    call: (c) =>
      c.contacts.addProfile({
        contact_id: 7,
        source: 'twitter',
        ext_id: '55',
        user_name: 'ada',
        name: 'Ada',
      }),
    url: '/contact/7/profiles/add',
    form: 'source=twitter&ext_id=55&user_name=ada&name=Ada',
    reply: ok,
    result: undefined,
  },
  {
    row: 'POST /contact/<contact_id>/profiles/remove',
    call: (c) => c.contacts.removeProfile({ contact_id: 7, source: 'twitter', ext_id: '55' }),
    url: '/contact/7/profiles/remove',
    form: 'source=twitter&ext_id=55',
    reply: ok,
    result: undefined,
  },
  {
    row: 'GET /contact/<contact_id>/tags',
    call: (c) => c.contacts.listTags({ contact_id: 7 }),
    url: '/contact/7/tags',
    reply: { success: true, tags: ['a', 'b'] },
    result: ['a', 'b'],
  },
  {
    row: 'POST /contact/<contact_id>/tags',
    call: (c) => c.contacts.updateTags({ contact_id: 7, add: ['a', 'b'], remove: ['c'] }),
    url: '/contact/7/tags',
    form: 'add=a&add=b&remove=c',
    reply: { ...ok, data: contact },
    result: contact,
  },
  {
    row: 'POST /case',
    call: (c) =>
      c.cases.create({
        campaign: 'Spring',
        contact_id: '7',
        subject: 'Help',
        source: 'email',
        private: false,
        note: 'n',
        tag: ['t'],
        echo_data: true,
        attributes: { priority: 'high' },
      }),
    url: '/case',
    form: 'campaign=Spring&contact_id=7&subject=Help&source=email&private=false&note=n&tag=t&echo_data=true&priority=high',
    reply: { ...ok, case_id: 9, data: supportCase },
  },
  {
    row: 'POST /case/<case_id>',
    call: (c) =>
      c.cases.update({
        case_id: 9,
        subject: 'Other',
        note: ['n'],
        tag: 't',
        echo_data: true,
        attributes: { priority: 'low' },
      }),
    url: '/case/9',
    form: 'subject=Other&note=n&tag=t&echo_data=true&priority=low',
    reply: { ...ok, case: supportCase },
    result: supportCase,
  },
  {
    row: 'GET /case/<case_id>',
    call: (c) => c.cases.get({ case_id: 9 }),
    url: '/case/9',
    reply: supportCase,
  },
  {
    row: 'GET /case',
    call: (c) =>
      c.cases
        .search({
          count: 5,
          index: 10,
          order_by: 'id',
          order_dir: 'DESC',
          contact_id: 7,
          campaign_id: 3,
          state: 'Open',
          source: 'email',
          with_tag: 'a',
          without_tag: 'b',
          created_since: since,
          updated_since: '2015-02-20T19:32:51+0000',
        })
        .toArray(),
    url: `/case?count=5&index=10&order_by=id&order_dir=DESC&contact_id=7&campaign_id=3&state=Open&source=email&with_tag=a&without_tag=b&created_since=${sinceText}&updated_since=${sinceText}`,
    reply: { success: true, total: 11, items: [supportCase] },
    result: [supportCase],
  },
  {
    row: 'GET /case/<case_id>/messages',
    call: (c) => c.cases.listMessages({ case_id: 9 }),
    url: '/case/9/messages',
    reply: { success: true, messages: [{ source: 'email', ext_id: 'm1' }] },
    result: [{ source: 'email', ext_id: 'm1' }],
  },
  {
    row: 'POST /case/<case_id>/messages/add',
    call: (c) => c.cases.addMessage({ case_id: 9, source: 'email', ext_id: 'm1' }),
    url: '/case/9/messages/add',
    form: 'source=email&ext_id=m1',
    reply: ok,
    result: undefined,
  },
  {
    row: 'POST /case/<case_id>/messages/remove',
    call: (c) => c.cases.removeMessage({ case_id: 9, source: 'email', ext_id: 'm1' }),
    url: '/case/9/messages/remove',
    form: 'source=email&ext_id=m1',
    reply: ok,
    result: undefined,
  },
  {
    row: 'GET /case/<case_id>/tags',
    call: (c) => c.cases.listTags({ case_id: 9 }),
    url: '/case/9/tags',
    reply: ['a'],
  },
  {
    row: 'POST /case/<case_id>/tags (outside the contract)',
    call: (c) => c.cases.updateTags({ case_id: 9, add: ['a'] }),
    url: '/case/9/tags',
    form: 'add=a',
    reply: supportCase,
  },
];

const token = 'the-access-token';

test.each(rows.map((row) => [row.row, row] as const))(
  'SupportClient sends %s as specified',
  async (_name, row) => {
    const server = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(row.reply));
    });
    const client = new SupportClient({
      baseUrl: `${server.origin}/api/v2`,
      auth: { accessToken: token },
    });
    const result = await row.call(client);
    await client.close();
    expect(result).toEqual('result' in row ? row.result : row.reply);
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    const reads = row.form === undefined;
    expect(request?.method).toBe(reads ? 'GET' : 'POST');
    const mark = row.url.includes('?') ? '&' : '?';
    expect(request?.url).toBe(`/api/v2${row.url}${reads ? `${mark}access_token=${token}` : ''}`);
    expect(request?.body).toBe(reads ? '' : `${row.form}&access_token=${token}`);
    expect(request?.headers['content-type']).toBe(
      reads ? undefined : 'application/x-www-form-urlencoded',
    );
    expect(request?.headers.accept).toBe('application/json');
  },
);

test('SupportClient sends POST /authenticate as specified', async () => {
  const server = await serve((_request, response) => {
    response.end('{"success":true,"access_token":"t","expires":"2015-02-20T16:32:51-0300"}');
  });
  const auth = { userName: 'u', apiKey: 'key & more', password: 'p' };
  const client = new SupportClient({ baseUrl: `${server.origin}/api/v2/`, auth });
  await expect(client.authenticate()).resolves.toEqual({
    accessToken: 't',
    expires: new Date('2015-02-20T19:32:51Z'),
  });
  await client.close();
  expect(server.log).toEqual(['POST /api/v2/authenticate']);
  expect(server.requests[0]?.body).toBe('userName=u&apiKey=key%20%26%20more&password=p');
});

describe.skipIf(!contractAvailable)(
  `the contract cases for the support API (${contractNote})`,
  () => {
    const text = contractAvailable ? readContract() : '';
    const section = text.slice(
      text.indexOf('### Support API v2 ('),
      text.indexOf('HTTP verbs: HEAD'),
    );
    const table = [...section.matchAll(/^\| (GET|POST) \| (\S+) \|/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );

    test("the support cases cover every row of the contract's table", () => {
      expect(table).toHaveLength(19);
      const tried = new Set(['POST /authenticate', ...rows.map((row) => row.row)]);
      expect(table.filter((row) => !tried.has(row))).toEqual([]);
    });

    test("the support cases send every input in the contract's table", () => {
      for (const line of section.split('\n')) {
        const [, method, path, inputs = ''] = line.split('|').map((cell) => cell.trim());
        if ((method !== 'GET' && method !== 'POST') || path === '/authenticate') continue;
        const row = rows.find((each) => each.row === `${method} ${path}`);
        const sent = `${row?.url} ${row?.form}`;
        const names = [...inputs.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
        const elsewhere = new Set(['id', 'access_token', 'true', 'data']);
        for (const name of names.filter((each) => !elsewhere.has(each))) {
          expect(sent, `${method} ${path}: ${name}`).toMatch(new RegExp(`[?& ]${name}=`));
        }
      }
    });
  },
);

describe('ConsoleClient', () => {
  test.each(consoleRows.map((each) => [each.row, each.title, each] as const))(
    'sends %s as specified (%s)',
    async (row, _title, { call, body, parts, type, status, reply, result }) => {
      const [method, path = ''] = row.split(' ');
      const starts = path.endsWith('/start');
      await using server = await consoleServer(() => ({
        status,
        body: reply,
        ...(status === 202 && { headers: { location: '/setup/api/configcheck' } }),
      }));
      for (const place of ['basic', 'query'] as const) {
        const auth = { licenseMd5, in: place };
        await using client = new ConsoleClient({ baseUrl: server.url, auth });
        const expected = JSON.parse(
          JSON.stringify({ result }).replace('LOCATION', `${server.url}/setup/api/configcheck`),
        );
        expect({ result: await call(client) }).toEqual(expected);
        const seen = server.seen.at(-1);
        const query = place === 'query' && !starts ? `?license_md5=${licenseMd5}` : '';
        expect(`${seen?.method} ${seen?.url}`).toBe(`${method} ${path}${query}`);
        const basic = `Basic ${Buffer.from(`license:${licenseMd5}`).toString('base64')}`;
        expect(seen?.headers.authorization).toBe(place === 'basic' && !starts ? basic : undefined);
        if (parts) {
          expect(seen?.parts?.map((part) => [part.name, part.filename, String(part.data)])).toEqual(
            parts,
          );
        } else {
          expect(String(seen?.body)).toBe(body ?? '');
          expect(seen?.headers['content-type']).toBe(type);
        }
      }
      expect(server.seen.length, 'one request per call').toBe(2);
    },
  );

  test.skipIf(!contractAvailable)('every console row in the contract has a test case', () => {
    const text = readContract();
    const start = text.indexOf('### Management Console API (`{console_url}`)');
    const table = text.slice(start, text.indexOf('\n### ', start + 1));
    const wanted = [...table.matchAll(/^\| ([A-Z]+) \| (\/\S+) \|/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(wanted.length).toBe(11);
    expect(new Set(consoleRows.map(({ row }) => row))).toEqual(new Set(wanted));
  });
});
