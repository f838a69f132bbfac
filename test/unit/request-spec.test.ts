import { describe, expect, it } from 'vitest';
import type { StandardSchema } from '../../src/standard-schema.js';
import { endpoint, json, nothing } from '../../src/transport/endpoint.js';
import {
  filledText,
  flag,
  integer,
  optional,
  rule,
  text,
  texts,
} from '../../src/transport/input.js';
import {
  buildRequest,
  describe as describeRequest,
  targetOf,
} from '../../src/transport/request-spec.js';
import { assemble, type Step } from '../../src/transport/wire.js';

const any: StandardSchema<unknown> = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};
const context = {
  base: { origin: 'https://a.example', prefix: '/api/v3' },
  media: { vendor: 'service', version: 'v3' },
  accept: 'application/json',
  headers: [['x-a', 'b']],
} as const;

interface Input {
  readonly owner: string;
  readonly path: string;
  readonly page?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly draft?: boolean | undefined;
}
const input = {
  owner: filledText,
  path: text,
  page: optional(integer(1)),
  tags: optional(texts),
  draft: optional(flag),
};
const shape = { path: '/r/{owner}/c{/path*}', input, emptyPath: true, answer: json(any) };
const read = endpoint<Input>()({ ...shape, operation: 'x.read', method: 'GET' });
const write = endpoint<Input>()({ ...shape, operation: 'x.write', method: 'PUT' });
const form = endpoint<Input>()({
  ...shape,
  operation: 'x.form',
  method: 'POST',
  encoding: 'form',
  secret: ['owner'],
});
const bare = endpoint<object>()({
  operation: 'x.bare',
  method: 'PUT',
  path: '/bare',
  input: {},
  answer: nothing,
});

const given = { owner: 'o', path: 'a/b', page: 2, tags: ['x', 'y'], draft: false };

describe('a request is built', () => {
  it('with what is not in the path in the query of a GET', () => {
    expect(buildRequest(read, given, context)).toEqual({
      operation: 'x.read',
      method: 'GET',
      target: {
        origin: 'https://a.example',
        path: '/api/v3/r/o/c/a/b?page=2&tags=x&tags=y&draft=false',
      },
      accept: 'application/json',
      headers: [['x-a', 'b']],
      body: undefined,
      secrets: [],
      auth: undefined,
      replayable: false,
      uncounted: false,
    });
  });

  it('with what is not in the path in the JSON of a write', () => {
    const { target, body } = buildRequest(write, given, context);
    expect(target.path).toBe('/api/v3/r/o/c/a/b');
    expect(body).toEqual({
      kind: 'text',
      text: '{"page":2,"tags":["x","y"],"draft":false}',
      contentType: 'application/json; charset=utf-8',
    });
  });

  it('as a form, with its secrets noted', () => {
    const spec = buildRequest(form, given, context);
    expect(spec.body).toEqual({ kind: 'form', text: 'page=2&tags=x&tags=y&draft=false' });
    expect(spec.secrets).toEqual(['o']);
    expect(describeRequest(spec).url).toBe('https://a.example/api/v3/r/***/c/a/b');
  });

  it('without what is undefined', () => {
    const spec = buildRequest(write, { owner: 'o', path: '', page: undefined }, context);
    expect(spec.target.path).toBe('/api/v3/r/o/c');
    expect(spec.body).toMatchObject({ text: '{}' });
    expect(buildRequest(bare, {}, context).body).toBeUndefined();
  });

  it.each([
    ['a#b?.md', '/api/v3/r/o/c/a%23b%3F.md'],
    ['a b/ü/100%', '/api/v3/r/o/c/a%20b/%C3%BC/100%25'],
    ['😀', '/api/v3/r/o/c/%F0%9F%98%80'],
  ])('with path %s as that very name', (path, expected) => {
    expect(buildRequest(read, { owner: 'o', path }, context).target.path).toBe(expected);
  });
});

describe('an input is refused', () => {
  it.each([
    [{ ...given, owner: '..' }, 'owner'],
    [{ ...given, owner: '.' }, 'owner'],
    [{ ...given, owner: '' }, 'owner'],
    [{ ...given, owner: 'a\nb' }, 'owner'],
    [{ ...given, owner: 7 }, 'owner'],
    [{ ...given, path: 'a/../b' }, 'path'],
    [{ ...given, path: '/a' }, 'path'],
    [{ ...given, page: 0 }, 'page'],
    [{ ...given, page: '1' }, 'page'],
    [{ ...given, tags: 'x' }, 'tags'],
    [{ ...given, tags: ['\ud800'] }, 'tags'],
    [{ ...given, onwer: 'x' }, 'onwer'],
    [{ path: 'x' }, 'owner'],
    [undefined, 'input'],
    [null, 'input'],
    ['x', 'input'],
  ])('%j, naming %s', (wrong, field) => {
    // `as`: what JavaScript callers may pass.
    expect(() => buildRequest(read, wrong as Input, context)).toThrow(
      expect.objectContaining({ code: 'invalid_request', field }),
    );
  });

  it('an object where a parameter should stand', () => {
    const odd = endpoint<{ filter: unknown }>()({
      operation: 'x.odd',
      method: 'GET',
      path: '/odd',
      input: { filter: rule('anything', () => true) },
      answer: nothing,
    });
    expect(() => buildRequest(odd, { filter: {} }, context)).toThrow(/got an object/);
    expect(() => buildRequest(odd, { filter: Number.NaN }, context)).toThrow(/NaN/);
  });
});

describe('what goes out', () => {
  const spec = buildRequest(write, given, { ...context, headers: [] });
  const step = (more: Partial<Step> = {}): Step => ({
    spec,
    target: spec.target,
    method: spec.method,
    body: spec.body,
    credentials: undefined,
    foreign: false,
    userAgent: 'triforge/x',
    ...more,
  });
  const fields = (headers: readonly string[]) =>
    headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  const credentials = {
    scheme: 'x',
    headers: { authorization: 'x' },
    parameters: 'a=1',
    parametersIn: 'form_or_query',
    secrets: [],
    fingerprint: '',
  } as const;

  it('always has a User-Agent, and says what it accepts', () => {
    expect(fields(assemble(step()).headers)).toEqual([
      'user-agent: triforge/x',
      'accept-encoding: gzip, deflate, br',
      'accept: application/json',
      'content-type: application/json; charset=utf-8',
    ]);
  });

  it("takes the caller's own fields in their place", () => {
    const headers = [
      ['accept', 'a/b'],
      ['user-agent', 'me'],
      ['accept-encoding', 'identity'],
      ['content-type', 'c/d'],
      ['x-e', 'content-type'],
    ] as const;
    expect(fields(assemble(step({ spec: { ...spec, headers } })).headers)).toEqual([
      'user-agent: me',
      'accept-encoding: identity',
      'accept: a/b',
      'content-type: c/d',
      'x-e: content-type',
    ]);
    const valued = { ...spec, headers: [['x-e', 'content-type']] as const };
    expect(fields(assemble(step({ spec: valued })).headers)).toContain(
      'content-type: application/json; charset=utf-8',
    );
  });

  it('carries parameters in the query, or in a form', () => {
    expect(assemble(step({ credentials })).path).toBe('/api/v3/r/o/c/a/b?a=1');
    const target = targetOf(new URL('https://a.example/x?y=1'));
    expect(assemble(step({ credentials, target })).path).toBe('/x?y=1&a=1');
    const text = assemble(step({ credentials, body: { kind: 'form', text: 'b=2' } }));
    expect([text.path, text.body]).toEqual([
      '/api/v3/r/o/c/a/b',
      { kind: 'form', text: 'b=2&a=1' },
    ]);
    const empty = assemble(step({ credentials, body: { kind: 'form', text: '' } }));
    expect(empty.body).toEqual({ kind: 'form', text: 'a=1' });
    const query = { ...credentials, parametersIn: 'query' } as const;
    expect(assemble(step({ credentials: query, body: { kind: 'form', text: '' } })).path).toContain(
      '?a=1',
    );
  });

  it('takes only harmless fields of the caller to a foreign origin', () => {
    const headers = [
      ['x-private', 'mine'],
      ['accept', 'a/b'],
      ['range', 'bytes=0-1'],
    ] as const;
    const foreign = assemble(step({ spec: { ...spec, headers }, foreign: true, body: undefined }));
    expect(fields(foreign.headers)).toEqual([
      'user-agent: triforge/x',
      'accept-encoding: gzip, deflate, br',
      'accept: a/b',
      'range: bytes=0-1',
    ]);
  });
});
