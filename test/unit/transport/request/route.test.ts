import { describe, expect, it } from 'vitest';
import type { StandardSchema } from '../../../../src/schema/standard-schema.js';
import {
  buildRouteRequest,
  createListSpec,
  createResponseSpec,
  type RouteOptions,
} from '../../../../src/transport/base-client.js';
import type { ResponseSpec } from '../../../../src/transport/request/endpoint.js';
import { formatUrl } from '../../../../src/transport/request/request-spec.js';
import { about } from '../../about.js';
import { context, family, refusal } from './request-context.js';

function build(route: string, inputs: object = {}, options: RouteOptions = {}, api = family) {
  return buildRouteRequest(route, { ...inputs }, options, api, context);
}

/** A schema for numbers. Only the issue for null has a path. */
const number: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => {
      if (typeof value === 'number') return { value: value * 10 };
      return { issues: [{ message: 'no number', ...(value === null && { path: ['n'] }) }] };
    },
  },
};

describe('the URL of a route', () => {
  it.each<[string, object, string]>([
    ['/x', {}, '/api/v3/x'],
    ['//evil.example/x', {}, '/api/v3/evil.example/x'],
    ['/x', { a: [1, 2], b: undefined, c: 'ä&' }, '/api/v3/x?a=1&a=2&c=%C3%A4%26'],
    ['/x{?a}', { a: 1, b: 2 }, '/api/v3/x?a=1&b=2'],
    ['/r/{owner}', { owner: 'a/b#?%' }, '/api/v3/r/a%2Fb%23%3F%25'],
    ['/r/{base}...{head}', { base: 'v1', head: 'a:b' }, '/api/v3/r/v1...a%3Ab'],
    ['/r{/path*}', { path: ['a b', 'c'] }, '/api/v3/r/a%20b/c'],
    ['/r{/path*}', {}, '/api/v3/r'],
    ['/x\\..\\y', {}, '/api/v3/x%5C..%5Cy'],
    ['x?y=../z', {}, '/api/v3/x?y=../z'],
    ['x/https://b.example/y', {}, '/api/v3/x/https://b.example/y'],
  ])('GET %s with the inputs %j is sent to %s', (template, inputs, path) => {
    expect(formatUrl(build(`GET ${template}`, inputs).target)).toBe(`https://a.example${path}`);
  });

  it.each([['https://b.example/y?z=1#f', 'https://b.example/y?z=1']])(
    'a request for the absolute URL %s is sent to %s',
    (url, expected) => {
      expect(formatUrl(build(`GET ${url}`).target)).toBe(expected);
    },
  );
});

describe('buildRouteRequest()', () => {
  it.each([
    ['HEAD', undefined, 'safe'],
    ['GET', false, 'unsent'],
    ['PUT', undefined, 'unsent'],
    ['PUT', true, 'idempotent'],
  ] as const)('a %s with idempotent: %j has the retry rule %s', (method, idempotent, rule) => {
    const api = { ...family, writes: 'unsent' } as const;
    expect(build(`${method} /x`, {}, { idempotent }, api).retry).toBe(rule);
  });

  it.each<[object, RouteOptions, object | undefined]>([
    [{ a: undefined, b: 1 }, {}, { kind: 'json', text: '{"b":1}' }],
    [{ a: 'x y', b: [1, 2] }, { encoding: 'form' }, { kind: 'form', text: 'a=x%20y&b=1&b=2' }],
    [{}, {}, undefined],
  ])('a POST with the inputs %j and the options %j has the body %j', (inputs, options, body) => {
    const spec = build('POST /x', inputs, options);
    if (body) expect(spec.body).toMatchObject(body);
    else expect(spec.body).toBeUndefined();
    expect(spec.target.path).toBe('/api/v3/x');
  });

  it.each<[string, object, readonly string[], string[]]>([
    ['GET /x', { access_token: 't', page: 1 }, [], ['t']],
    ['GET /x?token=t', {}, [], ['t']],
    ['POST /x', { config: { secret: 's', url: 'u' } }, [], ['s']],
    ['GET /x/{token}', { token: 't' }, [], ['t']],
    ['POST /x', { a: { b: ['j'] }, c: 'd' }, ['a'], ['j']],
    ['GET /x?a=z', {}, ['a'], ['z']],
  ])(
    '%s with the inputs %j and the secret names %j has the secrets %j',
    (route, inputs, secret, found) => {
      expect([...new Set(build(route, inputs, { secret }).secrets)]).toEqual(found);
    },
  );
});

describe('errors of buildRouteRequest()', () => {
  const example = /'GET \/repos\/\{owner\}\/\{repo\}'/;
  it.each([['/user'], ['get /user'], ['TRACE /x'], [null], [{ path: '/x' }]])(
    'the error for the route %j shows an example',
    (route) => {
      // `as`: JavaScript callers can pass anything.
      expect(refusal(() => build(route as string))).toMatchObject({
        field: 'route',
        message: about('route', example),
      });
    },
  );

  const userinfo = /username or password/;
  const dots = /'\.' or '\.\.'/;
  it.each<[string, object, string, RegExp]>([
    ['/repos/{owner', {}, 'route', /URI template/],
    ['https://:0/', {}, 'route', /http or https URL/],
    ['https://jo@a.example/x', {}, 'route', userinfo],
    ['/x/../y', {}, 'route', dots],
    ['/x/%2e%2E/y', {}, 'route', dots],
    ['https://a.example\\..\\x', {}, 'route', /absolute http/],
    ['/{+a}', { a: 'x/../../y' }, 'route', dots],
    ['/labels/C#', {}, 'route', /'#'\. Write %23/],
    ['/{a}', {}, 'a', /is required.*\{a\}/],
    ['/{a}', { a: '..' }, 'a', /'\.' or '\.\.'/],
    ['/{a}', { a: '' }, 'a', /empty/],
    ['/{/a*}', { a: ['x', '..'] }, 'a', dots],
    ['/x', { q: '\ud800' }, 'q', /Unicode/],
    ['/x', { q: ['a', undefined] }, 'q', /string, number or boolean/],
  ])('GET %s with the inputs %j is rejected because of %s', (template, inputs, field, says) => {
    const error = refusal(() => build(`GET ${template}`, inputs));
    expect(error).toMatchObject({ field, message: expect.stringMatching(says) });
  });

  it.each<[string, object, string, RegExp]>([
    ['POST /x', { encoding: 'xml' }, 'encoding', /'json' or 'form' \(got "xml"\)/],
    ['POST /x', { idempotent: 'yes' }, 'idempotent', /true or false/],
    ['POST /x', { secret: 'a' }, 'secret', /an array of strings/],
    ['POST /x', { schema: {} }, 'schema', /a Standard Schema/],
  ])('%s with the options %j is rejected because of %s', (route, options, field, says) => {
    const error = refusal(() => build(route, {}, options));
    expect(error).toMatchObject({ field, message: expect.stringMatching(says) });
  });
});

describe('createResponseSpec()', () => {
  it.each([
    ['GET', {}, 'json', undefined],
    ['GET', { schema: number }, 'json', number],
    ['GET', { responseType: 'bytes' }, 'bytes', undefined],
    ['GET', { responseType: 'stream' }, 'stream', undefined],
    ['GET', { responseType: 'exists' }, 'exists', undefined],
    ['HEAD', {}, 'none', undefined],
    ['HEAD', { responseType: 'bytes' }, 'none', undefined],
  ] as const)('a %s with %j has a response of the kind %s', (method, options, kind, schema) => {
    expect(createResponseSpec(`${method} /x`, options, family)).toMatchObject({ kind, schema });
  });

  it("the API's checks apply to the response to a GET, but not to a HEAD", () => {
    const validated = (spec: ResponseSpec<unknown>) => ({ ...spec, isStrict: true });
    const checked = { ...family, validated };
    expect(createResponseSpec('GET /x', {}, checked).isStrict).toBe(true);
    expect(createResponseSpec('HEAD /x', {}, checked).isStrict).toBeUndefined();
  });
});

describe('createListSpec()', () => {
  const standard = (schema?: StandardSchema<unknown>) => {
    const found = createListSpec(schema).schema?.['~standard'];
    if (!found) throw new Error('expected a list to have a schema');
    return found;
  };

  it.each([[{}], [null], ['a'], [undefined]])(
    'a list rejects %j instead of an array',
    async (value) => {
      const issues = [{ message: 'expected an array', path: [] }];
      expect(await standard(number).validate(value)).toEqual({ issues });
      expect(await standard().validate(value)).toEqual({ issues });
    },
  );

  it('a list validates each item and names invalid items by index', async () => {
    expect(await standard().validate([1, 'a', null])).toEqual({ value: [1, 'a', null] });
    expect(await standard(number).validate([1, 2])).toEqual({ value: [10, 20] });
    expect(await standard(number).validate([1, 'a', 2, null])).toEqual({
      issues: [
        { message: 'no number', path: [1] },
        { message: 'no number', path: [3, 'n'] },
      ],
    });
  });
});
