import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InvalidRequestError } from '../../src/errors.js';
import { compileTemplate, expandUrl } from '../../src/transport/uri-template.js';

interface Suite {
  readonly variables: Record<string, never>;
  readonly testcases: readonly (readonly [string, string | readonly string[] | false])[];
}

// The public suite (https://github.com/uri-templates/uritemplate-test), as a package carries it.
const folder = join(
  dirname(createRequire(import.meta.url).resolve('uri-template-router/package.json')),
  'test/uritemplate-test',
);

function suites(file: string): [string, Suite][] {
  const parsed: Record<string, Suite> = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return Object.entries(parsed);
}

describe.each(['spec-examples.json', 'spec-examples-by-section.json', 'extended-tests.json'])(
  'the public suite: %s',
  (file) => {
    test.each(suites(file))('%s', (_name, { variables, testcases }) => {
      for (const [template, expected] of testcases) {
        const expanded = expandUrl(template, variables);
        const accepted = Array.isArray(expected) ? expected : [expected];
        expect(accepted, `${template} became ${expanded}`).toContain(expanded);
      }
    });
  },
);

test('the public suite: templates that are wrong', () => {
  for (const [, { variables, testcases }] of suites('negative-tests.json')) {
    for (const [template] of testcases) {
      const attempt = () => expandUrl(template, variables);
      expect(attempt, `${template} was accepted`).toThrow(InvalidRequestError);
    }
  }
});

describe('what other expansions get wrong', () => {
  test.each([
    ['{x}', { x: '🚀' }, '%F0%9F%9A%80'],
    ['{x:1}', { x: '🚀é' }, '%F0%9F%9A%80'],
    ['{+x}', { x: 'a%2Fb' }, 'a%2Fb'],
    ['{?x*}', { x: 'one' }, '?x=one'],
    ['{/x}', { x: '' }, '/'],
    ['{?x}', { x: [null, 'a', undefined] }, '?x=a'],
    ['{?x*}', { x: { a: null, b: 'c' } }, '?b=c'],
    ['{constructor}{?toString}', {}, ''],
    ['{x}', { x: 0 }, '0'],
    ['{x}', { x: false }, 'false'],
  ] as const)('%s with %j', (template, values, expected) => {
    expect(expandUrl(template, values)).toBe(expected);
  });
});

describe('refused', () => {
  test.each([
    ['{x}', { x: '\ud800' }, 'x'],
    ['{x}', { x: Number.NaN }, 'x'],
    ['{x}', { x: { a: { b: 1 } } }, 'x'],
    ['{x:3}', { x: ['a'] }, 'x'],
    ['{x', {}, 'template'],
  ])('%s with %o', (template, values, field) => {
    const attempt = () => compileTemplate(template).expand(values);
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_request', field }));
  });
});

test('a template is parsed once', () => {
  expect(compileTemplate('/a/{b}')).toBe(compileTemplate('/a/{b}'));
});
