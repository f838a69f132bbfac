import { describe, expect, it } from 'vitest';
import { User } from '../../../../src/hosting/index.js';
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
    ['x', {}, '/api/v3/x'],
    ['//evil.example/x', {}, '/api/v3/evil.example/x'],
    ['/x{?a,b}', { a: '1' }, '/api/v3/x?a=1'],
    ['/x', { a: [1, 2], b: undefined, c: 'ä&' }, '/api/v3/x?a=1&a=2&c=%C3%A4%26'],
    ['/x?a=1', { b: true }, '/api/v3/x?a=1&b=true'],
    ['/x{?a}', { a: 1, b: 2 }, '/api/v3/x?a=1&b=2'],
    ['/r/{owner}', { owner: 'a/b#?%' }, '/api/v3/r/a%2Fb%23%3F%25'],
    ['/r/{base}...{head}', { base: 'v1', head: 'a:b' }, '/api/v3/r/v1...a%3Ab'],
    ['/r{/path*}', { path: ['a b', 'c'] }, '/api/v3/r/a%20b/c'],
    ['/r{/path*}', {}, '/api/v3/r'],
    ['/r/{+path}', { path: 'a b/c' }, '/api/v3/r/a%20b/c'],
    ['/x\\..\\y', {}, '/api/v3/x%5C..%5Cy'],
    ['/x/.\t./y', {}, '/api/v3/x/.%09./y'],
    ['/r/...', {}, '/api/v3/r/...'],
    ['x?y=../z', {}, '/api/v3/x?y=../z'],
    ['x/https://b.example/y', {}, '/api/v3/x/https://b.example/y'],
    ['x/GET /y', {}, '/api/v3/x/GET%20/y'],
  ])('GET %s with the inputs %j is sent to %s', (template, inputs, path) => {
    expect(formatUrl(build(`GET ${template}`, inputs).target)).toBe(`https://a.example${path}`);
  });

  it.each([
    ['https://b.example/y?z=1#f', 'https://b.example/y?z=1'],
    ['HTTPS://b.example/y', 'https://b.example/y'],
    ['https://b.example:8080?z', 'https://b.example:8080/?z'],
  ])('a request for the absolute URL %s is sent to %s', (url, expected) => {
    expect(formatUrl(build(`GET ${url}`).target)).toBe(expected);
  });
});

describe('buildRouteRequest()', () => {
  it('creates a complete request from a route without inputs', () => {
    expect(build('GET /x')).toEqual({
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
    ['GET', undefined, 'safe'],
    ['HEAD', undefined, 'safe'],
    ['GET', false, 'unsent'],
    ['PUT', undefined, 'unsent'],
    ['PUT', true, 'idempotent'],
    ['POST', true, 'idempotent'],
  ] as const)('a %s with idempotent: %j has the retry rule %s', (method, idempotent, rule) => {
    const api = { ...family, writes: 'unsent' } as const;
    expect(build(`${method} /x`, {}, { idempotent }, api).retry).toBe(rule);
  });

  it.each<[object, RouteOptions, object | undefined]>([
    [{ a: undefined, b: 1 }, {}, { kind: 'json', text: '{"b":1}' }],
    [{ a: null }, {}, { kind: 'json', text: '{"a":null}' }],
    [{ a: 'x y', b: [1, 2] }, { encoding: 'form' }, { kind: 'form', text: 'a=x%20y&b=1&b=2' }],
    [{}, {}, undefined],
  ])('a POST with the inputs %j and the options %j has the body %j', (inputs, options, body) => {
    const spec = build('POST /x', inputs, options);
    if (body) expect(spec.body).toMatchObject(body);
    else expect(spec.body).toBeUndefined();
    expect(spec.target.path).toBe('/api/v3/x');
  });

  it("encodes the body in the API's encoding by default", () => {
    const spec = build('POST /x', { a: 1 }, {}, { ...family, encoding: 'form' });
    expect(spec.body).toMatchObject({ kind: 'form', text: 'a=1' });
  });

  it.each<[string, object, readonly string[], string[]]>([
    ['GET /x', { access_token: 't', page: 1 }, [], ['t']],
    ['GET /x?token=t', {}, [], ['t']],
    ['POST /x', { config: { secret: 's', url: 'u' } }, [], ['s']],
    ['POST /x', { password: ['p', 'q'] }, [], ['p', 'q']],
    ['GET /x/{token}', { token: 't' }, [], ['t']],
    ['POST /x', { a: { b: ['j'] }, c: 'd' }, ['a'], ['j']],
    ['GET /x/{a}', { a: 5 }, ['a'], ['5']],
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
  it.each([
    ['/user'],
    ['get /user'],
    ['TRACE /x'],
    ['GET '],
    ['GET  /x'],
    [''],
    [null],
    [{ path: '/x' }],
  ])('the error for the route %j shows an example', (route) => {
    // `as`: JavaScript callers can pass anything.
    expect(refusal(() => build(route as string))).toMatchObject({
      field: 'route',
      message: about('route', example),
    });
  });

  const userinfo = /username or password/;
  const dots = /'\.' or '\.\.'/;
  it.each<[string, object, string, RegExp]>([
    ['/repos/{owner', {}, 'route', /URI template/],
    ['https://:0/', {}, 'route', /http or https URL/],
    ['https://jo@a.example/x', {}, 'route', userinfo],
    ['http://jo:pw@a.example/x', {}, 'route', userinfo],
    ['/x/../y', {}, 'route', dots],
    ['/x/%2e%2E/y', {}, 'route', dots],
    ['/x/.%2e?a', {}, 'route', dots],
    ['https://a.example/x/../y', {}, 'route', dots],
    ['https://a.example\\..\\x', {}, 'route', /absolute http/],
    ['/{+a}', { a: 'x/../../y' }, 'route', dots],
    ['/labels/C#', {}, 'route', /'#'\. Write %23/],
    ['/x{#part}', { part: 'a' }, 'route', /'#'\. Write %23/],
    ['/{a}', {}, 'a', /is required.*\{a\}/],
    ['/{a}', { a: null }, 'a', /is required/],
    ['/{+a}', {}, 'a', /is required.*\{\+a\}/],
    ['/{toString}', {}, 'toString', /is required/],
    ['/{a}', { a: '..' }, 'a', /'\.' or '\.\.'/],
    ['/{a}', { a: '' }, 'a', /empty/],
    ['/{/a*}', { a: ['x', '..'] }, 'a', dots],
    ['/x', { q: '\ud800' }, 'q', /Unicode/],
    ['/x', { q: ['a', undefined] }, 'q', /string, number or boolean/],
    ['/x', { q: { a: 1 } }, 'q', /string, number or boolean/],
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

  it('an input that JSON cannot contain is rejected', () => {
    expect(refusal(() => build('POST /x', { a: 1n }))).toMatchObject({ field: 'input' });
  });
});

describe('createResponseSpec()', () => {
  it.each([
    ['GET', {}, 'json', undefined],
    ['GET', { schema: number }, 'json', number],
    ['GET', { responseType: 'text' }, 'bytes', undefined],
    ['GET', { responseType: 'bytes' }, 'bytes', undefined],
    ['GET', { responseType: 'stream' }, 'stream', undefined],
    ['GET', { responseType: 'exists' }, 'exists', undefined],
    ['HEAD', {}, 'none', undefined],
    ['HEAD', { responseType: 'bytes' }, 'none', undefined],
  ] as const)('a %s with %j has a response of the kind %s', (method, options, kind, schema) => {
    expect(createResponseSpec(`${method} /x`, options, family)).toMatchObject({ kind, schema });
  });

  it('an unknown responseType is rejected', () => {
    // `as`: JavaScript callers can pass anything.
    const run = () => createResponseSpec('GET /x', { responseType: 'xml' as never }, family);
    expect(refusal(run)).toMatchObject({ field: 'responseType' });
  });

  it("the API's checks apply to the response to a GET, but not to a HEAD", () => {
    const validated = (spec: ResponseSpec<unknown>) => ({ ...spec, isStrict: true });
    const checked = { ...family, validated };
    expect(createResponseSpec('GET /x', {}, checked).isStrict).toBe(true);
    expect(createResponseSpec('HEAD /x', {}, checked).isStrict).toBeUndefined();
  });
});

describe('createListSpec()', () => {
  it('a list of models is a model', () => {
    expect(createListSpec(User).schema).toMatchObject({ name: 'User[]' });
  });

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

  it('a list reports at most 20 issues', async () => {
    const { issues } = await standard(number).validate(Array.from({ length: 1000 }, () => 'a'));
    expect(issues).toHaveLength(20);
  });
});
