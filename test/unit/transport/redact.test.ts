import { describe, expect, it } from 'vitest';
import {
  scrub,
  showHeaders,
  showText,
  showUrl,
  stripParameters,
} from '../../../src/transport/redact.js';

describe('a URL is shown', () => {
  it.each([
    [
      'as it is where it is harmless',
      'https://a/b?page=2&per_page=9',
      'https://a/b?page=2&per_page=9',
    ],
    ['without userinfo', 'https://jo:pw@a/b', 'https://a/b'],
    ['without userinfo that holds an @', 'https://jo:p@w@a/b@c', 'https://a/b@c'],
    ['without its fragment', 'https://a/b?page=2#token', 'https://a/b?page=2'],
    ['with unknown values masked', 'https://a/b?page=2&sig=x&q', 'https://a/b?page=2&sig=***&***'],
    ['with empty parameters', 'https://a/b?', 'https://a/b?'],
    ['with unknown names of known look masked', 'https://a/b?PAGE=2', 'https://a/b?PAGE=***'],
    ['with a bare name of known look as it is', 'https://a/b?page', 'https://a/b?page'],
    ['with a bare name that only begins like it masked', 'https://a/b?pagex', 'https://a/b?***'],
    ['with the value of no name masked', 'https://a/b?=x', 'https://a/b?=***'],
    ['with unknown values masked where it is a query alone', '?sig=x', '?sig=***'],
    ['as nothing where it is a fragment alone', '#token', ''],
    ['with secrets of its path masked', 'https://a/t0k/x', 'https://a/***/x'],
    ['with secrets of a known parameter masked', 'https://a/?page=t0k', 'https://a/?page=***'],
  ])('%s', (_name, url, shown) => {
    expect(showUrl(url, ['t0k'])).toBe(shown);
  });
});

describe('a secret in a text', () => {
  it.each([
    ['is masked', 'a s3 b', ['s3'], 'a *** b'],
    ['is masked everywhere', 's3s3', ['s3'], '******'],
    ['is masked as a query value', 'x a%2Bb%26 y', ['a+b&'], 'x *** y'],
    ['of signs alone is masked as a query value', 'x %2B%26 y', ['+&'], 'x *** y'],
    ['is masked as a path segment', 'x a%21b%28c%29%27%2A y', ["a!b(c)'*"], 'x *** y'],
    ['is masked as a form writes it', 'x a+%21 y', ['a !'], 'x *** y'],
    ['is masked as a query writes it with plus', 'x a+! y', ['a !'], 'x *** y'],
    [
      'is masked in JSON, amid other text',
      '{"m":"no a\\"b\\\\c here"}',
      ['a"b\\c'],
      '{"m":"no *** here"}',
    ],
    ['is masked in JSON that is percent-encoded', 'x%20a%5C%22b y', ['a"b'], 'x%20*** y'],
    ['is masked where its octets are in lower case', 'x a%2bb%5c y', ['a+b\\'], 'x *** y'],
    ['is masked whole where another is its part', 'x abcdef y', ['abc', 'abcdef'], 'x *** y'],
    ['that is empty masks nothing', 'abc', [''], 'abc'],
    ['that is half a surrogate is masked', 'a\ud800b', ['\ud800'], 'a***b'],
  ])('%s', (_name, text, secrets, clean) => {
    expect(scrub(text, secrets)).toBe(clean);
  });

  it('does not survive as its first half where the text is cut', () => {
    expect(showText(`${'x'.repeat(8)}secret`, ['secret'], 10)).toBe('xxxxxxxx**…');
  });

  it('is cut only where the line is too long', () => {
    expect(showText('x'.repeat(10), [], 10)).toBe('x'.repeat(10));
    expect(showText('x'.repeat(11), [], 10)).toBe(`${'x'.repeat(10)}…`);
  });

  it('is one line, without what changes how it reads', () => {
    expect(showText(' a\r\n\tb\u0000c\u202ed\u2028e ', [])).toBe('a b c d e');
  });
});

it('shows only header fields that are known to be harmless', () => {
  const headers = { etag: '"x"', 'set-cookie': 'sid=1', location: '/x?t=1', date: undefined };
  const shown = { etag: '"x"', 'set-cookie': '***', location: '***' };
  expect(showHeaders(headers, [])).toStrictEqual(shown);
  expect(showHeaders(headers, ['s3cret'])).toStrictEqual(shown);
});

it('shows what the operators of a server ask for', () => {
  const shown = { 'x-service-request-id': 'AB:1', 'x-request-id': 'b', 'x-github-media-type': 'm' };
  const hidden = { 'x-service-otp': 'required; sms', 'x-request-id-token': 's' };
  expect(showHeaders({ ...shown, ...hidden }, [])).toEqual({
    ...shown,
    'x-service-otp': '***',
    'x-request-id-token': '***',
  });
  expect(showHeaders({ 'x-request-id': 'of secret' }, ['secret'])['x-request-id']).not.toContain(
    'secret',
  );
});

describe('parameters are stripped', () => {
  const names = new Set(['access_token']);
  it.each([
    ['/a?access_token=x', '/a'],
    ['/a?access_token=x&b=1', '/a?b=1'],
    ['/a?b=1&access_token=x&c', '/a?b=1&c'],
    ['/a?access_token=x#f', '/a#f'],
    ['/a?access%5ftoken=x', '/a'],
    ['/a?access_token', '/a'],
    ['/a?access_token=x&access_token=y', '/a'],
    ['/a?b=access_token', '/a?b=access_token'],
    ['/a?%zz=1&access_token=x', '/a?%zz=1'],
    ['/access_token=x', '/access_token=x'],
    ['/a&access_token=x', '/a&access_token=x'],
    ['?access_token=x', ''],
    ['/a?access_token=x&b=1#f', '/a?b=1#f'],
    ['/a?b=1#f&access_token=x', '/a?b=1#f&access_token=x'],
  ])('%s', (url, stripped) => {
    expect(stripParameters(url, names)).toBe(stripped);
  });

  it('of a name that is no percent-encoded text', () => {
    expect(stripParameters('/a?%zz=x&b=1', new Set(['%zz']))).toBe('/a?b=1');
  });

  it('of no names', () => {
    expect(stripParameters('/a?access_token=x', new Set())).toBe('/a?access_token=x');
  });
});
