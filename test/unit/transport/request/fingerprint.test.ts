import { expect, test } from 'vitest';
import {
  computeFingerprint,
  formatBasicAuth,
} from '../../../../src/transport/request/credentials.js';

test('a fingerprint has 22 URL-safe characters', () => {
  const print = computeFingerprint('token', 'secret');
  expect(print).toMatch(/^[\w-]{22}$/);
  expect(print).not.toContain('secret');
  expect(computeFingerprint('token', 'secret')).toBe(print);
});

test('lists of parts that concatenate to the same string have different fingerprints', () => {
  const prints = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', '']].map((parts) =>
    computeFingerprint(...parts),
  );
  expect(new Set(prints).size).toBe(prints.length);
});

// The second case is an example from RFC 7617, section 2.1.
test.each([
  ['Aladdin', 'open sesame', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
  ['test', '123£', 'Basic dGVzdDoxMjPCow=='],
])('formatBasicAuth() encodes the username %s and the password %s', (user, password, expected) => {
  expect(formatBasicAuth(user, password)).toBe(expected);
});
