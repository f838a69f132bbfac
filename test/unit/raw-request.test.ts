import { describe, expect, it } from 'vitest';
import { User } from '../../src/hosting/models/index.js';
import type { StandardSchema } from '../../src/standard-schema.js';
import {
  buildRawRequest,
  type RawRequest,
  rawAnswer,
  rawListAnswer,
} from '../../src/transport/raw-request.js';

const context = {
  base: { origin: 'https://a.example', prefix: '/api/v3' },
  media: { vendor: 'service', version: 'v3' },
  accept: 'application/json',
  headers: [],
} as const;
const urlOf = (request: RawRequest) => {
  const { target } = buildRawRequest(request, context);
  return target.origin + target.path;
};

describe('a raw request goes to', () => {
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
  ] as [RawRequest, string][])('%j: %s', (request, url) => {
    expect(urlOf(request)).toBe(url);
  });
});

describe('a raw request is refused', () => {
  it.each([
    [{ path: '' }, 'path'],
    [{ path: 1 }, 'path'],
    ['GET /user', 'request'],
    [null, 'request'],
    [{ path: 'GET /user' }, 'path'],
    [{ path: '/r/{owner}' }, 'owner'],
    [{ path: '/x/../y' }, 'path'],
    [{ path: '/x/%2e%2E/y' }, 'path'],
    [{ path: '/x/./y' }, 'path'],
    [{ path: '/x/..' }, 'path'],
    [{ path: 'https://a.example\\..\\x' }, 'path'],
    [{ path: 'https://a.example/x/../y' }, 'path'],
    [{ path: 'https://jo:pw@a.example/x' }, 'path'],
    [{ path: 'https://:0/' }, 'path'],
    [{ path: '/{a}', variables: { a: '..' } }, 'a'],
    [{ path: '/{a}', variables: { a: '.' } }, 'a'],
    [{ path: '/{a}', variables: { a: '' } }, 'a'],
    [{ path: '/{a}' }, 'a'],
    [{ path: '/{/a*}', variables: { a: ['x', '..'] } }, 'a'],
    [{ path: '/{+a}', variables: { a: 'x/../../y' } }, 'path'],
    [{ path: '/x', method: 'TRACE' }, 'method'],
    [{ path: '/x', json: {} }, 'body'],
    [{ path: '/x', method: 'POST', json: {}, form: {} }, 'body'],
  ])('%j, naming %s', (request, field) => {
    // `as`: what JavaScript callers may pass.
    expect(() => buildRawRequest(request as RawRequest, context)).toThrow(
      expect.objectContaining({ code: 'invalid_request', field }),
    );
  });
});

describe('a raw body', () => {
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
  ])('%j', (body, expected) => {
    expect(buildRawRequest({ ...post, ...body }, context).body).toMatchObject(expected);
  });

  it('is none where none is given', () => {
    expect(buildRawRequest(post, context).body).toBeUndefined();
  });
});

const even: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof value === 'number' && value % 2 === 0
        ? { value: value * 10 }
        : { issues: [{ message: 'odd', path: ['n'] }] },
  },
};

describe('the answer of a raw request', () => {
  it.each([
    [{ path: '/' }, 'json'],
    [{ path: '/', method: 'HEAD' }, 'none'],
    [{ path: '/', responseType: 'none' }, 'none'],
    [{ path: '/', responseType: 'bytes' }, 'bytes'],
    [{ path: '/', responseType: 'stream', schema: even }, 'stream'],
  ] as [RawRequest, string][])('%j: %s', (request, kind) => {
    expect(rawAnswer(request).kind).toBe(kind);
  });

  it('of a list gives the output of its schema, and issues with their place', async () => {
    const { schema } = rawListAnswer({ path: '/', schema: even });
    const validate = schema?.['~standard'].validate;
    expect(await validate?.([2, 4])).toEqual({ value: [20, 40] });
    expect(await validate?.([2, 3])).toEqual({ issues: [{ message: 'odd', path: [1, 'n'] }] });
    expect(await validate?.({})).toMatchObject({ issues: [{ message: 'expected an array' }] });
  });

  it('of a list of a model is the model of the list', () => {
    expect(rawListAnswer({ path: '/', schema: User }).schema).toMatchObject({ name: 'User[]' });
  });
});
