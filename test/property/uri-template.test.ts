import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidRequestError } from '../../src/errors/index.js';
import { checkPathValue, splitPathSegments } from '../../src/transport/request/input.js';
import { compileTemplate, expandUrlTemplate } from '../../src/transport/request/uri-template.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };
/** Any text that can be encoded as UTF-8. */
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string());
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/);
const operator = fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&');

/** Characters allowed in a URL (RFC 3986, appendix A). */
const url = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;

const expression = fc
  .tuple(
    operator,
    fc.array(fc.tuple(name, fc.constantFrom('', '*', ':1', ':3')), { minLength: 1, maxLength: 4 }),
  )
  .map(([sign, variables]) => `{${sign}${variables.map((each) => each.join('')).join(',')}}`);
const template = fc
  .array(
    fc.oneof(
      expression,
      text.map((each) => each.replace(/[{}]/g, '')),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constantFrom(null, undefined));
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(text, scalar, { maxKeys: 4 }),
);

/** Text with an unpaired surrogate. */
const halved = fc
  .tuple(text, fc.integer({ min: 0xd800, max: 0xdfff }), text)
  .map(([before, unit, after]) => `${before}\0${String.fromCharCode(unit)}\0${after}`);

describe('valid URI templates', () => {
  test('URI templates expand to URL characters or cause an error that names a variable', () => {
    fc.assert(
      fc.property(template, fc.dictionary(name, value), (each, values) => {
        const compiled = compileTemplate(each);
        try {
          expect(compiled.expand(values)).toMatch(url);
        } catch (error) {
          if (!(error instanceof InvalidRequestError)) throw error;
          // The only possible error is a prefix modifier on a list or object.
          expect(compiled.variables.map((variable) => variable.name)).toContain(error.field);
          expect(each).toContain(`${error.field}:`);
        }
      }),
      runs,
    );
  });
});

test('expandUrlTemplate() expands any template with any value or rejects one of them', () => {
  const braces = fc.string({
    unit: fc.constantFrom('{', '}', 'a', '.', '%', '4', ',', ':', '*', '?', '+', '(', ')', ' '),
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.oneof(braces, text, halved), value, (each, a) => {
      try {
        expect(expandUrlTemplate(each, { a })).toMatch(url);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidRequestError);
        // A prefix modifier doesn't apply to lists and objects.
        const isPrefix = each.includes('a:') && typeof a === 'object';
        const field = isPrefix ? expect.stringMatching(/^(?:a|template)$/) : 'template';
        expect(error).toHaveProperty('field', field);
      }
    }),
    runs,
  );
});

test('expand() rejects an unpaired surrogate in a value and names the variable', () => {
  const place = fc.constantFrom<(bad: string) => unknown>(
    (bad) => bad,
    (bad) => ['good', bad],
    (bad) => ({ key: bad }),
    (bad) => ({ [bad]: 'good' }),
  );
  fc.assert(
    fc.property(operator, halved, place, (sign, bad, put) => {
      const attempt = () => compileTemplate(`{${sign}y,x}`).expand({ y: 'good', x: put(bad) });
      expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_request', field: 'x' }));
    }),
    runs,
  );
});

/** Text of random UTF-16 code units, including unpaired surrogates, control characters and dots. */
const units = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x2e, 0x2f, 0x0a, 0x7f, 0x85, 0xd83d, 0xde80, 0x25),
      fc.integer({ min: 0, max: 0xffff }),
    ),
    { maxLength: 8 },
  )
  .map((codes) => String.fromCharCode(...codes));

/** Reference implementation that checks each character. */
function fitsSegment(text: string): boolean {
  if (text === '' || text === '.' || text === '..') return false;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
    if (code >= 0xd800 && code <= 0xdfff) return false;
  }
  return true;
}

function refusal(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

test('checkPathValue() accepts a string if and only if it is a valid path segment', () => {
  fc.assert(
    fc.property(fc.oneof(units, fc.string()), (text) => {
      if (fitsSegment(text)) {
        expect(checkPathValue('owner', text)).toBe(text);
        return;
      }
      const error = refusal(() => checkPathValue('owner', text));
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toHaveProperty('field', 'owner');
    }),
    runs,
  );
});

test('a template encodes path values that decode to the original segments', () => {
  const template = compileTemplate('/repos/{owner}/contents{/path*}');
  fc.assert(
    fc.property(fc.oneof(units, text), fc.oneof(units, text), (owner, path) => {
      fc.pre(fitsSegment(owner) && (path === '' || path.split('/').every(fitsSegment)));
      const expanded = template.expand({
        owner: checkPathValue('owner', owner),
        path: splitPathSegments('path', path, { allowEmpty: true }),
      });
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
