import { describe, expect, it } from 'vitest';
import { User } from '../../../../src/hosting/index.js';
import type { StandardSchema } from '../../../../src/schema/standard-schema.js';
import type { Publish } from '../../../../src/transport/request/diagnostics.js';
import {
  parseResponse,
  type ValidationMode,
} from '../../../../src/transport/response/parse-response.js';
import { showIssues } from '../../../../src/transport/response/response-errors.js';
import { createContext, createRaw } from './parsed-responses.js';

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

/** Validates a value from a response and returns the result and the published issues. */
async function validate(schema: StandardSchema, value: unknown, validation: ValidationMode) {
  const issues: unknown[] = [];
  const publish: Publish = (_name, make) => {
    const event = make();
    if ('issues' in event) issues.push(...event.issues);
  };
  const spec = { schema, unwrap: () => value };
  const context = createContext(createRaw('{}'), spec, { validation, publish });
  return { result: await parseResponse(context), issues };
}

describe('response validation', () => {
  it('response validation returns the value itself if it matches a model', async () => {
    const { result, issues } = await validate(User, user, 'strict');
    expect(result).toBe(user);
    expect(issues).toEqual([]);
  });

  it("response validation returns the output of the caller's schema", async () => {
    expect(await validate(upper, 'x', 'strict')).toEqual({ result: 'X', issues: [] });
  });

  const invalid = { ...user, id: 'one' };

  it('response validation throws the issues of an invalid value in strict mode', async () => {
    await expect(validate(User, invalid, 'strict')).rejects.toMatchObject({
      code: 'response_shape',
      issues: [{ path: ['id'] }],
    });
  });

  it.each([
    ['warn', [{ path: ['id'] }]],
    ['off', []],
  ] as const)(
    'response validation returns an invalid value in %s mode and publishes the issues %j',
    async (mode, issues) => {
      expect(await validate(User, invalid, mode)).toMatchObject({ result: invalid, issues });
    },
  );

  it("response validation rejects a mismatch with a caller's schema only in strict mode", async () => {
    await expect(validate(upper, 1, 'strict')).rejects.toMatchObject({ code: 'response_shape' });
    expect(await validate(upper, 1, 'warn')).toMatchObject({ result: 1 });
  });
});

describe('showIssues()', () => {
  it.each([
    ['no path', undefined, '(the response): m'],
    ['an empty path', [], '(the response): m'],
    ['an index at the start of its path', [0, 'a'], '[0].a: m'],
    ['an index within its path', ['a', 0, { key: 'b' }], 'a[0].b: m'],
    ['path segments that are objects', [{ key: 'a' }, { key: 1 }, 'b'], 'a[1].b: m'],
  ])('showIssues() prints an issue with %s', (_title, path, line) => {
    expect(showIssues([{ message: 'm', path }])).toBe(line);
  });

  it.each([
    [5, '0; 1; 2; 3; 4'],
    [6, '0; 1; 2; 3; 4 (+1 more)'],
    [7, '0; 1; 2; 3; 4 (+2 more)'],
  ])('showIssues() prints the first five of %d issues in one line', (count, line) => {
    const issues = Array.from({ length: count }, (_, index) => ({ message: `${index}` }));
    expect(showIssues(issues).replaceAll('(the response): ', '')).toBe(line);
  });
});
