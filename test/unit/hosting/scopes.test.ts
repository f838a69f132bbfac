import { expect, test } from 'vitest';
import {
  impliedScopes,
  missingScopes,
  normalizeScopes,
  type Scope,
  scopeImplications,
} from '../../../src/hosting/auth/scopes.js';

test.each<[string, Scope[], Scope[]]>([
  ["the contract's example", ['user', 'gist', 'user:email'], ['user', 'gist']],
  ['a list that starts with an implied scope', ['user:email', 'gist', 'user'], ['gist', 'user']],
  ['a list with duplicates', ['gist', 'gist', 'user', 'gist'], ['gist', 'user']],
  ['all levels of a scope', ['read:org', 'write:org', 'admin:org'], ['admin:org']],
  [
    'the lowest and highest levels of a scope',
    ['admin:public_key', 'read:public_key'],
    ['admin:public_key'],
  ],
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
  [
    "scopes that public_repo doesn't include",
    ['public_repo', 'repo:status', 'repo_deployment'],
    ['public_repo', 'repo:status', 'repo_deployment'],
  ],
  [
    "scopes that the contract doesn't contain",
    ['workflow', 'constructor'],
    ['workflow', 'constructor'],
  ],
  ['an empty list', [], []],
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
