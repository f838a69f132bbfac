import { describe, expect, test } from 'vitest';
import { ConfigurationError, InvalidRequestError } from '../../../src/errors/index.js';
import { checkHeaders, checkSharedHeaders } from '../../../src/transport/request/fields.js';

describe('a header field of the caller', () => {
  test('may hold any visible character, spaces, tabs and Latin-1, or nothing', () => {
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
  test.each<[string, unknown, string]>([
    ...reserved
      .split(' ')
      .map((name): [string, unknown, string] => [
        name,
        'x',
        'this field is set by the client itself',
      ]),
    ['HOST', 'x', 'this field is set by the client itself'],
    ['', 'b', 'expected a header field name'],
    ['x a', 'b', 'expected a header field name'],
    ['x:a', 'b', 'expected a header field name'],
    [' x', 'b', 'expected a header field name'],
    ['x\n', 'b', 'expected a header field name'],
    ['é', 'b', 'expected a header field name'],
    ['x-a', 'b\r\nx-evil: 1', 'expected a string without control characters'],
    ['x-a', 'b\0', 'expected a string without control characters'],
    ['user-agent', '', 'expected text: the service refuses requests without'],
    ['User-Agent', ' \t', 'expected text: the service refuses requests without'],
    ['x-a', 'a\nb', 'expected a string without control characters'],
    ['x-a', '\x1f', 'expected a string without control characters'],
    ['x-a', '\x7f', 'expected a string without control characters'],
    ['x-a', '\u0100', 'expected a string without control characters'],
    ['x-a', 1, 'expected a string without control characters'],
    ['x-a', null, 'expected a string without control characters'],
  ])('%j: %j is refused', (name, value, why) => {
    // Unchecked: what JavaScript callers may pass.
    const check = () => Reflect.apply(checkHeaders, undefined, [{ [name]: value }]);
    const field = `headers.${name}`;
    expect(check).toThrow(new InvalidRequestError(`${field}: ${why}`, field));
  });
});

describe('a header field of all requests', () => {
  test('is checked as one of a single call', () => {
    expect(checkSharedHeaders(undefined)).toEqual([]);
    expect(checkSharedHeaders(new Map([['X-Trace', 'a']]))).toEqual([['x-trace', 'a']]);
  });

  const perCall = 'this field can not be that of all calls: give it to single calls';
  test.each<[string, string]>([
    ['authorization', 'this field is set by the client itself'],
    ['x a', 'expected a header field name'],
    ['user-agent', 'this field can not be that of all calls: use userAgent'],
    ...'accept accept-encoding content-type range if-match if-none-match if-modified-since if-unmodified-since if-range'
      .split(' ')
      .map((name): [string, string] => [name, perCall]),
  ])('%s is refused', (name, why) => {
    const field = `headers.${name}`;
    const refused = new ConfigurationError(`${field}: ${why}`, field);
    expect(() => checkSharedHeaders({ [name]: 'x' })).toThrow(refused);
  });

  test.each([
    [5],
    ['x-a: b'],
    [null],
    [[['x-a', 'b'], ['x-b']]],
    [[['x-a', 'b', 'c']]],
    [[[1, 'b']]],
    [['ab', ['x-a', 'b']]],
    [[{ 0: 'x-a', 1: 'b', length: 2 }]],
  ])('that is none is refused: %j', (given) => {
    const check = () => Reflect.apply(checkSharedHeaders, undefined, [given]);
    expect(check).toThrow(expect.objectContaining({ code: 'configuration', option: 'headers' }));
  });

  test('tells its own cause, and lets pass what a list of the caller throws', () => {
    const refused = () => checkSharedHeaders({ 'x a': 'b' });
    const cause = expect.objectContaining({ code: 'invalid_request' });
    expect(refused).toThrow(expect.objectContaining({ cause }));
    const mine = new Error('mine');
    const list: Iterable<[string, string]> = {
      [Symbol.iterator]() {
        throw mine;
      },
    };
    expect(() => checkSharedHeaders(list)).toThrow(mine);
  });
});
