import { describe, expect, test } from 'vitest';
import { checkHeaders, checkSharedHeaders } from '../../../../src/transport/request/fields.js';
import { about } from '../../about.js';

describe('checkHeaders()', () => {
  test('accepts visible characters, spaces, tabs and Latin-1 in header values', () => {
    const value = '\t !~ ab \x80\xff';
    expect(
      checkHeaders({ "X!#$%&'*+.^_`|~09-Z": value, 'x-empty': '', 'x-none': undefined }),
    ).toEqual([
      ["x!#$%&'*+.^_`|~09-z", value],
      ['x-empty', ''],
    ]);
    expect(checkHeaders({ 'X-A': 'b', 'x-d': 'é' })).toEqual([
      ['x-a', 'b'],
      ['x-d', 'é'],
    ]);
    expect(checkHeaders({})).toEqual([]);
  });

  const reserved =
    'authorization host connection content-length transfer-encoding keep-alive upgrade expect te trailer cookie proxy-authorization';
  test.each<[string, unknown, RegExp]>([
    ...reserved.split(' ').map((name): [string, unknown, RegExp] => [name, 'x', /client sets/]),
    ['Authorization', 'token x', /client sets the header\. Pass credentials in auth\.$/],
    ['', 'b', /header name/],
    ['x a', 'b', /header name/],
    ['x-a', 'b\r\nx-evil: 1', /control characters/],
    ['x-a', 'a\nb', /\(got a string\)$/],
    ['x-a', '\x7f', /control characters/],
    ['x-a', '\u0100', /\(got a string\)$/],
    ['x-a', 1, /\(got the number 1\)$/],
  ])('rejects the header %j with the value %j', (name, value, why) => {
    // The call is unchecked, because JavaScript callers can pass anything.
    const check = () => Reflect.apply(checkHeaders, undefined, [{ [name]: value }]);
    const field = `headers.${name}`;
    expect(check).toThrow(
      expect.objectContaining({ name: 'InvalidRequestError', field, message: about(field, why) }),
    );
  });
});

describe('checkSharedHeaders()', () => {
  test('converts header names to lowercase', () => {
    expect(checkSharedHeaders(undefined)).toEqual([]);
    expect(checkSharedHeaders(new Map([['X-Trace', 'a']]))).toEqual([['x-trace', 'a']]);
  });

  test.each<[string, RegExp]>([
    ['authorization', /client sets/],
    ['user-agent', /Use userAgent/],
    ...'accept accept-encoding content-type range if-match if-none-match if-modified-since if-unmodified-since if-range'
      .split(' ')
      .map((name): [string, RegExp] => [name, /individual calls/]),
  ])('rejects the header %s', (name, why) => {
    const field = `headers.${name}`;
    const check = () => checkSharedHeaders({ [name]: 'x' });
    expect(check).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        option: field,
        message: about(field, why),
      }),
    );
  });

  test.each([[5], [null], [[['x-a', 'b'], ['x-b']]]])('rejects %j instead of headers', (given) => {
    const check = () => Reflect.apply(checkSharedHeaders, undefined, [given]);
    expect(check).toThrow(expect.objectContaining({ code: 'configuration', option: 'headers' }));
  });
});
