import { describe, expect, it } from 'vitest';
import {
  maskBody,
  showText,
  showUrl,
  showWord,
  stripParameters,
} from '../../../../src/masks/secrets.js';

it('showText() masks a secret whose spaces appear as line breaks or tabs', () => {
  expect(showText('x correct\n horse\tbattery y', ['correct horse battery'])).toBe('x *** y');
});

describe('showText()', () => {
  it('masks a secret before truncating the text', () => {
    expect(showText(`${'x'.repeat(7)} s3cret`, ['s3cret'], 10)).toBe('xxxxxxx **…');
  });

  it('truncates only a line that exceeds the maximum length', () => {
    expect(showText('x'.repeat(10), [], 10)).toBe('x'.repeat(10));
    expect(showText('x'.repeat(11), [], 10)).toBe(`${'x'.repeat(10)}…`);
  });

  it('reads a text only up to eight times the maximum length', () => {
    const text = (spaces: number) => `a${' '.repeat(spaces)}`;
    expect(showText(text(79), [], 10), 'eight times its length').toBe('a');
    expect(showText(text(80), [], 10)).toBe('a…');
    expect(showText(`${text(90)}b`, [], 10)).toBe('a…');
    expect(showText(`${text(240)}b`, ['s3cret'], 10)).toBe('a…');
    expect(showText(`${' '.repeat(75)}b${' '.repeat(200)}`, ['s3cret'], 10)).toBe('b…');
  });

  it('returns one line without control characters', () => {
    expect(showText(' a\r\n\tb\u0000c\u202ed\u2028e ', [])).toBe('a b c d e');
  });
});

describe('maskBody()', () => {
  it('showWord() truncates a value after 100 characters', () => {
    const word = `${'a'.repeat(93)}-s3cret`;
    expect(showWord(word, ['s3cret'])).toBe(`${'a'.repeat(93)}-***`);
    expect(showWord(`${word}aa`, [])).toBe(`${word}…`);
    expect(showWord('no s3cret', ['s3cret'])).toBe('no ***');
  });

  it('keeps a plain word in a code field', () => {
    const body = {
      message: 'a rockets b',
      code: 'rockets',
      error: { message: 's3cret-x', 's3cret-y': 's3cret' },
      list: ['rockets', 1, null],
    };
    expect(maskBody(body, ['s3cret', 's3cret-y', 'rockets'])).toEqual({
      message: 'a *** b',
      code: 'rockets',
      error: { message: '***-x', '***': '***' },
      list: ['***', 1, null],
    });
  });

  it.each([null, 7, true])('returns %s unchanged', (body) => {
    expect(maskBody(body, ['tok3n9'])).toBe(body);
    expect(maskBody({ a: body }, ['tok3n9'])).toEqual({ a: body });
  });

  it('omits levels deeper than 100', () => {
    const nested = (levels: number, inmost: unknown): unknown =>
      levels === 0 ? inmost : [nested(levels - 1, inmost)];
    expect(maskBody(nested(100, 'tok3n9'), ['tok3n9'])).toEqual(nested(100, '***'));
    expect(maskBody(nested(101, 'tok3n9'), ['tok3n9'])).toEqual(nested(100, '… (cut)'));
  });

  it('truncates a body after 64 KiB and marks the end', () => {
    const secrets = ['s3cret-0123456789'];
    const long = 's3cret-0123456789 '.repeat(500_000);
    const shown = maskBody({ message: 'no', detail: long, rest: 1 }, secrets);
    const text = JSON.stringify(shown);
    expect(text).not.toContain('s3cret');
    expect(text.length).toBeLessThan(70_000);
    expect(shown).toMatchObject({ message: 'no', '… (cut)': '… (cut)' });
    expect(maskBody(long, secrets)).toMatch(/… \(cut\)$/);
    expect(maskBody(Array(1_000_000).fill('s3cret-1'), secrets)).toHaveProperty('length', 8193);
  });
});

it('maskBody() masks a number that equals a secret', () => {
  const body = { pin: 9182736455, other: 91827364550, list: [9182736455], code: '9182736455' };
  expect(maskBody(body, ['9182736455'])).toEqual({
    pin: '***',
    other: 91827364550,
    list: ['***'],
    code: '***',
  });
});

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
  ])('%s', (_name, url, shown) => {
    expect(showUrl(url, ['t0ken9'])).toBe(shown);
  });

  it('keeps plain words in a URL even if they are secrets', () => {
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
  ])('converts %s to %s', (url, shown) => {
    const secrets = ['s3cret-9', '0123456789abcdef', 'rockets'];
    expect(showUrl(url, secrets)).toBe(shown);
  });

  it('percent-encodes control characters in a URL', () => {
    expect(showUrl('https://a.b/\u009b2J\u001b[1m x', [])).toBe('https://a.b/%C2%9B2J%1B[1m%20x');
  });
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
  ])('converts %j to %j', (url, stripped) => {
    expect(stripParameters(url, names)).toBe(stripped);
  });

  it('removes a parameter whose name is not valid percent-encoding', () => {
    expect(stripParameters('/a?%zz=x&b=1', new Set(['%zz']))).toBe('/a?b=1');
  });

  it('removes no parameters if no names are passed', () => {
    expect(stripParameters('/a?access_token=x', new Set())).toBe('/a?access_token=x');
  });
});
