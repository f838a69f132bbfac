import { describe, expect, test } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { SupportClient } from '../../src/support/index.js';
import { consoleServer } from '../socket/console-server.js';
import { serve } from '../support/server.js';
import { contractAvailable, contractNote, readContract } from './contract-table.js';
import { consoleRows, licenseMd5 } from './rows/console.js';
import { supportRows } from './support-rows.js';

const token = 'the-access-token';

test.each(supportRows.map((row) => [row.row, row] as const))(
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

test.skipIf(!contractAvailable)(
  `the support cases cover every row of the contract's table (${contractNote})`,
  () => {
    const text = readContract();
    const section = text.slice(
      text.indexOf('### Support API v2 ('),
      text.indexOf('HTTP verbs: HEAD'),
    );
    const table = [...section.matchAll(/^\| (GET|POST) \| (\S+) \|/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(table).toHaveLength(19);
    const tried = new Set(['POST /authenticate', ...supportRows.map((row) => row.row)]);
    expect(table.filter((row) => !tried.has(row))).toEqual([]);
  },
);

describe('ConsoleClient', () => {
  test.each(consoleRows.map((each) => [each.row, each.title, each] as const))(
    'sends %s as specified (%s)',
    async (row, _title, { call, body, parts, type, status, reply }) => {
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
        const started = { location: `${server.url}/setup/api/configcheck` };
        expect(await call(client)).toEqual(status === 202 ? started : reply);
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
