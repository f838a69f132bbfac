import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  impliedScopes,
  missingScopes,
  normalizeScopes,
  type Scope,
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

test.each<[string, Scope[], Scope[]]>([
  ["the contract's example", ['user', 'gist', 'user:email'], ['user', 'gist']],
  ['all levels of a scope', ['read:org', 'write:org', 'admin:org'], ['admin:org']],
  [
    'all scopes that repo includes',
    ['public_repo', 'repo:status', 'repo_deployment', 'notifications', 'repo'],
    ['repo'],
  ],
  [
    "scopes that repo doesn't include",
    ['repo', 'delete_repo', 'write:repo_hook'],
    ['repo', 'delete_repo', 'write:repo_hook'],
  ],
])(
  'normalizeScopes() removes only duplicate and implied scopes from %s',
  (_what, scopes, expected) => {
    const before = [...scopes];
    expect(normalizeScopes(scopes)).toEqual(expected);
    expect(scopes, 'the input is unchanged').toEqual(before);
  },
);

test('impliedScopes() returns the scopes that a scope implies', () => {
  expect(impliedScopes('admin:org')).toEqual(['write:org', 'read:org']);
  expect(impliedScopes('gist')).toEqual([]);
  expect(impliedScopes('toString')).toEqual([]);
  expect(Object.keys(scopeImplications)).toHaveLength(19);
});

test('missingScopes() returns the requested scopes that were not granted', () => {
  expect(missingScopes(['user:email', 'repo', 'gist', 'gist'], ['user', 'public_repo'])).toEqual([
    'repo',
    'gist',
  ]);
  expect(missingScopes([], ['user'])).toEqual([]);
});
