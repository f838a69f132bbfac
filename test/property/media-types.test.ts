import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTriforgeError } from '../../src/errors/index.js';
import { parseRateLimit } from '../../src/transport/http/headers.js';
import { buildMediaType, parseEssence } from '../../src/transport/http/media-type.js';
import { numRuns } from '../support/extent.js';

const runs = { numRuns };
const blank = fc.constantFrom('', ' ', '\t ');
const word = fc.stringMatching(/^[a-z0-9][a-z0-9.+-]{0,12}$/);
const vendor = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9-]{0,12}$/);
const version = fc.constantFrom('v3' as const, 'beta' as const);
const variant = fc.constantFrom(undefined, 'raw', 'text', 'html', 'full');

describe('buildMediaType()', () => {
  test('buildMediaType() combines the vendor, version, resource, variant and +json suffix', () => {
    fc.assert(
      fc.property(
        vendor,
        version,
        variant,
        fc.constantFrom(undefined, 'commitcomment'),
        fc.boolean(),
        (name, api, form, resource, json) => {
          const type = buildMediaType({
            vendor: name,
            version: api,
            variant: form,
            resource,
            json,
          });
          expect(type).toMatch(/^application\/vnd\.[A-Za-z0-9.-]+(?:\+json)?$/);
          expect(type.split('+', 1)[0]?.slice('application/'.length).split('.')).toEqual(
            ['vnd', name, resource ?? api, form].filter((each) => each !== undefined),
          );
          expect(type.endsWith('+json')).toBe(json);
          expect(parseEssence(type)).toBe(type.toLowerCase());
        },
      ),
      runs,
    );
  });

  test('buildMediaType() returns a valid media type or rejects the vendor', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.anything()), version, (name, api) => {
        try {
          // `as`: callers without types can pass anything.
          expect(buildMediaType({ vendor: name as string, version: api })).toMatch(
            /^application\/vnd\.[A-Za-z0-9-]+\.(?:v3|beta)\+json$/,
          );
        } catch (error) {
          if (!isTriforgeError(error)) throw error;
          expect(error).toMatchObject({ code: 'configuration', option: 'vendor' });
        }
      }),
      runs,
    );
  });
});

test('parseEssence() ignores letter case, whitespace and parameters', () => {
  const value = fc.stringMatching(/^[\w.-]{1,10}$/);
  const parameter = fc.tuple(blank, fc.stringMatching(/^[a-z]{1,6}$/), blank, value, fc.boolean());
  fc.assert(
    fc.property(
      word,
      word,
      fc.boolean(),
      blank,
      fc.array(parameter, { maxLength: 4 }),
      (main, sub, upper, space, parameters) => {
        const type = `${main}/${sub}`;
        const written = [
          `${space}${upper ? type.toUpperCase() : type}${space}`,
          ...parameters.map(
            ([before, name, between, text, quoted]) =>
              `${before}${upper ? name.toUpperCase() : name}=${quoted ? `"${text}"` : text}${between}`,
          ),
        ].join(';');
        expect(parseEssence(written)).toBe(type);
      },
    ),
    runs,
  );
});

test('parseRateLimit() returns whole numbers, or undefined for invalid headers', () => {
  const text = fc.oneof(
    fc.nat().map(String),
    fc.stringMatching(/^[-+ ]?\d{0,17}(?:\.\d)?$/),
    fc.string({ unit: 'binary' }),
  );
  const field = fc.oneof(text, fc.constant(undefined), fc.array(text, { maxLength: 2 }));
  const whole = (value: unknown) => typeof value === 'string' && /^\d{1,15}$/.test(value);
  fc.assert(
    fc.property(field, field, field, (limit, remaining, reset) => {
      const budget = parseRateLimit({
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': reset,
      });
      if (budget === undefined) {
        const one = (value: unknown) => !Array.isArray(value) && !whole(value);
        expect(
          one(limit) || one(remaining) || Array.isArray(limit) || Array.isArray(remaining),
        ).toBe(true);
        return;
      }
      expect(Number.isSafeInteger(budget.limit) && budget.limit >= 0).toBe(true);
      expect(Number.isSafeInteger(budget.remaining) && budget.remaining >= 0).toBe(true);
      if (budget.reset) expect(Number.isNaN(budget.reset.getTime())).toBe(false);
    }),
    runs,
  );
});
