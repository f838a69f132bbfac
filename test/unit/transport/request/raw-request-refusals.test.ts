import { describe, expect, it } from 'vitest';
import type { InvalidRequestError } from '../../../../src/errors/index.js';
import { buildRawRequest, type RawRequest } from '../../../../src/transport/request/raw-request.js';
import { about } from '../../about.js';
import { context, family, refusal as refused } from './request-context.js';

/** Returns the error for an invalid raw request. */
function refusal(request: unknown): InvalidRequestError {
  // `as`: JavaScript callers can pass anything.
  return refused(() => buildRawRequest(request as RawRequest, family, context));
}

const methods = /'GET', 'HEAD', 'POST', 'PUT', 'PATCH' or 'DELETE'/;
const noPath = /URI template/;
const userinfo = /username or password/;
const dots = /'\.' or '\.\.'/;
const several = /combined with another body\. /;

describe('errors of buildRawRequest()', () => {
  it.each([
    ['GET /user', /method: 'GET', path: .* a string\)$/],
    [null, /method: 'GET', path: .* null\)$/],
    [undefined, /method: 'GET', path: .* undefined\)$/],
  ])('the error for the raw request %j shows an example', (request, says) => {
    expect(refusal(request)).toMatchObject({
      field: 'request',
      message: expect.stringMatching(says),
    });
  });

  const table: readonly [unknown, string, RegExp][] = [
    [{ path: '/x', method: 'TRACE' }, 'method', methods],
    [{ path: '/x', method: 'get' }, 'method', methods],
    [{ path: '/x', responseType: 'xml' }, 'responseType', /'exists'.* \(got 'xml'\)$/],
    [{ path: '/x', retry: 'always' }, 'retry', /'idempotent'.* \(got 'always'\)$/],
    [{ path: '/x', auth: 'none' }, 'auth', /'basic' or 'application' \(got 'none'\)$/],
    [{ path: '/x', secret: 'a' }, 'secret', /an array of strings/],
    [{ path: '' }, 'path', noPath],
    [{ path: '/repos/{owner' }, 'path', noPath],
    [{ path: 1 }, 'path', noPath],
    [{}, 'path', noPath],
    [{ path: 'GET /user' }, 'path', /method: 'GET'/],
    [{ path: 'DELETE   user' }, 'path', /method: 'DELETE'/],
    [{ path: 'https://:0/' }, 'path', /http or https URL/],
    [{ path: 'https://jo@a.example/x' }, 'path', userinfo],
    [{ path: 'https://:pw@a.example/x' }, 'path', userinfo],
    [{ path: 'http://jo:pw@a.example/x' }, 'path', userinfo],
    [{ path: '/x/../y' }, 'path', dots],
    [{ path: '/x/.%2e?a' }, 'path', dots],
    [{ path: 'https://../x' }, 'path', dots],
    [{ path: '/labels/C#', method: 'DELETE' }, 'path', /'#'\. Write %23/],
    [{ path: '/search?q=C#' }, 'path', /'#'\. Write %23/],
    [{ path: '/x{#part}', variables: { part: 'a' } }, 'path', /'#'\. Write %23/],
    [{ path: '/x', method: 'POST', json: {}, form: {} }, 'form', several],
    [
      { path: '/x', method: 'PUT', json: 0, body: { data: '', contentType: 'a/b' } },
      'body',
      several,
    ],
    [{ path: '/x', method: 'POST', json: () => 1 }, 'json', /JSON/],
    [{ path: '/x', method: 'POST', body: 'text' }, 'body', /\{ data, contentType \}.* a string\)/],
    [{ path: '/x', method: 'POST', body: Buffer.from('ab') }, 'body', /\{ data, contentType \}/],
    [{ path: '/x', method: 'POST', body: { title: 'x' } }, 'body', /an object\).* use json\.$/],
    [{ path: '/x', method: 'POST', body: null }, 'body', /\(got null\)/],
    [{ path: '/x', method: 'POST', body: { data: 'a' } }, 'body.contentType', /is required$/],
    [{ path: '/x', json: null }, 'body', /GET .*query\.$/],
    [{ path: '/x', method: 'HEAD', form: {} }, 'body', /HEAD .*query\.$/],
  ];
  it.each(table)('the error for the raw request %j states the rule', (request, field, says) => {
    expect(refusal(request)).toMatchObject({ field, message: about(field, says) });
  });

  it.each([
    [{ path: '/r/{owner}' }, 'owner'],
    [{ path: '/r/{owner}', variables: { owner: undefined } }, 'owner'],
    [{ path: '/r/{toString}', variables: {} }, 'toString'],
  ])('buildRawRequest() rejects the raw request %j without the variable %s', (request, field) => {
    const message = about(`variables.${field}`, new RegExp(`\\{${field}\\}`));
    expect(refusal(request)).toMatchObject({ field, message });
  });
});

describe('invalid values in raw requests', () => {
  it.each([
    [{ path: '/x/%2e%2E/y' }, 'path'],
    [{ path: '/x/./y' }, 'path'],
    [{ path: '/x/..' }, 'path'],
    [{ path: 'https://a.example\\..\\x' }, 'path'],
    [{ path: 'https://a.example/x/../y' }, 'path'],
    [{ path: 'https://jo:pw@a.example/x' }, 'path'],
    [{ path: '/{a}', variables: { a: '..' } }, 'a'],
    [{ path: '/{a}', variables: { a: '.' } }, 'a'],
    [{ path: '/{a}', variables: { a: '' } }, 'a'],
    [{ path: '/{a}' }, 'a'],
    [{ path: '/{/a*}', variables: { a: ['x', '..'] } }, 'a'],
    [{ path: '/{+a}', variables: { a: 'x/../../y' } }, 'path'],
    [{ path: '/x', json: {} }, 'body'],
    [{ path: '/x', query: { q: '\ud800' } }, 'query.q'],
    [{ path: '/x', query: { q: ['a', undefined] } }, 'query.q'],
    [{ path: '/x', method: 'POST', form: [['q', ['a', '\udc00']]] }, 'form.q'],
  ])('buildRawRequest() rejects the raw request %j because of the field %s', (request, field) => {
    expect(refusal(request).field).toBe(field);
  });
});

describe('media types', () => {
  const wrong = ['', 'a/b\n', '\na/b', 'ä/b', 'a/ä', 'a/b\u007f', 7, null, ['a/b']];
  const why = (field: string) => ({ field, message: about(field, /media type.* ASCII/) });
  // Also rejects null, because only undefined selects the default.
  it.each(wrong)('buildRawRequest() rejects the accept value %j', (accept) => {
    expect(refusal({ path: '/x', accept })).toMatchObject(why('accept'));
  });

  it.each(wrong)('buildRawRequest() rejects the body content type %j', (contentType) => {
    const request = { path: '/x', method: 'POST', body: { data: 'x', contentType } };
    expect(refusal(request)).toMatchObject(why('body.contentType'));
  });
});
