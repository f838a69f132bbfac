import { describe, expect, it } from 'vitest';
import type { StandardSchema } from '../../../../src/schema/standard-schema.js';
import { defineEndpoint, json, noContent } from '../../../../src/transport/request/endpoint.js';
import {
  filledText,
  flag,
  integer,
  optional,
  record,
  text,
  texts,
} from '../../../../src/transport/request/input.js';
import { buildRequest, describeRequest } from '../../../../src/transport/request/request-spec.js';
import { about } from '../../about.js';
import { context, refusal } from './request-context.js';

const any: StandardSchema<unknown> = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};

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
const shape = { input, emptyPath: true, response: json(any) };
const read = defineEndpoint<Input>('GET /r/{owner}/c{/path*}')({ ...shape, operation: 'x.read' });
const write = defineEndpoint<Input>('PUT /r/{owner}/c{/path*}')({ ...shape, operation: 'x.write' });
const form = defineEndpoint<Input>('POST /r/{owner}/c{/path*}')({
  operation: 'x.form',
  ...shape,
  encoding: 'form',
  secret: ['owner'],
});
const bare = defineEndpoint<object>('PUT /bare')({
  operation: 'x.bare',
  input: {},
  response: noContent,
});

const given = { owner: 'o', path: 'a/b', page: 2, tags: ['x', 'y'], draft: false };

describe('buildRequest()', () => {
  it('buildRequest() adds the inputs of a GET to the query', () => {
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
      retry: 'safe',
      exemptFromLimits: false,
    });
  });

  it('buildRequest() adds the inputs of a write to the JSON body', () => {
    const { target, body } = buildRequest(write, given, context);
    expect(target.path).toBe('/api/v3/r/o/c/a/b');
    expect(body).toEqual({
      kind: 'text',
      text: '{"page":2,"tags":["x","y"],"draft":false}',
      contentType: 'application/json; charset=utf-8',
    });
  });

  it('buildRequest() creates a form body for a form-encoded endpoint', () => {
    const spec = buildRequest(form, given, context);
    expect(spec.body).toEqual({ kind: 'form', text: 'page=2&tags=x&tags=y&draft=false' });
    expect(spec.secrets).toEqual(['o']);
    // The secret is too short to be masked. See SECURITY.md.
    expect(describeRequest(spec).url).toBe('https://a.example/api/v3/r/o/c/a/b');
  });

  it('buildRequest() omits undefined inputs', () => {
    const spec = buildRequest(write, { owner: 'o', path: '', page: undefined }, context);
    expect(spec.target.path).toBe('/api/v3/r/o/c');
    expect(spec.body).toMatchObject({ text: '{}' });
    expect(buildRequest(bare, {}, context).body).toBeUndefined();
  });

  it.each([
    ['a#b?.md', '/api/v3/r/o/c/a%23b%3F.md'],
    ['a b/ü/100%', '/api/v3/r/o/c/a%20b/%C3%BC/100%25'],
    ['😀', '/api/v3/r/o/c/%F0%9F%98%80'],
  ])('buildRequest() encodes the path %s as %s', (path, expected) => {
    expect(buildRequest(read, { owner: 'o', path }, context).target.path).toBe(expected);
  });
});

describe('buildRequest() with invalid inputs', () => {
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
  ])('rejects the input %j because of the field %s', (wrong, field) => {
    // `as`: JavaScript callers can pass anything.
    expect(() => buildRequest(read, wrong as Input, context)).toThrow(
      expect.objectContaining({ code: 'invalid_request', field }),
    );
  });
});

it("buildRequest() rejects an input with a value that JSON can't represent", () => {
  const set = defineEndpoint<{ readonly config: object }>('PATCH /set')({
    operation: 'x.set',
    input: { config: record },
    response: noContent,
  });
  expect(refusal(() => buildRequest(set, { config: { size: 5n } }, context))).toMatchObject({
    message: about('body', /JSON/),
    field: 'body',
  });
});
