import { expect, test } from 'vitest';
import {
  impliedScopes,
  missingScopes,
  normalizeScopes,
  type Scope,
  scopeImplications,
} from '../../../src/hosting/auth/scopes.js';

test.each<[string, Scope[], Scope[]]>([
  ['the example of the contract', ['user', 'gist', 'user:email'], ['user', 'gist']],
  ['the implied one first', ['user:email', 'gist', 'user'], ['gist', 'user']],
  ['repetitions', ['gist', 'gist', 'user', 'gist'], ['gist', 'user']],
  ['a whole ladder', ['read:org', 'write:org', 'admin:org'], ['admin:org']],
  ['the ends of a ladder', ['admin:public_key', 'read:public_key'], ['admin:public_key']],
  [
    'everything that repo includes',
    ['public_repo', 'repo:status', 'repo_deployment', 'notifications', 'repo'],
    ['repo'],
  ],
  [
    'what repo does not include',
    ['repo', 'delete_repo', 'write:repo_hook'],
    ['repo', 'delete_repo', 'write:repo_hook'],
  ],
  [
    'what public_repo does not include',
    ['public_repo', 'repo:status', 'repo_deployment'],
    ['public_repo', 'repo:status', 'repo_deployment'],
  ],
  [
    'scopes that the contract does not know',
    ['workflow', 'constructor'],
    ['workflow', 'constructor'],
  ],
  ['none', [], []],
])('normalizes: %s', (_what, scopes, expected) => {
  const before = [...scopes];
  expect(normalizeScopes(scopes)).toEqual(expected);
  expect(scopes, 'what was given stays as it was').toEqual(before);
});

test('expands a scope to the scopes it implies', () => {
  expect(impliedScopes('admin:org')).toEqual(['write:org', 'read:org']);
  expect(impliedScopes('gist')).toEqual([]);
  expect(impliedScopes('toString')).toEqual([]);
  expect(Object.keys(scopeImplications)).toHaveLength(19);
});

test('finds requested scopes that were not granted, directly or implied', () => {
  expect(missingScopes(['user:email', 'repo', 'gist', 'gist'], ['user', 'public_repo'])).toEqual([
    'repo',
    'gist',
  ]);
  expect(missingScopes([], ['user'])).toEqual([]);
});
