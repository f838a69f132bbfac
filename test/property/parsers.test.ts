import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTriforgeError } from '../../src/errors/index.js';
import { parseHttpDate, parseReset, parseRetryAfter } from '../../src/transport/http/headers.js';
import { parseEssence } from '../../src/transport/http/media-type.js';
import { checkPathValue, splitPathSegments } from '../../src/transport/request/input.js';
import { compileTemplate } from '../../src/transport/request/uri-template.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };
const anyText = fc.string({ unit: 'binary', maxLength: 200 });

/** Runs a function that may throw only errors from this package. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (isTriforgeError(error)) return undefined;
    throw error;
  }
}

describe('date parsers', () => {
  test('the HTTP date parsers never throw', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        parseHttpDate(text);
        parseRetryAfter({ 'retry-after': text, date: text }, 0);
        parseReset({ 'x-ratelimit-reset': text });
      }),
      runs,
    );
  });

  test('parseHttpDate() parses every date from 1970 to 9999 that toUTCString() formats', () => {
    const date = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (value) => {
        const second = Math.floor(value.getTime() / 1000) * 1000;
        expect(parseHttpDate(value.toUTCString())).toBe(second);
      }),
      runs,
    );
  });
});

test('parseEssence() never throws and returns lowercase text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(parseEssence(text)).toBe(parseEssence(text).toLowerCase());
    }),
    runs,
  );
});

describe('compileTemplate()', () => {
  test('a template encodes path values that decode to the original segments', () => {
    const template = compileTemplate('/repos/{owner}/contents{/path*}');
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string()), fc.oneof(anyText, fc.string()), (owner, path) => {
        const expanded = attempt(() =>
          template.expand({
            owner: checkPathValue('owner', owner),
            path: splitPathSegments('path', path, { allowEmpty: true }),
          }),
        );
        if (expanded === undefined) return;
        const url = new URL(expanded, 'http://host');
        const [, , first, contents, ...rest] = url.pathname.split('/');
        expect(decodeURIComponent(first ?? '')).toBe(owner);
        expect(contents).toBe('contents');
        expect(rest.map(decodeURIComponent).join('/')).toBe(path);
        expect(url.search + url.hash).toBe('');
      }),
      runs,
    );
  });

  test('compileTemplate() throws only triforge errors for any template and value', () => {
    const value = fc.oneof(
      anyText,
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.array(anyText),
      fc.object(),
    );
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.stringMatching(/^\{[+#./;?&]?x(:\d|\*)?\}$/)),
        value,
        (template, x) => {
          attempt(() => compileTemplate(template).expand({ x }));
        },
      ),
      runs,
    );
  });
});
