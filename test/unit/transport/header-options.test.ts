import { describe, expect, test } from 'vitest';
import { InvalidRequestError } from '../../../src/errors/index.js';
import { checkHeaders } from '../../../src/transport/request/fields.js';

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
    'authorization host connection content-length transfer-encoding keep-alive upgrade expect te trailer cookie';
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
