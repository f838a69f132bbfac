import { describe, expect, it } from 'vitest';
import { buildRawRequest, type RawRequest } from '../../../../src/transport/request/raw-request.js';
import { context, refusal as refused } from './request-context.js';

/** The message of a refusal, and the field it names. */
function refusal(request: unknown): readonly [message: string, field: string] {
  // `as`: what JavaScript callers may pass.
  const { message, field } = refused(() => buildRawRequest(request as RawRequest, context));
  return [message, field];
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
    [
      { path: '/x', method: 'POST', json: () => 1 },
      'json: expected a value that JSON can express',
      'json',
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

describe('a refusal names the field', () => {
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
  ])('%j: %s', (request, field) => {
    expect(refusal(request)[1]).toBe(field);
  });
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
});
