import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { consoleServer } from '../socket/console-server.js';
import { contractAvailable, readContract } from './contract-table.js';
import { licenseMd5, consoleRows as rows } from './rows/console.js';

describe('ConsoleClient', () => {
  it.each(rows.map((each) => [each.row, each.title, each] as const))(
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

  it.skipIf(!contractAvailable)('every console row in the contract has a test case', () => {
    const text = readContract();
    const start = text.indexOf('### Management Console API (`{console_url}`)');
    const table = text.slice(start, text.indexOf('\n### ', start + 1));
    const wanted = [...table.matchAll(/^\| ([A-Z]+) \| (\/\S+) \|/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(wanted.length).toBe(11);
    expect(new Set(rows.map(({ row }) => row))).toEqual(new Set(wanted));
  });
});
