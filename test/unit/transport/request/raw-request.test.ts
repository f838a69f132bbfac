import { describe, expect, it } from 'vitest';
import { buildRawRequest, type RawRequest } from '../../../../src/transport/request/raw-request.js';
import { formatUrl } from '../../../../src/transport/request/request-spec.js';
import { context, family } from './request-context.js';

const build = (request: RawRequest) => buildRawRequest(request, family, context);

describe('raw request URLs', () => {
  it.each([
    [{ path: '/x' }, 'https://a.example/api/v3/x'],
    [{ path: 'x' }, 'https://a.example/api/v3/x'],
    [{ path: '//evil.example/x' }, 'https://a.example/api/v3/evil.example/x'],
    [{ path: 'https://b.example/y?z=1#f' }, 'https://b.example/y?z=1'],
    [{ path: '/x{?a,b}', variables: { a: '1' } }, 'https://a.example/api/v3/x?a=1'],
    [
      { path: '/x', query: { a: [1, 2], b: undefined, c: 'ä&' } },
      'https://a.example/api/v3/x?a=1&a=2&c=%C3%A4%26',
    ],
    [{ path: '/x', query: { a: null, b: 1 } }, 'https://a.example/api/v3/x?b=1'],
    [{ path: '/x?a=1', query: { b: true } }, 'https://a.example/api/v3/x?a=1&b=true'],
    [
      { path: '/r/{owner}', variables: { owner: 'a/b#?%' } },
      'https://a.example/api/v3/r/a%2Fb%23%3F%25',
    ],
    [
      { path: '/r{/path*}', variables: { path: ['a b', 'c'] } },
      'https://a.example/api/v3/r/a%20b/c',
    ],
    [{ path: '/r{/path*}' }, 'https://a.example/api/v3/r'],
    [{ path: '/x\\..\\y' }, 'https://a.example/api/v3/x%5C..%5Cy'],
    [{ path: '/x/.\t./y' }, 'https://a.example/api/v3/x/.%09./y'],
    [{ path: '/r/...' }, 'https://a.example/api/v3/r/...'],
  ] as [RawRequest, string][])(
    'buildRawRequest() converts the raw request %j to the URL %s',
    (request, url) => {
      expect(formatUrl(build(request).target)).toBe(url);
    },
  );
});

describe('buildRawRequest()', () => {
  it('a raw request requires only a path', () => {
    expect(build({ path: '/x' })).toEqual({
      operation: 'request',
      method: 'GET',
      target: { origin: 'https://a.example', path: '/api/v3/x' },
      accept: 'application/json',
      headers: [['x-a', 'b']],
      body: undefined,
      secrets: [],
      auth: undefined,
      retry: 'safe',
      exemptFromLimits: false,
    });
  });

  it.each([
    ['idempotent', 'idempotent'],
    ['safe', 'safe'],
    [undefined, 'refused'],
  ] as const)(
    'buildRawRequest() maps the retry value %j of a PUT to the rule %j',
    (retry, expected) => {
      const spec = build({ path: '/x', method: 'PUT', retry });
      expect([spec.retry, spec.exemptFromLimits]).toEqual([expected, false]);
    },
  );

  it("buildRawRequest() uses the API's default retry rule for a write", () => {
    const spec = buildRawRequest(
      { path: '/x', method: 'PUT' },
      { name: 'support', schemes: [], writes: 'unsent' },
      context,
    );
    expect(spec.retry).toBe('unsent');
  });

  it('buildRawRequest() keeps the authentication scheme that the request requires', () => {
    expect(build({ path: '/x', auth: 'basic' }).auth).toBe('basic');
  });

  it.each([
    ['http://b.example/y', 'http://b.example', '/y'],
    ['HTTPS://b.example/y', 'https://b.example', '/y'],
    ['http://b.example:8080?z', 'http://b.example:8080', '/?z'],
    ['x/https://b.example/y', 'https://a.example', '/api/v3/x/https://b.example/y'],
    ['x//y/z', 'https://a.example', '/api/v3/x//y/z'],
    ['//x/y', 'https://a.example', '/api/v3/x/y'],
    ['x?y=../z', 'https://a.example', '/api/v3/x?y=../z'],
    // An unknown uppercase word, or a method that isn't the first word, is part of the path.
    ['FOO /x', 'https://a.example', '/api/v3/FOO%20/x'],
    ['x/GET /y', 'https://a.example', '/api/v3/x/GET%20/y'],
    ['GET/x', 'https://a.example', '/api/v3/GET/x'],
  ])(
    'buildRawRequest() resolves the path %s to the origin %s and the path %s',
    (path, origin, expected) => {
      expect(build({ path }).target).toEqual({ origin, path: expected });
    },
  );

  it.each([
    [undefined, 'application/json'],
    ['a/b', 'a/b'],
    ['a/b;\tq="~ !"', 'a/b;\tq="~ !"'],
  ])('buildRawRequest() maps the accept value %j to the media type %s', (accept, expected) => {
    expect(build({ path: '/x', accept }).accept).toBe(expected);
  });
});

describe('raw bodies', () => {
  const post = { method: 'POST', path: '/x' } as const;
  it.each([
    [{ json: { a: undefined, b: 1 } }, { kind: 'text', text: '{"b":1}' }],
    [{ json: null }, { kind: 'text', text: 'null' }],
    [{ form: { a: 'x y', b: [1, 2] } }, { kind: 'form', text: 'a=x%20y&b=1&b=2' }],
    [
      { body: { data: 'x', contentType: 'text/plain' } },
      { kind: 'text', contentType: 'text/plain' },
    ],
    [
      { body: { data: new Uint8Array(2), contentType: 'a/b' } },
      { kind: 'bytes', contentType: 'a/b' },
    ],
  ])('buildRawRequest() serializes the raw body %j as %j', (body, expected) => {
    expect(build({ ...post, ...body }).body).toMatchObject(expected);
  });

  it('a raw POST has no body by default', () => {
    expect(build(post).body).toBeUndefined();
  });
});

describe('secrets in raw requests', () => {
  const post = { path: '/x', method: 'POST' } as const;
  const table: readonly [RawRequest, string[]][] = [
    [{ path: '/x?code=abc&page=2' }, ['abc']],
    [{ path: '/x', query: { otp: 123, page: 2 } }, ['123']],
    [{ path: '/x{?access_token}', variables: { access_token: 'a b' } }, ['a b']],
    [{ path: '/x', query: { barcode: 'abc', code_of: 'abc', q: 'abc' } }, []],
    [{ path: '/token/secret' }, []],
    [
      { ...post, form: { password: 'p', name: 'n', API_KEY: 'k', token: '', secret: 5 } },
      ['p', 'k', '5'],
    ],
    [
      { ...post, json: { client_secret: 's', name: 'n', private: true, token: '', otp: 6 } },
      ['6', 's'],
    ],
    [
      { ...post, json: { tokens: [{ a: 'b' }], accessKey: 'c', x_key: 'd', key: 'e' } },
      ['b', 'c', 'd'],
    ],
    [{ ...post, json: null }, []],
    [{ ...post, json: 'token' }, []],
    [{ ...post, path: '/x?token=q', json: { md5: 'j' } }, ['q', 'j']],
    [{ ...post, path: '/x?token=q', form: { credential: 'f' } }, ['q', 'f']],
    [{ ...post, path: '/{a}', variables: { a: 'v' }, secret: ['a'] }, ['v']],
    [{ ...post, query: { a: 'q', b: 1 }, secret: ['a'] }, ['q']],
    [{ ...post, form: { a: 'f', b: 'g' }, secret: ['a'] }, ['f']],
    [{ ...post, json: { a: { b: ['j'] }, c: 'd' }, secret: ['a'] }, ['j']],
  ];
  it.each(table)(
    'buildRawRequest() scans the raw request %j and finds the secrets %j',
    (request, secrets) => {
      expect([...new Set(build(request).secrets)]).toEqual(secrets);
    },
  );
});
