import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  impliedScopes,
  missingScopes,
  normalizeScopes,
  scopeImplications,
} from '../../src/hosting/auth/scopes.js';
import { numRuns } from '../support/extent.js';

const known = Object.keys(scopeImplications);
const scope = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...known) },
  { weight: 1, arbitrary: fc.string({ minLength: 1 }) },
);
const scopes = fc.array(scope, { maxLength: 12 });

test('a normalized list allows exactly what the list allowed', () => {
  fc.assert(
    fc.property(scopes, (given) => {
      const kept = normalizeScopes(given);
      expect(missingScopes(given, kept)).toEqual([]);
      expect(missingScopes(kept, given)).toEqual([]);
    }),
    { numRuns },
  );
});

test('a normalized list keeps the order, repeats nothing, and is normal', () => {
  fc.assert(
    fc.property(scopes, (given) => {
      const kept = normalizeScopes(given);
      expect(new Set(kept).size).toBe(kept.length);
      expect(kept).toEqual([...new Set(given)].filter((each) => kept.includes(each)));
      expect(normalizeScopes(kept)).toEqual(kept);
      for (const each of kept) {
        expect(kept.some((other) => impliedScopes(other).some((one) => one === each))).toBe(false);
      }
    }),
    { numRuns },
  );
});

test('the table is complete in itself: what is implied brings along nothing that is missing in it', () => {
  for (const each of known) {
    const implied: readonly string[] = impliedScopes(each);
    expect(implied, `${each} implies itself`).not.toContain(each);
    for (const further of implied.flatMap(impliedScopes)) expect(implied).toContain(further);
  }
});
