import { describe, expect, test } from 'vitest';
import { replay } from '../../src/testing/index.js';
import {
  createFolder,
  type Line,
  origin,
  type RequestOptions,
  sendRequest,
  text,
} from './handwritten-recording.js';
import { json } from './recording-folder.js';

// Tests which recorded exchange a replay selects for a request.

const accept = { accept: 'text/html' };

describe('strict replay', () => {
  const lines: readonly Line[] = [
    { url: '/a', ...text('first') },
    { url: '/a', ...text('second') },
    { url: '/a', headers: accept, ...text('html') },
    { url: '/q?b=2&a=1&a=0', ...text('query') },
    { url: '/q?c', ...text('other query') },
    { url: '/q?d', ...text('third query') },
    { url: '/q?e', ...text('fourth query') },
    {
      method: 'POST',
      url: '/p',
      headers: json,
      sent: { json: { x: [1, { y: 2 }] } },
      ...text('json'),
    },
    { method: 'POST', url: '/p', sent: { text: 'b' }, headers: json, ...text('text') },
    {
      method: 'POST',
      url: '/f',
      headers: json,
      ...text('large'),
    },
    {
      method: 'POST',
      url: '/s?access_token=***',
      headers: { 'content-type': 'x-www-form-urlencoded' },
      sent: { text: 'password=***' },
      ...text('secret'),
    },
    {
      method: 'POST',
      url: '/p?z',
      sent: { text: 'z' },
      headers: json,
      ...text('of another query'),
    },
  ];
  const posted = (body: string): RequestOptions => ({ method: 'POST', headers: json, body });

  test.each<[string, ...[path: string, answer: string, how?: RequestOptions][]]>([
    [
      'responds to repeated requests in the recorded order',
      ['/a', 'first'],
      ['/a', 'second'],
      ['/a', 'replay: GET /a: the request was recorded 2 times, but sent more often'],
    ],
    [
      'selects the exchange with matching headers, or rejects the request',
      ['/a', 'html', { headers: accept }],
      [
        '/a',
        'replay: GET /a: the request was recorded with a different header (/a)',
        { headers: { accept: 'text/plain' } },
      ],
    ],
    [
      "ignores headers that don't select a response",
      ['/a', 'first', { headers: { 'user-agent': 'x' } }],
    ],
    [
      'ignores the order of query parameters',
      ['/q?a=1&a=0&b=2', 'query'],
      [
        '/q?a=1&a=0&b=2',
        'replay: GET /q?a=1&a=0&b=2: the request was recorded once, but sent more often',
      ],
    ],
    [
      'rejects a request with an unrecorded query',
      [
        '/q?a=0&a=1&b=2',
        'replay: GET /q?a=0&a=1&b=2: the request was recorded with a different query (/q?b=2&a=1&a=0, /q?c, /q?d)',
      ],
    ],
    [
      'rejects a request with an unrecorded method',
      [
        '/a',
        'replay: DELETE /a: no request with this method and path was recorded',
        { method: 'DELETE' },
      ],
    ],
    [
      'rejects a request with an unrecorded path',
      ['/aa', 'replay: GET /aa: no request with this method and path was recorded'],
    ],
    ['ignores whitespace in a JSON body', ['/p', 'json', posted('{ "x": [1, {"y":2}] }')]],
    [
      'rejects a request with an unrecorded body',
      [
        '/p',
        'replay: POST /p: the request was recorded with a different body (/p)',
        posted('{"x":[1,{"y":3}]}'),
      ],
    ],
    [
      "compares a text body exactly if it isn't JSON",
      ['/p', 'text', posted('b')],
      ['/p', 'replay: POST /p: the request was recorded with a different body (/p)', posted('"b"')],
    ],
    [
      'rejects a large body if a small body was recorded',
      [
        '/p',
        'replay: POST /p: the request was recorded with a different body (/p)',
        posted(JSON.stringify('x'.repeat(70_000))),
      ],
    ],
    [
      'rejects a request with a recorded body but unrecorded headers',
      [
        '/p',
        'replay: POST /p: the request was recorded with a different header (/p)',
        { ...posted('b'), headers: { ...json, ...accept } },
      ],
    ],
    [
      'accepts any large body if a large body was recorded',
      ['/f', 'large', posted('x'.repeat(1_048_577))],
    ],
    [
      'accepts secrets that differ from those in the recorded request',
      [
        '/s?access_token=another',
        'secret',
        {
          method: 'POST',
          headers: { 'content-type': 'x-www-form-urlencoded' },
          body: 'password=other',
        },
      ],
    ],
  ])('a strict replay %s', async (_name, ...rows) => {
    const from = replay(await createFolder(lines));
    const missed: unknown[] = [];
    for (const [path, wanted, how = {}] of rows) {
      const { status, text: got } = await sendRequest(from, path, how);
      const refused = wanted.startsWith('replay: ');
      expect([status, got]).toEqual([refused ? 501 : 200, wanted]);
      const why = /^replay: \S+ \S+: (.*)$/.exec(wanted)?.[1];
      if (refused) missed.push({ method: how.method ?? 'GET', path, why });
    }
    expect(from.missed).toEqual(missed);
    expect(from.unused).toHaveLength(lines.length - (rows.length - missed.length));
    expect(from.unused.at(-1)).toBe(`POST ${origin}/p?z`);
  });
});

describe('lenient replay', () => {
  const lines: readonly Line[] = [
    { method: 'POST', url: '/p?a', headers: json, sent: { json: 1 }, ...text('a 1') },
    { method: 'POST', url: '/p?a', headers: json, sent: { json: 2 }, ...text('a 2') },
    { method: 'POST', url: '/p?b', headers: json, sent: { json: 1 }, ...text('b 1') },
    {
      method: 'POST',
      url: '/p?b',
      headers: { ...json, ...accept },
      sent: { json: 3 },
      ...text('b 3 html'),
    },
    { method: 'POST', url: '/p?b', headers: json, sent: { json: 3 }, ...text('b 3') },
    { method: 'POST', url: '/p?b', headers: json, sent: { json: 3 }, ...text('b 3 again') },
    { method: 'POST', url: '/p?b', headers: json, sent: { json: 3 }, ...text('b 3 at last') },
  ];
  test.each<[string, ...[path: string, body: string, answer: string, headers?: object][]]>([
    ['an equal query to an equal body', ['/p?b', '2', 'b 1']],
    ['an equal body to an unused exchange', ['/p?a', '2', 'a 2'], ['/p?x', '2', 'a 2']],
    [
      'an unused exchange to a used exchange',
      ['/p?x', '1', 'a 1'],
      ['/p?x', '1', 'b 1'],
      ['/p?x', '1', 'a 1'],
    ],
    ['equal headers to different headers', ['/p?x', '3', 'b 3'], ['/p?x', '3', 'b 3 html', accept]],
    [
      'the first unused exchange to later equal exchanges',
      ['/p?b', '3', 'b 3'],
      ['/p?b', '3', 'b 3 again'],
      ['/p?b', '3', 'b 3 at last'],
      ['/p?b', '3', 'b 3 at last'],
    ],
    [
      'a 501 to an exchange with a different path',
      ['/z', '1', 'replay: POST /z: no request with this method and path was recorded'],
    ],
  ])('a lenient replay prefers %s', async (_name, ...rows) => {
    const from = replay(await createFolder(lines), { mode: 'lenient' });
    for (const [path, body, wanted, headers = {}] of rows) {
      const how = { method: 'POST', headers: { ...json, ...headers }, body };
      expect((await sendRequest(from, path, how)).text).toBe(wanted);
    }
  });
});
