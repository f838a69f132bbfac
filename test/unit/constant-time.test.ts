// Measuring time would be unreliable, so these tests check that secrets are compared with
// `timingSafeEqual`.
import * as crypto from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { OAuthWebFlow } from '../../src/hosting/index.js';
import { verifySignature } from '../../src/webhooks/delivery.js';
import { signBody } from '../support/sign-delivery.js';

vi.mock('node:crypto', async (importActual) => {
  const actual = await importActual<typeof crypto>();
  return { ...actual, timingSafeEqual: vi.fn(actual.timingSafeEqual) };
});

const compared = vi.mocked(crypto.timingSafeEqual);
beforeEach(() => {
  compared.mockClear();
});

test('verifySignature() compares the signature with every secret in constant time', () => {
  const signature = signBody('{}', 'one', 'sha256');
  verifySignature({ body: '{}', signature, secret: ['one', 'two'] });
  expect(compared.mock.results.map(({ value }) => value)).toEqual([true, false]);
});

test('parseCallback() compares the state in constant time', () => {
  const flow = new OAuthWebFlow({
    authUrl: 'https://code.example.com',
    clientId: 'c'.repeat(20),
    clientSecret: 's'.repeat(40),
  });
  const url = '/callback?code=abc&state=theirs';
  expect(flow.parseCallback(url, { state: 'theirs' })).toEqual({ code: 'abc' });
  expect(() => flow.parseCallback(url, { state: 'ours' })).toThrow(
    expect.objectContaining({ code: 'oauth', error: 'state_mismatch' }),
  );
  expect(compared.mock.results.map(({ value }) => value)).toEqual([true, false]);
});
