import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../src/errors.js';
import type { ResponseInfo } from '../../../src/response-info.js';
import type { StandardSchema } from '../../../src/standard-schema.js';
import {
  buildRawRequest,
  type RawRequest,
  rawAnswer,
  rawListAnswer,
} from '../../../src/transport/raw-request.js';

const context = {
  base: { origin: 'https://a.example', prefix: '/api/v3' },
  media: { vendor: 'service', version: 'v3' },
  accept: 'application/json',
  headers: [['x-a', 'b']],
} as const;
const build = (request: RawRequest) => buildRawRequest(request, context);

function refusal(request: unknown): readonly [message: string, field: string] {
  try {
    // `as`: what JavaScript callers may pass.
    build(request as RawRequest);
  } catch (error) {
    if (error instanceof InvalidRequestError) return [error.message, error.field];
    throw error;
  }
  throw new Error('expected a refusal, but the request was built');
}

const example =
  "expected an object such as { method: 'GET', path: '/repos/{owner}/{repo}', variables }";
const methods = 'method: expected GET, HEAD, POST, PUT, PATCH, DELETE';
const noPath = 'path: expected a URI template below the base URL';
const noUrl = 'path: expected a path below the base URL, or an http(s) URL';
const userinfo = 'path: expected no user name or password in it';
const dots = "path: '.' and '..' can not stand in it";
const verb = (name: string) =>
  `path: expected no method before it: give method: '${name}' by itself`;
const several = 'body: only one of json, form and body can be given';

describe('a refusal says what is wrong with', () => {
  const table: readonly [unknown, string, string][] = [
    ['GET /user', `${example}, got a string`, 'request'],
    [null, `${example}, got null`, 'request'],
    [undefined, `${example}, got a value of type undefined`, 'request'],
    [{ path: '/x', method: 'TRACE' }, methods, 'method'],
    [{ path: '/x', method: 'get' }, methods, 'method'],
    [{ path: '' }, noPath, 'path'],
    [{ path: 1 }, noPath, 'path'],
    [{}, noPath, 'path'],
    [{ path: 'GET /user' }, verb('GET'), 'path'],
    [{ path: 'DELETE   user' }, verb('DELETE'), 'path'],
    [{ path: 'https://:0/' }, noUrl, 'path'],
    [{ path: 'https://jo@a.example/x' }, userinfo, 'path'],
    [{ path: 'https://:pw@a.example/x' }, userinfo, 'path'],
    [{ path: 'http://jo:pw@a.example/x' }, userinfo, 'path'],
    [{ path: '/x/../y' }, dots, 'path'],
    [{ path: '/x/.%2e?a' }, dots, 'path'],
    [{ path: 'https://../x' }, dots, 'path'],
    [{ path: '/r/{owner}' }, ...missing('owner')],
    [{ path: '/r/{owner}', variables: { owner: undefined } }, ...missing('owner')],
    [{ path: '/r/{toString}', variables: {} }, ...missing('toString')],
    [{ path: '/x', method: 'POST', json: {}, form: {} }, several, 'body'],
    [
      { path: '/x', method: 'PUT', json: 0, body: { data: '', contentType: 'a/b' } },
      several,
      'body',
    ],
    [{ path: '/x', json: null }, 'body: GET has no body; use query', 'body'],
    [{ path: '/x', method: 'HEAD', form: {} }, 'body: HEAD has no body; use query', 'body'],
  ];
  it.each(table)('%j', (request, message, field) => {
    expect(refusal(request)).toEqual([message, field]);
  });

  function missing(name: string): [string, string] {
    return [`variables.${name}: the path has {${name}}: give it a value in variables`, name];
  }
});

describe('a media type', () => {
  const wrong = ['', 'a/b\n', '\na/b', 'ä/b', 'a/ä', 'a/b\u007f', 7, null, ['a/b']];
  const why = (name: string) => [`${name}: expected a media type in printable ASCII`, name];
  // A null accept is refused too: only what is absent takes the default.
  it.each(wrong)('%j to accept is refused', (accept) => {
    expect(refusal({ path: '/x', accept })).toEqual(why('accept'));
  });

  it.each(wrong)('%j of a body is refused', (contentType) => {
    const request = { path: '/x', method: 'POST', body: { data: 'x', contentType } };
    expect(refusal(request)).toEqual(why('body.contentType'));
  });

  it.each([
    [undefined, 'application/json'],
    ['a/b', 'a/b'],
    ['a/b;\tq="~ !"', 'a/b;\tq="~ !"'],
  ])('%j to accept is asked for as %s', (accept, expected) => {
    expect(build({ path: '/x', accept }).accept).toBe(expected);
  });
});

describe('a raw request is built', () => {
  it('of a path alone', () => {
    expect(build({ path: '/x' })).toEqual({
      operation: 'request',
      method: 'GET',
      target: { origin: 'https://a.example', path: '/api/v3/x' },
      accept: 'application/json',
      headers: [['x-a', 'b']],
      body: undefined,
      secrets: [],
      auth: undefined,
      replayable: false,
      uncounted: false,
    });
  });

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
  ])('replayable %j as %j', (replayable, expected) => {
    const spec = build({ path: '/x', method: 'PUT', replayable });
    expect([spec.replayable, spec.uncounted]).toEqual([expected, false]);
  });

  it.each([
    ['http://b.example/y', 'http://b.example', '/y'],
    ['HTTPS://b.example/y', 'https://b.example', '/y'],
    ['http://b.example:8080?z', 'http://b.example:8080', '/?z'],
    ['x/https://b.example/y', 'https://a.example', '/api/v3/x/https://b.example/y'],
    ['x//y/z', 'https://a.example', '/api/v3/x//y/z'],
    ['//x/y', 'https://a.example', '/api/v3/x/y'],
    ['x?y=../z', 'https://a.example', '/api/v3/x?y=../z'],
    // A word in capitals that is no method, and a method that is no first word, are parts of a path.
    ['FOO /x', 'https://a.example', '/api/v3/FOO%20/x'],
    ['x/GET /y', 'https://a.example', '/api/v3/x/GET%20/y'],
    ['GET/x', 'https://a.example', '/api/v3/GET/x'],
  ])('to %s', (path, origin, expected) => {
    expect(build({ path }).target).toEqual({ origin, path: expected });
  });
});

describe('secrets of a raw request', () => {
  const post = { path: '/x', method: 'POST' } as const;
  const table: readonly [RawRequest, string[]][] = [
    [{ path: '/x?code=abc&page=2' }, ['abc']],
    [{ path: '/x', query: { otp: 123, page: 2 } }, ['123']],
    [{ path: '/x{?access_token}', variables: { access_token: 'a b' } }, ['a b']],
    [{ path: '/x', query: { barcode: 'abc', code_of: 'abc', q: 'abc' } }, []],
    [{ path: '/token/secret' }, []],
    [
      { ...post, form: { password: 'p', name: 'n', API_KEY: 'k', token: '', secret: 5 } },
      ['p', 'k'],
    ],
    [{ ...post, json: { client_secret: 's', name: 'n', private: true, token: '', otp: 6 } }, ['s']],
    [{ ...post, json: null }, []],
    [{ ...post, json: 'token' }, []],
    [{ ...post, path: '/x?token=q', json: { md5: 'j' } }, ['q', 'j']],
    [{ ...post, path: '/x?token=q', form: { credential: 'f' } }, ['q', 'f']],
  ];
  it.each(table)('%j are %j', (request, secrets) => {
    expect(build(request).secrets).toEqual(secrets);
  });
});

const response: ResponseInfo = {
  status: 200,
  statusText: 'OK',
  headers: {},
  url: 'https://a.example/',
  rateLimit: undefined,
  etag: undefined,
  scopes: { granted: undefined, accepted: undefined },
  links: {},
  requestId: undefined,
  fromCache: false,
  attempts: 1,
};
const number: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof value === 'number' ? { value: value * 10 } : { issues: [{ message: 'no number' }] },
  },
};

describe('the answer of a raw request', () => {
  it('is held against the schema if it is JSON', () => {
    const { kind, schema } = rawAnswer({ path: '/x', schema: number });
    expect(kind).toBe('json');
    expect(schema).toBe(number);
  });

  it.each([
    [{ path: '/x' }, 'json'],
    [{ path: '/x', responseType: 'json' }, 'json'],
    [{ path: '/x', responseType: 'bytes', schema: number }, 'bytes'],
    [{ path: '/x', responseType: 'stream', schema: number }, 'stream'],
    [{ path: '/x', responseType: 'none', schema: number }, 'none'],
    [{ path: '/x', responseType: 'bytes', method: 'HEAD' }, 'none'],
  ] as const)('%j is %s, and handed out as it came', (request, kind) => {
    const answer = rawAnswer<unknown>(request);
    expect(answer).toMatchObject({ kind, schema: undefined });
    const value = { a: 1 };
    expect(answer.map(value, response)).toBe(value);
  });
});

describe('the answer of a raw list', () => {
  const standard = (schema?: StandardSchema<unknown>) => {
    const found = rawListAnswer({ path: '/x', schema }).schema?.['~standard'];
    if (!found) throw new Error('expected a list to have a schema');
    return found;
  };

  it.each([undefined, number])('is checked in the name of this package', (schema) => {
    expect(standard(schema)).toMatchObject({ version: 1, vendor: 'triforge' });
  });

  it.each([[{}], [null], ['a'], [undefined]])('%j is no array', async (value) => {
    const issues = [{ message: 'expected an array', path: [] }];
    expect(await standard(number).validate(value)).toEqual({ issues });
    expect(await standard().validate(value)).toEqual({ issues });
  });

  it('without a schema is any array', async () => {
    expect(await standard().validate([1, 'a', null])).toEqual({ value: [1, 'a', null] });
  });

  it('says by its index which items do not fit', async () => {
    expect(await standard(number).validate([1, 'a', 2, null])).toEqual({
      issues: [
        { message: 'no number', path: [1] },
        { message: 'no number', path: [3] },
      ],
    });
    expect(await standard(number).validate([1, 2])).toEqual({ value: [10, 20] });
    expect(await standard(number).validate([])).toEqual({ value: [] });
  });
});
