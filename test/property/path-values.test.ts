import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidRequestError } from '../../src/errors/index.js';
import { checkPathValue, splitPathSegments } from '../../src/transport/request/input.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };

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

test('splitPathSegments() accepts a string if and only if all of its segments are valid', () => {
  fc.assert(
    fc.property(fc.oneof(units, fc.string()), fc.boolean(), (text, allowEmpty) => {
      const empty = text === '' && allowEmpty;
      if (empty || text.split('/').every(fitsSegment)) {
        const segments = splitPathSegments('path', text, { allowEmpty });
        expect(segments.join('/')).toBe(text);
        return;
      }
      const error = refusal(() => splitPathSegments('path', text, { allowEmpty }));
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toHaveProperty('field', 'path');
    }),
    runs,
  );
});

test('checkPathValue() and splitPathSegments() throw only InvalidRequestErrors for any value', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true }), (value) => {
      for (const run of [
        () => checkPathValue('id', value),
        () => splitPathSegments('id', value, { allowEmpty: true }),
      ]) {
        const error = refusal(run);
        if (error === undefined) expect(['string', 'number']).toContain(typeof value);
        else expect(error).toBeInstanceOf(InvalidRequestError);
      }
    }),
    runs,
  );
});
