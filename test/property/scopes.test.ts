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

test('normalizeScopes() neither adds nor removes permissions', () => {
  fc.assert(
    fc.property(scopes, (given) => {
      const kept = normalizeScopes(given);
      expect(missingScopes(given, kept)).toEqual([]);
      expect(missingScopes(kept, given)).toEqual([]);
    }),
    { numRuns },
  );
});

test('normalizeScopes() keeps the order and removes duplicate and implied scopes', () => {
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

test('impliedScopes() is transitive and never contains the scope itself', () => {
  for (const each of known) {
    const implied: readonly string[] = impliedScopes(each);
    expect(implied, `${each} implies itself`).not.toContain(each);
    for (const further of implied.flatMap(impliedScopes)) expect(implied).toContain(further);
  }
});
