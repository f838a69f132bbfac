import { describe, expect, it } from 'vitest';
import {
  maskBody,
  maskSecrets,
  maskUrl,
  maskWholeWord,
  showHeaders,
  showText,
  showUrl,
  showWord,
  stripParameters,
} from '../../../../src/transport/http/redact.js';

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
});

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
      'masks a secret after a backslash that escapes nothing',
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
  ])('%s', (_name, text, secrets, clean) => {
    expect(maskSecrets(text, secrets)).toBe(clean);
  });

  it('showText() masks a secret before truncating the text', () => {
    expect(showText(`${'x'.repeat(7)} s3cret`, ['s3cret'], 10)).toBe('xxxxxxx **…');
  });
});

describe('showText()', () => {
  it('truncates only a line that exceeds the maximum length', () => {
    expect(showText('x'.repeat(10), [], 10)).toBe('x'.repeat(10));
    expect(showText('x'.repeat(11), [], 10)).toBe(`${'x'.repeat(10)}…`);
  });

  it.each([
    ['if the secret is complete', 77, '***'],
    ['if the text was truncated within the secret', 221, '…'],
  ])('hides a secret after many spaces %s', (_where, spaces, shown) => {
    expect(showText(`${' '.repeat(spaces)}s3cret`, ['s3cret'], 10)).toBe(shown);
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

it('showHeaders() masks all headers except those known to be harmless', () => {
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
  ])('converts %j to %j', (url, stripped) => {
    expect(stripParameters(url, names)).toBe(stripped);
  });

  it('removes a parameter whose name is not valid percent-encoding', () => {
    expect(stripParameters('/a?%zz=x&b=1', new Set(['%zz']))).toBe('/a?b=1');
  });

  it('removes nothing if no names are passed', () => {
    expect(stripParameters('/a?access_token=x', new Set())).toBe('/a?access_token=x');
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

  it('maskBody() keeps a value in the code field', () => {
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

describe('showUrl() with secrets', () => {
  it('shows plain words even if they are secrets', () => {
    const secrets = ['acme', 'rocket', 'https', 'p', 'code', 'example'];
    const url = 'https://code.example.com/repos/acme/rocket?state=rocket';
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
    ['https://S3CRET-9.example.test:8080', 'https://***.example.test:8080'],
    ['https://a.b/s3cret-9?page=s3cret-9', 'https://a.b/***?page=***'],
    ['https://x0123456789abcdefx.test', 'https://x***x.test'],
    ['https://acme.rockets.test/', 'https://acme.rockets.test/'],
    ['https://127.0.0.1:43215/x', 'https://127.0.0.1:43215/x'],
    ['http://[::1]:80?page=1', 'http://[::1]:80?page=1'],
  ])('shows %s as %s', (url, shown) => {
    const secrets = ['s3cret-9', '0123456789abcdef', 'rockets', '43215'];
    expect(showUrl(url, secrets)).toBe(shown);
    expect(maskUrl(url, secrets)).toBe(shown);
  });

  it('percent-encodes control characters', () => {
    expect(showUrl('https://a.b/\u009b2J\u001b[1m x', [])).toBe('https://a.b/%C2%9B2J%1B[1m%20x');
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
  ])('masks a secret %s', (_where, secret, text, clean) => {
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
