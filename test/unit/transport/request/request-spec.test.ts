import { describe, expect, it } from 'vitest';
import type { StandardSchema } from '../../../../src/schema/standard-schema.js';
import { serializeJson } from '../../../../src/transport/request/body.js';
import {
  defineEndpoint,
  type Endpoint,
  json,
  type Method,
  noContent,
} from '../../../../src/transport/request/endpoint.js';
import {
  filledText,
  flag,
  integer,
  optional,
  rule,
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

interface AnyInput {
  readonly q?: unknown;
}

// Accepts any value, because these tests cover the steps after the rules.
const anything = optional(rule('anything', () => true));

const plain = { operation: 'x.do', input: { q: anything }, response: noContent } as const;

const at = (method: Method) => defineEndpoint<AnyInput>(`${method} /x`);

const get = at('GET')(plain);

const anyForm = at('POST')({ ...plain, encoding: 'form' });

describe('buildRequest()', () => {
  it('adds the inputs of a GET to the query', () => {
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

  it('adds the inputs of a write to the JSON body', () => {
    const { target, body } = buildRequest(write, given, context);
    expect(target.path).toBe('/api/v3/r/o/c/a/b');
    expect(body).toEqual({
      kind: 'json',
      text: '{"page":2,"tags":["x","y"],"draft":false}',
    });
  });

  it('creates a form body for a form-encoded endpoint', () => {
    const spec = buildRequest(form, given, context);
    expect(spec.body).toEqual({ kind: 'form', text: 'page=2&tags=x&tags=y&draft=false' });
    expect(spec.secrets).toEqual(['o']);
    // The secret is too short to be masked. See SECURITY.md.
    expect(describeRequest(spec).url).toBe('https://a.example/api/v3/r/o/c/a/b');
  });

  it('omits undefined inputs', () => {
    const spec = buildRequest(write, { owner: 'o', path: '', page: undefined }, context);
    expect(spec.target.path).toBe('/api/v3/r/o/c');
    expect(spec.body).toMatchObject({ text: '{}' });
    expect(buildRequest(bare, {}, context).body).toBeUndefined();
  });

  it.each([
    ['a#b?.md', '/api/v3/r/o/c/a%23b%3F.md'],
    ['a b/ü/100%', '/api/v3/r/o/c/a%20b/%C3%BC/100%25'],
  ])('encodes the path %s as %s', (path, expected) => {
    expect(buildRequest(read, { owner: 'o', path }, context).target.path).toBe(expected);
  });

  it.each([
    [null, /object.* null\)\./],
    ['x', /object.* a string\)\./],
  ])('rejects the input %j and states its type', (input, kind) => {
    // `as`: JavaScript callers can pass anything.
    const refused = refusal(() => buildRequest(get, input as unknown as AnyInput, context));
    expect(refused).toMatchObject({ field: 'input', message: expect.stringMatching(kind) });
    expect(refused.message).toContain('x.do: ');
  });

  const half = /surrogate/;
  const wrong: readonly [unknown, RegExp][] = [
    [{}, /string, number or boolean, or an array.* an object\)$/],
    [Number.NaN, / NaN or Infinity\)$/],
    ['\ud800', half],
  ];
  const places: readonly [string, Endpoint<AnyInput, unknown>][] = [
    ['query of a GET', get],
    ['form', anyForm],
  ];
  describe.each(places)('in the %s', (place, where) => {
    it.each(wrong)(`rejects the value $0 in the ${place}`, (q, why) => {
      const refused = refusal(() => buildRequest(where, { q }, context));
      expect(refused).toMatchObject({ field: 'q', message: about('q', why) });
      expect(refused.message).toContain('x.do: ');
    });
  });

  it('sends the inputs that the serialize function returns', () => {
    const wired = { ...plain, serialize: ({ q }: AnyInput) => ({ sent: q, more: 1 }) };
    const query = at('GET')(wired);
    expect(buildRequest(query, { q: 'a' }, context).target.path).toBe('/api/v3/x?sent=a&more=1');
    const json = at('PATCH')(wired);
    expect(buildRequest(json, { q: 'a' }, context).body).toMatchObject({
      text: '{"sent":"a","more":1}',
    });
  });

  it.each([undefined, (input: AnyInput) => ({ ...input })])(
    'omits unsent inputs if serialize is %s',
    (serialize) => {
      const unsent = at('PUT')({ ...plain, unsent: ['q'], serialize });
      const { target, body } = buildRequest(unsent, { q: 'a' }, context);
      expect([target.path, body]).toEqual(['/api/v3/x', undefined]);
    },
  );

  it.each([
    ['idempotent', true],
    ['unsent', false],
    [undefined, undefined],
  ] as const)(
    "applies the endpoint's retry %j and exemptFromLimits %j",
    (retry, exemptFromLimits) => {
      const marked = at('PUT')({ ...plain, retry, exemptFromLimits });
      expect(buildRequest(marked, {}, context)).toMatchObject({
        retry: retry ?? 'refused',
        exemptFromLimits: exemptFromLimits === true,
      });
    },
  );

  it("uses the endpoint's media type and authentication scheme", () => {
    const own = at('GET')({
      ...plain,
      auth: 'basic',
      accept: ({ vendor, version }, { q }) => `application/vnd.${vendor}.${version}.${q}`,
    });
    expect(buildRequest(own, { q: 'raw' }, context)).toMatchObject({
      accept: 'application/vnd.service.v3.raw',
      auth: 'basic',
    });
  });

  const named = at('PUT')({ ...plain, secret: ['q'] });

  it.each([
    ['hunter2', ['hunter2']],
    ['', []],
    [undefined, []],
    [
      ['a', 8, ''],
      ['a', '8'],
    ],
    [{ a: 'b', c: { d: ['e', true, null] } }, ['b', 'e']],
  ])('finds the secrets $1 in the input $0', (q, secrets) => {
    expect(buildRequest(named, { q }, context).secrets).toEqual(secrets);
  });
});

it("serializeJson() rejects a value that JSON can't represent", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const message = about('body', /JSON/);
  const refused = { code: 'invalid_request', field: 'body', message };
  const attempt = (value: unknown) => () => serializeJson(value, 'pulls.create: body', 'body');
  expect(attempt(circle)).toThrow(
    expect.objectContaining({ ...refused, cause: expect.any(TypeError) }),
  );
  expect(attempt(() => 1)).toThrow(expect.objectContaining(refused));
  expect(attempt(() => 1)).toThrow(expect.not.objectContaining({ cause: undefined }));
});
