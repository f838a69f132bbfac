import { describe, expect, it } from 'vitest';
import { containsSecret } from '../../../src/masks/nested-secrets.js';
import { createMasks, mask, maskText } from '../../../src/masks/secret-masks.js';

const secret = 'ünïcode-😀/pässwört=9';
const percent = encodeURIComponent;
const units = (text: string, write: (unit: number) => string) =>
  text.replace(/[^a-z\d]/g, (unit) => write(unit.charCodeAt(0)));
const points = (text: string, write: (point: number) => string) =>
  text.replace(/[^a-z\d]/gu, (point) => write(point.codePointAt(0) ?? 0));
const hex4 = (unit: number) => unit.toString(16).padStart(4, '0');
const json = (text: string) => units(text, (unit) => `\\u${hex4(unit)}`);
const html = (text: string) => points(text, (point) => `&#${point};`);

function masked(text: string, ...secrets: string[]): string {
  const masks = createMasks(secrets);
  return masks ? maskText(text, masks) : text;
}

/** A secret in the encodings that SECURITY.md lists, alone and mixed. */
const encoded: Readonly<Record<string, string>> = {
  unencoded: secret,
  'percent-encoded': percent(secret),
  'percent-encoded twice': percent(percent(secret)),
  'percent-encoded three times': percent(percent(percent(secret))),
  'percent-encoded in lowercase': percent(secret).toLowerCase(),
  'percent-encoded, except its non-ASCII characters': secret
    .replace('/', '%2F')
    .replace('=', '%3D'),
  'percent-encoded by JavaScript escape()': units(secret, (unit) =>
    unit > 0xff ? `%u${hex4(unit)}` : `%${unit.toString(16).padStart(2, '0')}`,
  ),
  'with JSON escapes': json(secret),
  'with JavaScript code point escapes': points(secret, (point) => `\\u{${point.toString(16)}}`),
  'with escapes for its UTF-8 octets': secret.replace(/[^a-z\d]/gu, (point) =>
    [...Buffer.from(point)].map((octet) => `\\x${octet.toString(16)}`).join(''),
  ),
  'with JSON escapes in JSON': JSON.stringify(json(secret)).slice(1, -1),
  'with JSON escapes, percent-encoded twice': percent(percent(json(secret))),
  'with decimal HTML references': html(secret),
  'with hexadecimal HTML references': points(secret, (point) => `&#x${point.toString(16)};`),
  'with HTML references and leading zeros': points(
    secret,
    (point) => `&#${String(point).padStart(12, '0')};`,
  ),
  'with HTML references to surrogates': units(secret, (unit) => `&#${unit};`),
  'with HTML references without semicolons':
    '&#252n&#239code&#45&#128512&#47p&#228ssw&#246rt&#61;9',
  'with named HTML references': '&uuml;n&iuml;code&hyphen;😀&sol;p&auml;ssw&ouml;rt&equals;9',
  'with named HTML references in uppercase': '&Uuml;N&Iuml;CODE-😀&sol;P&Auml;SSW&Ouml;RT&equals;9',
  'with named HTML references without semicolons': '&uumln&iumlcode-😀/p&aumlssw&oumlrt=9',
  'with HTML references in HTML': html(secret).replaceAll('&', '&amp;'),
  'with HTML references, percent-encoded': percent(html(secret)),
  'percent-encoded, with HTML references': percent(secret).replaceAll('%', '&percnt;'),
  'with mixed HTML and percent-encoding': '&#252;n%C3%AFcode-😀&sol;p&auml;ssw%C3%B6rt%3D9',
  'with mixed JSON and percent-encoding': '\\u00fcn%C3%AFcode-\\ud83d\\ude00%2Fpässw\\u00f6rt%3D9',
  'with three mixed encodings': '&#252;n%C3%AFcode-\\ud83d\\ude00&#47;p%C3%A4ssw\\u00f6rt&#x3d;9',
  'with mixed Latin-1 and UTF-8 percent-encoding': '%FCn%C3%AFcode-😀/p%E4ssw%C3%B6rt=9',
  'with surrogates in different encodings': 'ünïcode-\\ud83d%ude00/pässwört=9',
  'with surrogates as octets (CESU-8)': percent(secret).replace(
    '%F0%9F%98%80',
    '%ED%A0%BD%ED%B8%80',
  ),
  'with overlong UTF-8': percent(secret).replace('%2F', '%C0%AF').replace('%3D', '%E0%80%BD'),
  'as UTF-8 that was read as Latin-1': Buffer.from(secret).toString('latin1'),
  'as UTF-8 that was read as Latin-1, percent-encoded': percent(
    Buffer.from(secret).toString('latin1'),
  ),
  'in Base64': Buffer.from(secret).toString('base64'),
  'in Base64url': Buffer.from(secret).toString('base64url'),
  'in Base64, percent-encoded': percent(Buffer.from(secret).toString('base64')),
  'in the Base64 of a longer string, at the first alignment': Buffer.from(
    `abc${secret}de`,
  ).toString('base64'),
  'in the Base64 of a longer string, at the second alignment': Buffer.from(
    `abcd${secret}e`,
  ).toString('base64'),
  'in the Base64url of a longer string, at the third alignment': Buffer.from(
    `ab${secret}`,
  ).toString('base64url'),
  'in hex': Buffer.from(secret).toString('hex'),
  "in a longer string's uppercase hex": Buffer.from(`ab${secret}`).toString('hex').toUpperCase(),
  'decomposed (NFD)': secret.normalize('NFD'),
  'decomposed, percent-encoded': percent(secret.normalize('NFD')),
};

describe('maskText()', () => {
  it.each(Object.entries(encoded))('maskText() masks a secret that appears %s', (_how, text) => {
    const clean = masked(`x ${text} y`, secret);
    expect(clean).toMatch(/^x .{0,6}\*\*\*.{0,6} y$/);
    expect(clean.length).toBeLessThan(18);
  });

  it.each([
    ["JavaScript's escape()", 'M%DC%A7li-geheim', 'MÜ§li-geheim'],
    ["JavaScript's Latin-1 escapes", 'M\\xdc\\xa7li-geheim', 'MÜ§li-geheim'],
    ['percent-encoding of only some characters', 'M%4c%C3%9CÜ§i%20geheim', 'MLÜÜ§i geheim'],
    ['escape() and percent-encoding', 'M%25DC%25A7li-geheim', 'MÜ§li-geheim'],
    ['escape() and HTML', 'M&percnt;DC&percnt;A7li-geheim', 'MÜ§li-geheim'],
  ])(
    'maskText() masks a secret that is encoded with %s and whose Latin-1 bytes resemble UTF-8',
    (_how, text, odd) => {
      expect(masked(`x ${text} y`, odd)).toBe('x *** y');
    },
  );

  it('maskText() masks a secret whose UTF-8 bytes appear as named HTML references to Latin-1 characters', () => {
    const text = 'k&Atilde;&frac14;rzel-&Aring;&sup1;-&ETH;&#x9f;-9';
    expect(masked(`x ${text} y`, 'kürzel-Ź-П-9')).toBe('x *** y');
  });

  it('maskText() masks a secret in a JavaScript escape with leading zeros', () => {
    expect(masked('x s3cret\\u{000000002d}9abc y', 's3cret-9abc')).toBe('x *** y');
  });

  it('maskText() masks the NFC form of a secret that was passed in NFD form', () => {
    expect(masked(`x ${secret} y`, secret.normalize('NFD'))).toBe(`x ${mask} y`);
  });

  it('maskText() masks a secret in a Punycode host', () => {
    const host = new URL('https://kennwört-für-9.example.test').host;
    expect(host).toContain('xn--');
    expect(masked(`getaddrinfo ENOTFOUND ${host}`, 'kennwört-für-9')).toBe(
      'getaddrinfo ENOTFOUND ***.example.test',
    );
  });

  it('maskText() masks a secret in nested encodings within a long string', () => {
    const filler = '%C3%BC &uuml; '.repeat(1000);
    for (const form of [percent(json(secret)), encoded['with mixed HTML and percent-encoding']]) {
      expect(masked(`${filler}${form} ${filler}`, secret)).toBe(`${filler}*** ${filler}`);
    }
  });

  it('maskText() masks only the secret if encoded characters surround it', () => {
    expect(masked('%C3%BC&#252;&uuml;\\u00fc s3cret-😀 %C3%BC&uuml;', 's3cret-😀')).toBe(
      '%C3%BC&#252;&uuml;\\u00fc *** %C3%BC&uuml;',
    );
    expect(masked('ß%C3%9F&szlig;s3cr%65t-9&szlig;ß%C3%9F', 's3cret-9')).toBe(
      'ß%C3%9F&szlig;***&szlig;ß%C3%9F',
    );
  });

  it('maskText() masks a secret that itself looks encoded', () => {
    for (const odd of ['a&lt;b%41c\\n-9', '100%41+&copy=\\u0041', '&#65&#66%u0041xn--a']) {
      const forms = [
        odd,
        percent(odd),
        new URLSearchParams({ '': odd }).toString().slice(1),
        JSON.stringify(odd).slice(1, -1),
        odd.replaceAll('&', '&amp;'),
        percent(JSON.stringify(odd).slice(1, -1)),
      ];
      for (const form of forms) expect(masked(`x ${form} y`, odd), form).toBe('x *** y');
    }
  });

  it.each([
    ['percent-encoding and JSON', 'a%41\\nb-99&lt', '%61\\u0025\\x341%5Cn\\u0062-99&lt'],
    ['percent-encoding and HTML', 'a%41&lt\\n-9', '%61&percnt;41%26lt\\n&#45;9'],
    ['JSON and HTML', 'a\\n&lt%41b-9', '&#97;\\\\n\\u0026l&#116;%41b-9'],
    ['a form and HTML', 'a b%41&lt\\n-9', 'a+b%2541&amp;lt\\n&#45;9'],
    ['a form and JSON', 'a b%41&lt\\n-9', 'a+\\u0062%2541&lt%5Cn\\x2d9'],
    ['three encodings', 'a%41\\n&lt-99', '%61&#37;41\\u005cn%26lt\\x2d99'],
  ])('maskText() masks an encoded-looking secret in a mix of %s', (_how, odd, text) => {
    expect(masked(`x ${text} y`, odd)).toBe('x *** y');
    expect(containsSecret(`?a=${text}&b`, [odd])).toBe(true);
  });

  it('maskText() masks a secret that contains a backslash in text with JSON escapes', () => {
    expect(masked('x \\u0063orp\\Bob-Night\\u002d9 y', 'corp\\Bob-Night-9')).toBe('x *** y');
  });

  it('maskText() masks an encoded-looking secret in mixed encodings that were encoded again', () => {
    const [odd, mix] = ['a%41&lt\\n-9', '%61&percnt;41%26lt\\n&#45;9'];
    for (const text of [percent(mix), JSON.stringify(mix), mix.replaceAll('&', '&amp;')]) {
      expect(masked(text, odd)).toMatch(/^"?\*\*\*"?$/);
    }
    const twice = '%2561%26percnt;%32541%2526lt\\n%26#45;9';
    expect(masked(twice, odd)).toBe('***');
  });
});

describe('containsSecret()', () => {
  it.each(Object.entries(encoded))(
    'containsSecret() finds a secret that appears %s',
    (_how, text) => {
      expect(containsSecret(`https://a.test/?x=${text}`, [secret])).toBe(true);
    },
  );

  it('containsSecret() finds a secret in a Punycode host', () => {
    expect(containsSecret(new URL('https://kennwört-für-9.test').href, ['kennwört-für-9'])).toBe(
      true,
    );
  });

  it('containsSecret() finds a secret in mixed encodings inside JSON, Base64 and HTML', () => {
    const inner = JSON.stringify({ a: encoded['with three mixed encodings'] });
    const nested = html(`{"state":"${Buffer.from(inner).toString('base64url')}"}`);
    expect(containsSecret(`https://a.test/?x=${percent(nested)}`, [secret])).toBe(true);
  });
});

describe('the HTML decoder', () => {
  const names: readonly (readonly [names: string, characters: string])[] = [
    [
      'Tab NewLine excl quot num dollar percnt amp apos lpar rpar ast plus comma period sol colon semi lt equals gt quest commat lsqb bsol rsqb Hat lowbar grave lcub verbar rcub',
      '\t\n!"#$%&\'()*+,./:;<=>?@[\\]^_`{|}',
    ],
    ['lbrack rbrack lbrace rbrace vert midast UnderBar VerticalLine', '[]{}|*_|'],
    [
      'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest',
      '\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿',
    ],
    [
      'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml times oslash ugrave uacute ucirc uuml yacute thorn szlig divide yuml',
      'àáâãäåæçèéêëìíîïðñòóôõö×øùúûüýþß÷ÿ',
    ],
    ['Ouml ETH Oslash THORN Ccaron Omega YAcy', 'ÖÐØÞČΩЯ'],
    ['lstrok scedil ccaron imath Idot zcaron odblac', 'łşčıİžő'],
    ['alpha omega Sigma sigmaf', 'αωΣς'],
    [
      'thetasym upsih straightphi phiv varpi digamma gammad kappav varrho epsiv bepsi',
      'ϑϒϕϕϖϝϝϰϱϵ϶',
    ],
    ['euro ndash mdash lsquo rsquo ldquo rdquo hellip bull trade hyphen dash', '€–—‘’“”…•™--'],
  ];

  it.each(names)('the HTML decoder decodes the HTML references %s', (list, characters) => {
    const all = list.split(' ');
    expect(all).toHaveLength([...characters].length);
    for (const [index, character] of [...characters].entries()) {
      const text = `x seven-${'&'}${all[index]};-seven y`;
      expect(masked(text, `seven-${character}-seven`), all[index]).toBe('x *** y');
    }
  });

  it('the HTML decoder decodes an HTML reference that represents two letters', () => {
    expect(masked('x seven-&fjlig;ord-9 y', 'seven-fjord-9')).toBe('x *** y');
  });

  it('the HTML decoder decodes an HTML reference without a semicolon only if HTML allows it', () => {
    expect(masked('x seven&amp-seven y', 'seven&-seven')).toBe('x *** y');
    expect(masked('x seven&sol-seven y', 'seven/-seven')).toBe('x seven&sol-seven y');
  });
});
