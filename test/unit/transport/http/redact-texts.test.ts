import { describe, expect, it } from 'vitest';
import {
  maskBody,
  maskSecrets,
  maskWholeWord,
  showText,
  showWord,
} from '../../../../src/transport/http/redact.js';

it('showText() masks a secret whose spaces appear as line breaks or tabs', () => {
  expect(showText('x correct\n horse\tbattery y', ['correct horse battery'])).toBe('x *** y');
});

describe('maskSecrets()', () => {
  it.each([
    ['masks a secret', 'a s3cret b', ['s3cret'], 'a *** b'],
    ['masks every occurrence of a secret', 's3cret,s3cret', ['s3cret'], '***,***'],
    ['masks a secret that a tab splits', 'x s3cr3t-\tt0ken y', ['s3cr3t-t0ken'], 'x *** y'],
    [
      'masks a secret that line breaks split',
      'x s3cr\r\n  3t-t0\nken y',
      ['s3cr3t-t0ken'],
      'x *** y',
    ],
    [
      'masks a Base64 secret that a NUL splits',
      'x czNjcjN0\0LXQwa2Vu y',
      ['s3cr3t-t0ken'],
      'x *** y',
    ],
    [
      'masks a secret that invisible characters split',
      's3cr\u200b3t-\u2028t0\u00adken',
      ['s3cr3t-t0ken'],
      '***',
    ],
    ['keeps control characters next to a secret', 'a\ts3cret\tb', ['s3cret'], 'a\t***\tb'],
    ['keeps control characters in text without a secret', 'a\tb\nc', ['s3cret'], 'a\tb\nc'],
    ['masks a secret that is encoded as a query value', 'x aaaa%2Bb%26 y', ['aaaa+b&'], 'x *** y'],
    [
      'masks an encoded secret of only special characters',
      'x %2B%26%2B%26%2B%26 y',
      ['+&+&+&'],
      'x *** y',
    ],
    [
      'masks a secret that is encoded as a path segment',
      'x a%21b%28c%29%27%2A y',
      ["a!b(c)'*"],
      'x *** y',
    ],
    ['masks a form-encoded secret', 'x aaaa+%21 y', ['aaaa !'], 'x *** y'],
    ['masks a secret whose space is form-encoded', 'x aaaa+! y', ['aaaa !'], 'x *** y'],
    [
      'masks a secret within a JSON string',
      '{"m":"no aaa\\"b\\\\c here"}',
      ['aaa"b\\c'],
      '{"m":"no *** here"}',
    ],
    ['masks a secret in percent-encoded JSON', 'x%20aaaa%5C%22b y', ['aaaa"b'], 'x%20*** y'],
    ['masks a secret in lowercase percent-encoding', 'x aaa+b%5c y', ['aaa+b\\'], 'x *** y'],
    [
      'masks a secret that contains another secret completely',
      'x abcdef-g y',
      ['abcdef', 'abcdef-g'],
      'x *** y',
    ],
    ['masks a secret after an escape sequence', 'x\\ns3cret%20s3cret', ['s3cret'], 'x\\n***%20***'],
    [
      'masks a secret after a backslash that is not an escape',
      'x \\§3cret y',
      ['§3cret'],
      'x \\*** y',
    ],
    ['ignores an empty secret', 'abc', [''], 'abc'],
    ['shows a secret of only four characters', 'a acme b', ['acme'], 'a acme b'],
    [
      'shows a secret of eleven characters within a word',
      'xabcdefghijkx',
      ['abcdefghijk'],
      'xabcdefghijkx',
    ],
    [
      'masks a secret of twelve characters within a word',
      'xabcdefghijk1x',
      ['abcdefghijk1'],
      'x***x',
    ],
    [
      'shows a secret of eleven characters with a digit within a word',
      'xabcdefghij1x',
      ['abcdefghij1'],
      'xabcdefghij1x',
    ],
    ['shows a short secret at the start of a word', 'a s3cretx b', ['s3cret'], 'a s3cretx b'],
    ['shows a short secret at the end of a word', 'a xs3cret b', ['s3cret'], 'a xs3cret b'],
    [
      'masks a form-encoded secret with unencoded non-ASCII characters',
      'x añb+cdef y',
      ['añb cdef'],
      'x *** y',
    ],
    ['masks a secret with \\x escapes in a script', 'x aaaa\\x22b\\x3c y', ['aaaa"b<'], 'x *** y'],
    [
      'masks a secret next to an invalid HTML character reference',
      '&#9999999; s3cret',
      ['s3cret'],
      '&#9999999; ***',
    ],
    [
      'masks a secret with the last Unicode character in HTML',
      'x aaaa&#1114111;b y',
      ['aaaa\u{10ffff}b'],
      'x *** y',
    ],
    ['masks a secret in Base64 without padding', 'x fn5+czNjPw y', ['~~~s3c?'], 'x *** y'],
    ['masks a secret in Base64 with padding', 'x fn5+czNjPw== y', ['~~~s3c?'], 'x *** y'],
    [
      'masks a secret next to letters whose lowercase form is longer',
      'İ S3CRET b',
      ['s3cret'],
      'İ *** b',
    ],
    ['masks a secret with an unpaired surrogate', 'x a\ud800bcde y', ['a\ud800bcde'], 'x *** y'],
  ])('maskSecrets() %s', (_name, text, secrets, clean) => {
    expect(maskSecrets(text, secrets)).toBe(clean);
  });
});

describe('showText()', () => {
  it('showText() masks a secret before truncating the text', () => {
    expect(showText(`${'x'.repeat(7)} s3cret`, ['s3cret'], 10)).toBe('xxxxxxx **…');
  });

  it('showText() truncates only a line that exceeds the maximum length', () => {
    expect(showText('x'.repeat(10), [], 10)).toBe('x'.repeat(10));
    expect(showText('x'.repeat(11), [], 10)).toBe(`${'x'.repeat(10)}…`);
  });

  it.each([
    ['if the secret is complete', 77, '***'],
    ['if the text was truncated within the secret', 221, '…'],
  ])('hides a secret after many spaces %s', (_where, spaces, shown) => {
    expect(showText(`${' '.repeat(spaces)}s3cret`, ['s3cret'], 10)).toBe(shown);
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
  it.each([
    [
      'keeps a value that contains a short secret',
      'bad_verification_code',
      ['verify', 'verification'.slice(0, 7)],
      'bad_verification_code',
    ],
    ['keeps a plain word, even if the word is a password', 'password', ['password'], 'password'],
    ['masks a value that equals a secret', 's3cret-1', ['s3cret-1'], '***'],
    ['masks a long secret within a value', 'x_0123456789abcdef', ['0123456789abcdef'], 'x_***'],
    ['masks a value with spaces like text', 'no s3cret here', ['s3cret'], 'no *** here'],
  ])('maskWholeWord() %s', (_name, word, secrets, clean) => {
    expect(maskWholeWord(word, secrets)).toBe(clean);
  });

  it('showWord() truncates a value after 100 characters', () => {
    // The word contains a secret, but the secret is too short to be masked within a word.
    const word = `${'a'.repeat(93)}-s3cret`;
    expect(showWord(word, ['s3cret'])).toBe(word);
    expect(showWord(`${word}aa`, [])).toBe(`${word}…`);
    expect(showWord('no s3cret', ['s3cret'])).toBe('no ***');
  });

  it('maskBody() does not mask the value of a code field', () => {
    const body = {
      message: 's3cret-x',
      code: 's3cret-x',
      error: { message: 's3cret-x', 's3cret-y': 's3cret' },
      list: ['s3cret-x', 1, null],
    };
    expect(maskBody(body, ['s3cret', 's3cret-y'])).toEqual({
      message: '***-x',
      code: 's3cret-x',
      error: { message: '***-x', '***': '***' },
      list: ['***-x', 1, null],
    });
  });

  it('maskBody() omits values below the maximum depth', () => {
    let body: unknown = 's3cret';
    for (let depth = 0; depth < 1000; depth++) body = depth % 2 ? [body] : { a: body };
    const text = JSON.stringify(maskBody(body, ['s3cret']));
    expect(text).toContain('"…"');
    expect(text.length).toBeLessThan(600);
  });
});

describe('maskSecrets() for non-ASCII secrets', () => {
  it.each([
    ['in its original form', 'İstanbul-34', 'x İstanbul-34 y', 'x *** y'],
    ['in lower case', 'İstanbul-34', `x ${'İstanbul-34'.toLowerCase()} y`, 'x *** y'],
    ['in upper case', 'straße-of-34', `x ${'straße-of-34'.toUpperCase()} y`, 'x *** y'],
    ['in lower case as a Turkish server sends it', 'İSTANBUL-34', 'x istanbul-34 y', 'x *** y'],
    ['next to letters whose length changes', 'geheim-ÄÖ', 'İ geheim-ÄÖ İ', 'İ *** İ'],
    ['in upper case next to letters whose length changes', 'geheim-äö', 'İ GEHEIM-ÄÖ ß', 'İ *** ß'],
    ['at the end of a Greek word', 'ΟΔΥΣΣΕΥΣ-1', 'x οδυσσευς-1 y', 'x *** y'],
    ['in percent-encoding', 'İstanbul-34', `x ${encodeURIComponent('İstanbul-34')} y`, 'x *** y'],
    [
      'in lower case and percent-encoding',
      'ÄÖÜ-schlüssel',
      `x ${encodeURIComponent('äöü-schlüssel')} y`,
      'x *** y',
    ],
    ['in JSON', 'İstanbul-34', 'x \\u0130stanbul-34 y', 'x *** y'],
    ['of combining dots only in text with combining dots', '\u0307'.repeat(5), 'x y', 'x y'],
  ])('masks a non-ASCII secret %s', (_where, secret, text, clean) => {
    expect(maskSecrets(text, [secret])).toBe(clean);
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
