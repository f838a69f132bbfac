import fc from 'fast-check';
import { it } from 'vitest';
import { maskSecrets, maskStart, revealsSecret } from '../../src/masks/secrets.js';
import { numRuns } from '../support/extent.js';

/** Secrets that are long enough to be masked even within a word and that aren't part of the mask. */
const secret = fc
  .string({ minLength: 12, maxLength: 16, unit: 'binary' })
  .filter((text) => !text.includes('*'))
  .map((text) => `9${text}`);
const around = fc.string({ unit: 'binary' });

const lower = (encoded: string) => encoded.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase());
const html = (text: string, code: (point: number) => string) =>
  text.replace(/[&<>"']/g, (each) => code(each.charCodeAt(0)));
const writers: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => lower(encodeURIComponent(text)),
  encodeURI,
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => new URL(`https://a.example/?x=${encodeURIComponent(text)}`).search.slice(3),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (text) => html(text, (point) => `&#${point};`),
  (text) => html(text, (point) => `&#x${point.toString(16)};`),
  (text) =>
    html(
      text,
      (point) => ({ 38: '&amp;', 60: '&lt;', 62: '&gt;', 34: '&quot;' })[point] ?? '&#39;',
    ),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
];
const written = fc
  .tuple(secret, fc.constantFrom(...writers))
  .map(([text, write]) => [text, write(text.toWellFormed())] as const);

it('maskSecrets() removes every written form of every secret', () => {
  fc.assert(
    fc.property(written, written, around, around, ([one, first], [two, second], before, after) => {
      const text = `${before}${first}${after}${second}${before}`;
      const clean = maskSecrets(text, [one.toWellFormed(), two.toWellFormed()]);
      return !clean.includes(first) && !clean.includes(second);
    }),
    { numRuns },
  );
});

it('maskStart() never shows the start of a secret that it cuts', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{3}\d{12}$/),
      fc.nat(200),
      fc.nat(50),
      (text, at, more) => {
        const shown = maskStart(`${' '.repeat(at)}${text}${' '.repeat(1000)}`, [text], at + more);
        return !/[a-z]/.test(shown);
      },
    ),
    { numRuns },
  );
});

it('revealsSecret() finds a secret in a URL and in a percent-encoded URL', () => {
  fc.assert(
    fc.property(secret, fc.boolean(), (text, isNested) => {
      const url = `https://a.example/?x=${encodeURIComponent(text.toWellFormed())}`;
      const target = isNested ? `https://b.example/?to=${encodeURIComponent(url)}` : url;
      return revealsSecret(target, [text.toWellFormed()]);
    }),
    { numRuns },
  );
});
