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
    ['removes the fragment', 'https://a/b?page=2#token', 'https://a/b?page=2'],
    ['masks unknown parameters', 'https://a/b?page=2&sig=x&q', 'https://a/b?page=2&sig=***&***'],
    ['masks a known parameter in uppercase', 'https://a/b?PAGE=2', 'https://a/b?PAGE=***'],
    ['masks a name that only starts with a known name', 'https://a/b?pagex', 'https://a/b?***'],
    ['masks secrets in the path', 'https://a/t0ken9/x', 'https://a/***/x'],
    ['masks secrets in a known parameter', 'https://a/?page=t0ken9', 'https://a/?page=***'],
  ])('%s', (_name, url, shown) => {
    expect(showUrl(url, ['t0ken9'])).toBe(shown);
  });

  it.each([
    ['https://a.b/s3cret-9?page=s3cret-9', 'https://a.b/***?page=***'],
    ['http://[::1]:80?page=1', 'http://[::1]:80?page=1'],
  ])('converts %s to %s', (url, shown) => {
    const secrets = ['s3cret-9', '0123456789abcdef', 'rockets'];
    expect(showUrl(url, secrets)).toBe(shown);
  });
});

describe('stripParameters()', () => {
  const names = new Set(['access_token']);
  it.each([
    ['/a?access_token=x', '/a'],
    ['/a?access_token=x&b=1', '/a?b=1'],
    ['/a?b=1&access_token=x&c', '/a?b=1&c'],
    ['/a?access%5ftoken=x', '/a'],
    ['/a?access_token=x&access_token=y', '/a'],
    ['/a?%zz=1&access_token=x', '/a?%zz=1'],
    ['/a&access_token=x', '/a&access_token=x'],
    ['/a?b=1#f&access_token=x', '/a?b=1#f&access_token=x'],
  ])('converts %j to %j', (url, stripped) => {
    expect(stripParameters(url, names)).toBe(stripped);
  });
});
