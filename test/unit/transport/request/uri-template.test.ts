import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import {
  compileTemplate,
  expandUrlTemplate,
} from '../../../../src/transport/request/uri-template.js';
import { about } from '../../about.js';

interface Suite {
  readonly variables: Record<string, never>;
  readonly testcases: readonly (readonly [string, string | readonly string[] | false])[];
}

// The npm package uri-template-router contains the public suite
// (https://github.com/uri-templates/uritemplate-test).
const folder = join(
  dirname(createRequire(import.meta.url).resolve('uri-template-router/package.json')),
  'test/uritemplate-test',
);

function suites(file: string): [string, Suite][] {
  const parsed: Record<string, Suite> = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return Object.entries(parsed);
}

describe.each(['spec-examples.json', 'spec-examples-by-section.json', 'extended-tests.json'])(
  '%s of the public suite',
  (file) => {
    test.each(suites(file))(
      `expands the templates of ${file} in the section "%s"`,
      (_name, { variables, testcases }) => {
        for (const [template, expected] of testcases) {
          const expanded = expandUrlTemplate(template, variables);
          const accepted = Array.isArray(expected) ? expected : [expected];
          expect(accepted, `${template} became ${expanded}`).toContain(expanded);
        }
      },
    );
  },
);

test('expandUrlTemplate() rejects the invalid templates of the public suite', () => {
  for (const [, { variables, testcases }] of suites('negative-tests.json')) {
    for (const [template] of testcases) {
      const attempt = () => expandUrlTemplate(template, variables);
      expect(attempt, `${template} was accepted`).toThrow(InvalidRequestError);
    }
  }
});

describe('expandUrlTemplate()', () => {
  test.each([
    ['{x}', { x: '🚀' }, '%F0%9F%9A%80'],
    ['{+x}', { x: 'a%2Fb' }, 'a%2Fb'],
    ['{?x}', { x: [null, 'a', undefined] }, '?x=a'],
    ['{?x*}', { x: { a: null, b: 'c' } }, '?b=c'],
    ['{constructor}{?toString}', {}, ''],
    ['{x}', { x: false }, 'false'],
    ['{x}', { x: "a!'()*~" }, 'a%21%27%28%29%2A~'],
    ['{;x*}', { x: { a: '', b: 'c' } }, ';a;b=c'],
    ['a b<é>%41%zz', {}, 'a%20b%3C%C3%A9%3E%41%25zz'],
  ] as const)('expands the template %s with %j to "%s"', (template, values, expected) => {
    expect(expandUrlTemplate(template, values)).toBe(expected);
  });
});

describe('compileTemplate()', () => {
  test.each([
    ['{x}', { x: '\ud800' }, 'x'],
    ['{x}', { x: { a: { b: 1 } } }, 'x'],
    ['{x}', { x: 1n }, 'x'],
    // Objects without enumerable properties would silently expand to nothing.
    ['{?x*}', { x: new Date(0) }, 'x'],
    ['{x:3}', { x: ['a'] }, 'x'],
    ['a}', {}, 'template'],
    ['{}', {}, 'template'],
    ['{x:10000}', {}, 'template'],
    ['\ud800', {}, 'template'],
    ['{x', {}, 'template'],
  ])('rejects the template %s with %o and names the field %s', (template, values, field) => {
    const attempt = () => compileTemplate(template).expand(values);
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalid_request', field }));
  });
});

test.each([
  ['{x}', { x: '\ud800' }, about('x', /surrogate/)],
  ['{x}', { x: Number.NaN }, about('x', /finite/)],
  ['{x}', { x: { a: { b: 1 } } }, about('x', /string, number or boolean.* array or object/)],
  ['{x:3}', { x: ['a'] }, about('x', /prefix/)],
  ['{}', {}, about('template', /RFC 6570/)],
])('the error for the template %s with %o states the problem', (template, values, message) => {
  const attempt = () => compileTemplate(template).expand(values);
  expect(attempt).toThrow(expect.objectContaining({ message }));
});

test.each([undefined, 'text'])(
  'expandUrlTemplate() rejects %s instead of an object of values',
  (values) => {
    // @ts-expect-error: callers without types can pass anything.
    const attempt = () => expandUrlTemplate('/{x}', values);
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        field: 'values',
        message: about('values', /object/),
      }),
    );
  },
);

test('the template cache limits the number of its templates', () => {
  const first = compileTemplate('/first/{x}');
  for (let n = 0; n < 500; n++) compileTemplate(`/${n}/{x}`);
  expect(compileTemplate('/first/{x}')).not.toBe(first);
});
