import { describe, expect, it } from 'vitest';
import {
  defineEndpoint,
  type Endpoint,
  type Method,
  noContent,
} from '../../../../src/transport/request/endpoint.js';
import { optional, rule } from '../../../../src/transport/request/input.js';
import { buildRequest } from '../../../../src/transport/request/request-spec.js';
import { about } from '../../about.js';
import { context, refusal } from './request-context.js';

interface Input {
  readonly q?: unknown;
}
// Accepts any value, because these tests cover the steps after the rules.
const anything = optional(rule('anything', () => true));
const plain = { operation: 'x.do', input: { q: anything }, response: noContent } as const;
const at = (method: Method) => defineEndpoint<Input>(`${method} /x`);
const inTree = defineEndpoint<Input>('GET /tree{/q*}');
const get = at('GET')(plain);
const head = at('HEAD')(plain);
const put = at('PUT')(plain);
const form = at('POST')({ ...plain, encoding: 'form' });

describe('buildRequest() with invalid inputs', () => {
  it.each([
    [undefined, /object.* undefined\)\./],
    [null, /object.* null\)\./],
    ['x', /object.* a string\)\./],
    [7, /object.* 7\)\./],
  ])('buildRequest() rejects the input %j and states its type', (input, kind) => {
    // `as`: JavaScript callers can pass anything.
    const refused = refusal(() => buildRequest(get, input as Input, context));
    expect(refused).toMatchObject({ field: 'input', message: expect.stringMatching(kind) });
    expect(refused.message).toContain('x.do: ');
  });

  const half = /surrogate/;
  const wrong: readonly [unknown, RegExp][] = [
    [{}, /string, number or boolean, or an array.* an object\)$/],
    [null, / null\)$/],
    [Number.POSITIVE_INFINITY, / NaN or Infinity\)$/],
    [Number.NaN, / NaN or Infinity\)$/],
    [['a', {}], / an object\)$/],
    [[{}, 'a'], / an object\)$/],
    ['\ud800', half],
    [['\ud800'], half],
    [['a', '\ud800'], half],
    [['\udc00', 1], half],
  ];
  const places: readonly [string, Endpoint<Input, unknown>][] = [
    ['query of a GET', get],
    ['query of a HEAD', head],
    ['form', form],
  ];
  describe.each(places)('in the %s', (place, where) => {
    it.each(wrong)(`buildRequest() rejects the value $0 in the ${place}`, (q, why) => {
      const refused = refusal(() => buildRequest(where, { q }, context));
      expect(refused).toMatchObject({ field: 'q', message: about('q', why) });
      expect(refused.message).toContain('x.do: ');
    });
  });

  it('buildRequest() rejects an undefined value for a required path', () => {
    const refused = refusal(() => buildRequest(inTree(plain), {}, context));
    expect(refused).toMatchObject({ field: 'q', message: about('q', /non-empty/) });
  });
});

describe('buildRequest()', () => {
  it.each(['', undefined])('buildRequest() omits the path variable if its value is %j', (q) => {
    const rooted = inTree({ ...plain, emptyPath: true });
    expect(buildRequest(rooted, { q }, context).target.path).toBe('/api/v3/tree');
  });

  it('buildRequest() adds the inputs of a HEAD to the query', () => {
    const { method, target, body } = buildRequest(head, { q: ['a', 1, true] }, context);
    expect([method, target.path, body]).toEqual(['HEAD', '/api/v3/x?q=a&q=1&q=true', undefined]);
  });

  it.each([[[]], [undefined]])(
    'buildRequest() omits the query if the only parameter is %j',
    (q) => {
      expect(buildRequest(get, { q }, context).target.path).toBe('/api/v3/x');
    },
  );

  it('buildRequest() sends the inputs that the serialize function returns', () => {
    const wired = { ...plain, serialize: ({ q }: Input) => ({ sent: q, more: 1 }) };
    const query = at('GET')(wired);
    expect(buildRequest(query, { q: 'a' }, context).target.path).toBe('/api/v3/x?sent=a&more=1');
    const json = at('PATCH')(wired);
    expect(buildRequest(json, { q: 'a' }, context).body).toMatchObject({
      text: '{"sent":"a","more":1}',
    });
  });

  it.each([undefined, (input: Input) => ({ ...input })])(
    'buildRequest() omits unsent inputs if serialize is %s',
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
    "buildRequest() applies the endpoint's retry %j and exemptFromLimits %j",
    (retry, exemptFromLimits) => {
      const marked = at('PUT')({ ...plain, retry, exemptFromLimits });
      expect(buildRequest(marked, {}, context)).toMatchObject({
        retry: retry ?? 'refused',
        exemptFromLimits: exemptFromLimits === true,
      });
    },
  );

  it("buildRequest() uses the endpoint's media type and authentication scheme", () => {
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
});

describe('secrets in requests', () => {
  const named = at('PUT')({ ...plain, secret: ['q'] });

  it.each([
    ['hunter2', ['hunter2']],
    ['', []],
    [undefined, []],
    [7, ['7']],
    [
      ['a', 8, ''],
      ['a', '8'],
    ],
    [{ a: 'b', c: { d: ['e', true, null] } }, ['b', 'e']],
  ])('buildRequest() finds the secrets $1 in the input $0', (q, secrets) => {
    expect(buildRequest(named, { q }, context).secrets).toEqual(secrets);
  });

  it("buildRequest() treats the values that the endpoint's `secret` function returns as secrets", () => {
    const found = at('PUT')({ ...plain, secret: ({ q }) => [`${q}!`] });
    expect(buildRequest(found, { q: 'a' }, context).secrets).toEqual(['a!']);
  });

  it('buildRequest() finds no secrets if the endpoint declares none', () => {
    expect(buildRequest(put, { q: 'a' }, context).secrets).toEqual([]);
  });
});

it("buildRequest() parses an endpoint's template only once", () => {
  let reads = 0;
  const counted: Endpoint<Input, void> = {
    ...put,
    get path() {
      reads += 1;
      return '/x';
    },
  };
  buildRequest(counted, {}, context);
  expect(buildRequest(counted, { q: 1 }, context).target.path).toBe('/api/v3/x');
  expect(reads).toBe(1);
});
