import { describe, expect, it } from 'vitest';
import { maskBody, showText, showWord } from '../../../../src/transport/http/redact.js';

it('showText() masks a secret whose spaces appear as line breaks or tabs', () => {
  expect(showText('x correct\n horse\tbattery y', ['correct horse battery'])).toBe('x *** y');
});

describe('showText()', () => {
  it('showText() masks a secret before truncating the text', () => {
    expect(showText(`${'x'.repeat(7)} s3cret`, ['s3cret'], 10)).toBe('xxxxxxx **…');
  });

  it('showText() truncates only a line that exceeds the maximum length', () => {
    expect(showText('x'.repeat(10), [], 10)).toBe('x'.repeat(10));
    expect(showText('x'.repeat(11), [], 10)).toBe(`${'x'.repeat(10)}…`);
  });

  it('showText() reads a text only up to eight times the maximum length', () => {
    const text = (spaces: number) => `a${' '.repeat(spaces)}`;
    expect(showText(text(79), [], 10), 'eight times its length').toBe('a');
    expect(showText(text(80), [], 10)).toBe('a…');
    expect(showText(`${text(90)}b`, [], 10)).toBe('a…');
    expect(showText(`${text(240)}b`, ['s3cret'], 10)).toBe('a…');
    expect(showText(`${' '.repeat(75)}b${' '.repeat(200)}`, ['s3cret'], 10)).toBe('b…');
  });

  it('showText() returns one line without control characters', () => {
    expect(showText(' a\r\n\tb\u0000c\u202ed\u2028e ', [])).toBe('a b c d e');
  });
});

describe('machine-readable values', () => {
  it('showWord() truncates a value after 100 characters', () => {
    const word = `${'a'.repeat(93)}-s3cret`;
    expect(showWord(word, ['s3cret'])).toBe(`${'a'.repeat(93)}-***`);
    expect(showWord(`${word}aa`, [])).toBe(`${word}…`);
    expect(showWord('no s3cret', ['s3cret'])).toBe('no ***');
  });

  it('maskBody() keeps a plain word in a code field', () => {
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

  it('maskBody() cuts values below the maximum depth', () => {
    let body: unknown = 's3cret';
    for (let depth = 0; depth < 1000; depth++) body = depth % 2 ? [body] : { a: body };
    const text = JSON.stringify(maskBody(body, ['s3cret']));
    expect(text).toContain('"… (cut)"');
    expect(text.length).toBeLessThan(600);
  });

  it('maskBody() cuts a body after 64 KiB and says so', () => {
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
