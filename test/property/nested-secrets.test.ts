import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsSecret } from '../../src/masks/nested-secrets.js';
import { createMasks, mask, maskText } from '../../src/masks/secret-masks.js';
import { numRuns } from '../support/extent.js';

const octets = (text: string) => [...Buffer.from(text)];

/** Encodings that servers use for text inside other text. */
const ways: Readonly<Record<string, (text: string) => string>> = {
  percent: encodeURIComponent,
  'each octet percent-encoded': (text) =>
    octets(text)
      .map((each) => `%${each.toString(16).padStart(2, '0')}`)
      .join(''),
  form: (text) => new URLSearchParams({ rd: text }).toString(),
  JSON: (text) => JSON.stringify({ url: text }),
  'JSON escapes': (text) =>
    text.replace(/[\s\S]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`),
  HTML: (text) => text.replace(/[&<>"']/g, (each) => `&#x${each.charCodeAt(0).toString(16)};`),
  'named HTML': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  Base64: (text) => Buffer.from(text).toString('base64'),
  Base64URL: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
};

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const units = (text: string, write: (unit: number) => string) =>
  text.replace(/[\s\S]/g, (unit) => write(unit.charCodeAt(0)));
const names: Readonly<Record<string, string>> = {
  ä: 'auml',
  ß: 'szlig',
  '/': 'sol',
  '=': 'equals',
};

/** Encodings that servers use for one character. */
const signs: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) =>
    octets(character)
      .map((octet) => `%${hex(octet, 2)}`)
      .join(''),
  (character) => units(character, (unit) => `%u${hex(unit, 4)}`),
  (character) => units(character, (unit) => `\\u${hex(unit, 4)}`),
  (character) =>
    octets(character)
      .map((octet) => `\\x${hex(octet, 2)}`)
      .join(''),
  (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  (character) => `&#${character.codePointAt(0)};`,
  (character) => units(character, (unit) => `&#x${hex(unit, 4)};`),
  (character) => (names[character] ? `&${names[character]};` : character),
  (character) => (character === ' ' ? '+' : character),
];

/** Groups of `signs`, each with the special character that its encodings must escape. */
const mixable = [
  { special: '%', writes: signs.slice(1, 3) },
  { special: '\\', writes: signs.slice(3, 6) },
  { special: '&', writes: signs.slice(6, 8) },
];

const way = fc.constantFrom(...Object.keys(ways));
/** Secrets that are too long to occur in random text. */
const secret = fc.stringMatching(/^[a-z0-9][A-Za-z0-9+/=_.~ "'<&%\\äßł😀-]{12,40}[a-z0-9]$/u);
const around = fc.stringMatching(/^[a-z0-9/?=&:]{0,12}$/);

describe('containsSecret()', () => {
  it('containsSecret() finds a secret in nested encodings', () => {
    fc.assert(
      fc.property(
        secret,
        around,
        around,
        fc.array(way, { maxLength: 3 }),
        (text, before, after, layers) => {
          // The surrounding delimiters keep the secret a separate word in each layer.
          const nested = layers.reduce(
            (inner, layer) => `${before}/?=${ways[layer]?.(inner)}&${after}`,
            `?a=${text}&b`,
          );
          expect(containsSecret(nested, [text])).toBe(true);
        },
      ),
      { numRuns },
    );
  });

  it('containsSecret() finds a secret whose characters use different encodings', () => {
    const character = fc.constantFrom(...('aB7 /="<.:-äßéłİ€Ω文😀'.match(/./gu) ?? []));
    const encoded = fc.array(fc.tuple(character, fc.constantFrom(...signs)), {
      minLength: 12,
      maxLength: 24,
    });
    fc.assert(
      fc.property(encoded, (characters) => {
        const plain = characters.map(([each]) => each).join('');
        const text = characters.map(([each, write]) => write(each)).join('');
        const masks = createMasks([plain]);
        expect(containsSecret(`?a=${text}&b`, [plain])).toBe(true);
        expect(masks && maskText(`[${text}]`, masks)).toBe(`[${mask}]`);
      }),
      { numRuns },
    );
  });

  it('containsSecret() finds a secret with escape sequences in any mix of encodings', () => {
    const parts = [
      '%99',
      '%41',
      '\\',
      '\\n',
      '\\x41',
      '&amp;',
      '&lt',
      '&#65',
      '+',
      'a',
      '7',
      'ü',
      '-',
    ];
    const mix = fc.record({
      secret: fc.array(fc.constantFrom(...parts), { minLength: 13, maxLength: 20 }),
      kinds: fc.subarray(mixable, { minLength: 2 }),
      choices: fc.infiniteStream(fc.nat()),
    });
    fc.assert(
      fc.property(mix, ({ secret: some, kinds, choices }) => {
        const plain = some.join('');
        const text = plain.replace(/./gu, (character) => {
          const [choice = 0, kind = 0, way = 0] = choices.take(3);
          const mustEncode = kinds.some(({ special }) => special === character);
          const writes = kinds[kind % kinds.length]?.writes ?? [];
          const write = writes[way % writes.length];
          return write && (mustEncode || choice % 2 > 0) ? write(character) : character;
        });
        const masks = createMasks([plain]);
        expect(containsSecret(`?a=${text}&b`, [plain])).toBe(true);
        expect(masks && maskText(`[${text}]`, masks)).toBe(`[${mask}]`);
      }),
      { numRuns },
    );
  });

  it('containsSecret() returns false for signed URLs without the secret', () => {
    const signed = fc
      .tuple(
        fc.webUrl({ withQueryParameters: true }),
        fc.base64String({ minLength: 40, maxLength: 400 }),
        fc.uuid(),
      )
      .map(
        ([url, signature, id]) => `${url}${url.includes('?') ? '&' : '?'}s=${signature}&i=${id}`,
      );
    fc.assert(
      fc.property(signed, fc.uuid(), (url, token) => {
        expect(containsSecret(url, [token, 'ghp_0123456789abcdefghij'])).toBe(false);
      }),
      { numRuns },
    );
  });

  it('containsSecret() returns a boolean for up to 16,000 characters that look encoded', () => {
    const parts = ['%25', '%', '+', '&amp;', '\\u0025', 'QUJD', '4142', '/', '=', '%u0041', 'a'];
    const text = fc
      .array(fc.constantFrom(...parts), { minLength: 1000, maxLength: 4000 })
      .map((each) => each.join('').slice(0, 16_000));
    fc.assert(
      fc.property(text, (each) => {
        expect(typeof containsSecret(each, ['0123456789abcdef'])).toBe('boolean');
      }),
      { numRuns: Math.min(numRuns, 20) },
    );
  }, 60_000);
});
