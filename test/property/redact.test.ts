import fc from 'fast-check';
import { it } from 'vitest';
import { showText, showUrl, stripParameters } from '../../src/transport/http/redact.js';
import { numRuns } from '../support/extent.js';

/** Secrets that are long enough to be masked even within a word and that aren't part of the mask. */
const secret = fc
  .string({ minLength: 12, maxLength: 16, unit: 'binary' })
  .filter((text) => !text.includes('*'))
  .map((text) => `9${text}`);

it('showUrl() removes a secret from every part of a URL', () => {
  fc.assert(
    fc.property(secret, fc.webUrl(), fc.nat(4), (text, url, place) => {
      const encoded = encodeURIComponent(text.toWellFormed());
      const shown = showUrl(
        [
          `${url}/${encoded}/x`,
          `${url}?page=${encoded}`,
          `${url}?x=${encoded}`,
          `${url}#${encoded}`,
          `https://u:${encoded}@a.example/`,
        ][place] ?? '',
        [text.toWellFormed()],
      );
      return !shown.includes(encoded);
    }),
    { numRuns },
  );
});

it('showText() returns a single line of at most 301 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      const shown = showText(text, []);
      return shown.length <= 301 && !/[\p{Cc}\u2028\u2029]/u.test(shown);
    }),
    { numRuns },
  );
});

it('stripParameters() removes exactly the named parameters', () => {
  const pairs = fc.array(
    fc.tuple(fc.constantFrom('a', 'b', 'token'), fc.stringMatching(/^[a-z]*$/)),
  );
  fc.assert(
    fc.property(pairs, (given) => {
      const write = (each: readonly (readonly [string, string])[]) =>
        each.length === 0
          ? '/p'
          : `/p?${each.map(([name, value]) => `${name}=${value}`).join('&')}`;
      const stripped = stripParameters(write(given), new Set(['token']));
      return stripped === write(given.filter(([name]) => name !== 'token'));
    }),
    { numRuns },
  );
});
