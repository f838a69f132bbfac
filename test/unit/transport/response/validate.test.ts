import { describe, expect, it } from 'vitest';
import { User } from '../../../../src/hosting/models/index.js';
import type { StandardSchema } from '../../../../src/schema/standard-schema.js';
import { validate } from '../../../../src/transport/response/parse-response.js';
import { showIssues } from '../../../../src/transport/response/response-errors.js';

const upper: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: async (value) =>
      typeof value === 'string'
        ? { value: value.toUpperCase() }
        : { issues: [{ message: 'no string', path: ['a', { key: 0 }] }] },
  },
};
const user = { login: 'jo', id: 1, avatar_url: 'a', gravatar_id: null, url: 'u', extra: { x: 1 } };

describe('validate', () => {
  it('returns the input object itself if it matches a model', () => {
    const verdict = validate(User, user, 'strict');
    expect(verdict).toEqual({ ok: true, value: user });
    expect(!(verdict instanceof Promise) && verdict.ok && verdict.value).toBe(user);
  });

  it("returns the output of a caller's schema", async () => {
    expect(await validate(upper, 'x', 'strict')).toEqual({ ok: true, value: 'X' });
  });

  it.each([
    ['strict', { ok: false, issues: [{ path: ['id'] }] }],
    ['warn', { ok: true, drift: [{ path: ['id'] }] }],
    ['off', { ok: true }],
  ] as const)('in %s mode returns %j for an invalid value', (mode, verdict) => {
    expect(validate(User, { ...user, id: 'one' }, mode)).toMatchObject(verdict);
  });

  it("in strict mode rejects a value that a caller's schema rejects, and in warn mode returns the value", async () => {
    expect(await validate(upper, 1, 'strict')).toMatchObject({ ok: false });
    expect(await validate(upper, 1, 'warn')).toMatchObject({ ok: true, value: 1 });
  });
});

describe('showIssues', () => {
  it.each([
    ['no path', undefined, '(the response): m'],
    ['an empty path', [], '(the response): m'],
    ['an index at the start of its path', [0, 'a'], '[0].a: m'],
    ['an index within its path', ['a', 0, { key: 'b' }], 'a[0].b: m'],
    ['path segments that are objects', [{ key: 'a' }, { key: 1 }, 'b'], 'a[1].b: m'],
  ])('prints an issue with %s', (_title, path, line) => {
    expect(showIssues([{ message: 'm', path }])).toBe(line);
  });

  it.each([
    [5, '0; 1; 2; 3; 4'],
    [6, '0; 1; 2; 3; 4 (+1 more)'],
    [7, '0; 1; 2; 3; 4 (+2 more)'],
  ])('prints the first five of %d issues in one line', (count, line) => {
    const issues = Array.from({ length: count }, (_, index) => ({ message: `${index}` }));
    expect(showIssues(issues).replaceAll('(the response): ', '')).toBe(line);
  });
});
