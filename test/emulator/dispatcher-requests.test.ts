import { Readable } from 'node:stream';
import { type Dispatcher, FormData, request } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { origin } from './send-request.js';

// Tests how the dispatcher handles its arguments.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

const user = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };

/** Sends a request to a route that responds with the request's method, URL, headers and body. */
async function echo(options: Readonly<Record<string, unknown>>, path = '/echo') {
  for (const method of ['GET', 'POST', 'DELETE']) {
    emulator.hosting.route(`${method} /echo`, async ({ request: received }) => ({
      body: {
        method: received.method,
        target: received.url.slice(origin.length),
        headers: Object.fromEntries(received.headers),
        text: await received.text(),
      },
    }));
  }
  // `as`: undici accepts more types of headers and bodies than its declarations list.
  const passed = { method: 'POST', headers: user, ...options } as Omit<
    Dispatcher.RequestOptions,
    'path' | 'origin'
  >;
  const url = `${origin}/api/v3${path}`;
  const { statusCode, body } = await request(url, { ...passed, dispatcher: emulator.dispatcher() });
  expect(statusCode).toBe(200);
  // `as`: the route defined above responds with these fields.
  return (await body.json()) as {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  };
}

describe('emulator.dispatcher() with undici.request()', () => {
  const pairs = [...Object.entries(user), ['x-a', '1'], ['x-a', '2']] as const;
  test.each<[string, unknown]>([
    ['a flat array', pairs.flat()],
    ['a flat array of odd length', [...pairs.flat(), 'x-b']],
    ['an object', { ...user, 'x-a': ['1', '2'], 'x-b': undefined }],
    ['an iterable', new Map<string, unknown>([...Object.entries(user), ['x-a', ['1', '2']]])],
    [
      'a Headers object',
      new Headers(pairs.map(([name, value]): [string, string] => [name, value])),
    ],
  ])('emulator.dispatcher() accepts headers passed as %s', async (_name, headers) => {
    const { headers: received } = await echo({ headers });
    expect(received).toEqual({ ...user, 'x-a': '1, 2', 'content-length': '0' });
  });

  async function* pieces() {
    yield 'ä';
    yield Buffer.from('b');
  }
  const form = () => {
    const created = new FormData();
    created.append('a', '1');
    created.append('f', new File(['file'], 'name.txt'));
    created.append('b', new Blob(['blob']));
    return created;
  };
  test.each<[string, unknown, string | RegExp, string | undefined]>([
    ['a string', 'ä', 'ä', '2'],
    ['a Buffer', Buffer.from('ä'), 'ä', '2'],
    [
      'an empty Uint8Array',
      new Uint8Array(Buffer.from('xäx').buffer.slice(0)).subarray(0, 0),
      '',
      '0',
    ],
    ['undefined', undefined, '', '0'],
    ['null', null, '', '0'],
    ['a stream', Readable.from(['a', 'b']), 'ab', undefined],
    ['an async iterable', pieces(), 'äb', undefined],
    ['an iterable', [Buffer.from('a'), 'b'], 'ab', undefined],
    [
      'a form',
      form(),
      /name="a"\r\n\r\n1\r\n[\s\S]*name="f"; filename="name.txt"[\s\S]*file[\s\S]*name="b"; filename="blob"[\s\S]*blob/,
      undefined,
    ],
  ])('emulator.dispatcher() accepts a body passed as %s', async (_name, body, text, length) => {
    const received = await echo({ body });
    if (typeof text === 'string') expect(received.text).toBe(text);
    else expect(received.text).toMatch(text);
    expect(received.headers['content-length']).toBe(length);
  });

  test('emulator.dispatcher() sends a custom Content-Length', async () => {
    const headers = { ...user, 'content-length': '2' };
    expect((await echo({ headers, body: 'ab' })).headers['content-length']).toBe('2');
    const gone = await echo({ method: 'DELETE' });
    expect([gone.method, gone.headers['content-length']]).toEqual(['DELETE', undefined]);
    expect(await echo({ method: 'GET' })).toMatchObject({ method: 'GET', text: '' });
  });

  test('emulator.dispatcher() sends the query of the URL or of the query option', async () => {
    const target = async (query: object | undefined, path: string) =>
      (await echo({ query, method: 'GET' }, path)).target;
    expect(await target(undefined, '/echo?a=1')).toBe('/api/v3/echo?a=1');
    expect(await target({}, '/echo')).toBe('/api/v3/echo');
    expect(await target({ b: [1, 'x y'], c: true }, '/echo')).toBe('/api/v3/echo?b=1&b=x+y&c=true');
  });
});
