import { describe, expect, it } from 'vitest';
import { maskSecrets, maskStart, maskUrl, revealsSecret } from '../../../src/masks/secrets.js';

describe('maskSecrets()', () => {
  it.each([
    ['masks a secret', 'a s3cret b', ['s3cret'], 'a *** b'],
    ['masks a percent-encoded query value', 'x aaaa%2Bb%26 y', ['aaaa+b&'], 'x *** y'],
    ['masks a percent-encoded path segment', 'x a%21b%28c%29%27%2A y', ["a!b(c)'*"], 'x *** y'],
    ['masks lowercase percent-encoding', 'x aaa+b%5c y', ['aaa+b\\'], 'x *** y'],
    ['masks a form-encoded secret', 'x aaaa+%21 y', ['aaaa !'], 'x *** y'],
    ['masks a secret in a JSON string', '{"m":"no aaa\\"b\\\\c"}', ['aaa"b\\c'], '{"m":"no ***"}'],
    ['masks a secret in ASCII JSON', 'x \\u0130stanbul\\/34 y', ['İstanbul/34'], 'x *** y'],
    ['masks a secret in HTML', 'x aaaa&lt;b&#39;c&#x26;&amp; y', ["aaaa<b'c&&"], 'x *** y'],
    ['masks a secret in Base64', 'x fn5+czNjPw== y', ['~~~s3c?'], 'x *** y'],
    ['masks a secret in Base64url', 'x fn5-czNjPw y', ['~~~s3c?'], 'x *** y'],
    ['masks the longer of two secrets', 'x abcdef-g y', ['abcdef', 'abcdef-g'], 'x *** y'],
    ['shows a secret of four characters', 'a acme b', ['acme'], 'a acme b'],
    [
      'shows a secret of 11 characters in a word',
      'xabcdefghij1x',
      ['abcdefghij1'],
      'xabcdefghij1x',
    ],
    ['masks a secret of 12 characters in a word', 'xabcdefghijk1x', ['abcdefghijk1'], 'x***x'],
    ['shows a plain word within a word', 'unauthenticated', ['authenticated'], 'unauthenticated'],
  ])('%s', (_name, text, secrets, clean) => {
    expect(maskSecrets(text, secrets)).toBe(clean);
  });
});

it('maskStart() hides a secret that the length limit would truncate', () => {
  const secrets = ['s3cret-0123456789'];
  expect(maskStart('x s3cret-0123456789 y', secrets, 12)).toBe('x *** y');
  const text = `${'x'.repeat(95)} s3cret-0123456789`;
  for (let limit = 90; limit < 120; limit++) {
    expect(maskStart(text, secrets, limit)).not.toContain('s3');
    expect(maskStart(text + 'y'.repeat(300), secrets, limit)).not.toContain('s3');
  }
});

it.each([
  ['https://s3cret-9.example.test/x', 'https://***.example.test/x'],
  ['https://abcdef-9.example.test/x', 'https://***.example.test/x'],
  ['https://a.b/s3cret-9?page=s3cret-9', 'https://a.b/***?page=***'],
  ['https://a.b/rockets?q=rockets', 'https://a.b/rockets?q=***'],
  ['https://acme.rockets.test/', 'https://acme.rockets.test/'],
])('maskUrl() converts %s to %s', (url, shown) => {
  expect(maskUrl(url, ['s3cret-9', 'ABCDEF-9', 'rockets'])).toBe(shown);
});

it.each([
  ['https://a.test/?x=s3cret%2F9%26', true],
  ['https://a.test/?x=https%3A%2F%2Fb.test%2F%3Fs3cret%252F9%2526', true],
  ['https://a.test/?word=rockets', true],
  ['https://a.test/rockets', false],
  ['https://a.test/?x=s3cret', false],
])('revealsSecret() of %s returns %j', (url, reveals) => {
  expect(revealsSecret(url, ['s3cret/9&', 'rockets'])).toBe(reveals);
});
