import { describe, expect, it } from 'vitest';
import { showHeaders, showUrl, stripParameters } from '../../../../src/transport/http/redact.js';

describe('showUrl()', () => {
  it.each([
    ['keeps harmless parameters', 'https://a/b?page=2&per_page=9', 'https://a/b?page=2&per_page=9'],
    ['removes userinfo', 'https://jo:pw@a/b', 'https://a/b'],
    ['removes userinfo that contains an @', 'https://jo:p@w@a/b@c', 'https://a/b@c'],
    ['removes the fragment', 'https://a/b?page=2#token', 'https://a/b?page=2'],
    ['masks unknown parameters', 'https://a/b?page=2&sig=x&q', 'https://a/b?page=2&sig=***&***'],
    ['keeps an empty query', 'https://a/b?', 'https://a/b?'],
    ['masks a known parameter in uppercase', 'https://a/b?PAGE=2', 'https://a/b?PAGE=***'],
    ['keeps a known parameter without a value', 'https://a/b?page', 'https://a/b?page'],
    ['masks a name that only starts with a known name', 'https://a/b?pagex', 'https://a/b?***'],
    ['masks a value without a name', 'https://a/b?=x', 'https://a/b?=***'],
    ['masks unknown parameters of a URL that is only a query', '?sig=x', '?sig=***'],
    ['removes the fragment of a URL that is only a fragment', '#token', ''],
    ['masks secrets in the path', 'https://a/t0ken9/x', 'https://a/***/x'],
    ['masks secrets in a known parameter', 'https://a/?page=t0ken9', 'https://a/?page=***'],
    ['keeps a URL in a known parameter', '/b?page=https://a/b', '/b?page=https://a/b'],
  ])('showUrl() %s', (_name, url, shown) => {
    expect(showUrl(url, ['t0ken9'])).toBe(shown);
  });
});

describe('showUrl() with secrets', () => {
  it('showUrl() keeps plain words in a URL even if they are secrets', () => {
    const secrets = ['acme', 'rocket', 'https', 'p', 'code', 'example'];
    const url = 'https://code.example.com/repos/acme/rocket?state=open';
    expect(showUrl(url, secrets)).toBe(url);
    expect(
      showUrl('https://a.b/t0/ken&9/x', ['t0/ken&9']),
      'a secret with special characters',
    ).toBe('https://a.b/***/x');
    expect(showUrl('https://a.b/t/0123456789abcdef/x', ['0123456789abcdef'])).toBe(
      'https://a.b/t/***/x',
    );
  });

  it.each([
    ['https://s3cret-9.example.test/x', 'https://***.example.test/x'],
    ['https://a.b/s3cret-9?page=s3cret-9', 'https://a.b/***?page=***'],
    ['https://x0123456789abcdefx.test', 'https://x***x.test'],
    ['https://acme.rockets.test/', 'https://acme.rockets.test/'],
    ['http://[::1]:80?page=1', 'http://[::1]:80?page=1'],
  ])('showUrl() converts %s to %s', (url, shown) => {
    const secrets = ['s3cret-9', '0123456789abcdef', 'rockets'];
    expect(showUrl(url, secrets)).toBe(shown);
  });

  it('showUrl() percent-encodes control characters in a URL', () => {
    expect(showUrl('https://a.b/\u009b2J\u001b[1m x', [])).toBe('https://a.b/%C2%9B2J%1B[1m%20x');
  });
});

it('showHeaders() masks all headers except harmless headers', () => {
  const headers = { etag: '"x"', 'set-cookie': 'sid=1', location: '/x?t=1', date: undefined };
  const shown = { etag: '"x"', 'set-cookie': '***', location: '***' };
  expect(showHeaders(headers, [])).toStrictEqual(shown);
  expect(showHeaders(headers, ['s3cret'])).toStrictEqual(shown);
});

it('showHeaders() shows request IDs and the media type', () => {
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

describe('stripParameters()', () => {
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
  ])('stripParameters() converts %j to %j', (url, stripped) => {
    expect(stripParameters(url, names)).toBe(stripped);
  });

  it('stripParameters() removes a parameter whose name is not valid percent-encoding', () => {
    expect(stripParameters('/a?%zz=x&b=1', new Set(['%zz']))).toBe('/a?b=1');
  });

  it('stripParameters() removes no parameters if no names are passed', () => {
    expect(stripParameters('/a?access_token=x', new Set())).toBe('/a?access_token=x');
  });
});
