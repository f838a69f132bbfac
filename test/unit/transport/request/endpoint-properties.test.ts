import { describe, expect, it } from 'vitest';
import { User } from '../../../../src/hosting/models/index.js';
import type { StandardSchema } from '../../../../src/schema/standard-schema.js';
import type { ResponseSpec } from '../../../../src/transport/request/endpoint.js';
import {
  createListSpec,
  createResponseSpec,
} from '../../../../src/transport/request/endpoint-properties.js';

/** A schema for numbers. Only the issue for null has a path. */
const number: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => {
      if (typeof value === 'number') return { value: value * 10 };
      return { issues: [{ message: 'no number', ...(value === null && { path: ['n'] }) }] };
    },
  },
};

describe('raw response kinds', () => {
  it('createResponseSpec() uses the schema for a JSON response', () => {
    const { kind, schema } = createResponseSpec({ schema: number });
    expect(kind).toBe('json');
    expect(schema).toBe(number);
  });

  it.each([
    [{}, 'json'],
    [{ responseType: 'json' }, 'json'],
    [{ responseType: 'bytes', schema: number }, 'bytes'],
    [{ responseType: 'stream', schema: number }, 'stream'],
    [{ responseType: 'none', schema: number }, 'none'],
    [{ method: 'HEAD' }, 'none'],
    [{ responseType: 'bytes', method: 'HEAD' }, 'none'],
  ] as const)('maps %j to the response kind %s', (request, kind) => {
    const responseSpec = createResponseSpec(request);
    expect(responseSpec).toMatchObject({ kind, schema: undefined });
    expect(responseSpec.map).toBeUndefined();
  });
});

describe('createResponseSpec()', () => {
  it("createResponseSpec() returns the kind 'exists' if responseType is 'exists'", () => {
    expect(createResponseSpec({ responseType: 'exists' }).kind).toBe('exists');
  });

  it("createResponseSpec() adds the API's validation, except for a HEAD request", () => {
    const validated = (responseSpec: ResponseSpec<unknown>) => ({
      ...responseSpec,
      isStrict: true,
    });
    expect(createResponseSpec({}, { validated }).isStrict).toBe(true);
    expect(createResponseSpec({ method: 'HEAD' }, { validated }).isStrict).toBeUndefined();
  });
});

describe('createListSpec()', () => {
  it('createListSpec() uses a list model if the items have a model', () => {
    expect(createListSpec(User).schema).toMatchObject({ name: 'User[]' });
  });

  const standard = (schema?: StandardSchema<unknown>) => {
    const found = createListSpec(schema).schema?.['~standard'];
    if (!found) throw new Error('expected a list to have a schema');
    return found;
  };

  it.each([
    ['without an item schema', undefined],
    ['with an item schema', number],
  ])('a list schema has the vendor triforge %s', (_name, schema) => {
    expect(standard(schema)).toMatchObject({ version: 1, vendor: 'triforge' });
  });

  it.each([[{}], [null], ['a'], [undefined]])(
    'a list schema rejects %j instead of an array',
    async (value) => {
      const issues = [{ message: 'expected an array', path: [] }];
      expect(await standard(number).validate(value)).toEqual({ issues });
      expect(await standard().validate(value)).toEqual({ issues });
    },
  );

  it('a list schema accepts any array if the items have no schema', async () => {
    expect(await standard().validate([1, 'a', null])).toEqual({ value: [1, 'a', null] });
  });

  it('a list schema names invalid items by index', async () => {
    expect(await standard(number).validate([1, 'a', 2, null])).toEqual({
      issues: [
        { message: 'no number', path: [1] },
        { message: 'no number', path: [3, 'n'] },
      ],
    });
    expect(await standard(number).validate([1, 2])).toEqual({ value: [10, 20] });
    expect(await standard(number).validate([])).toEqual({ value: [] });
  });

  it('a list schema reports at most 20 issues', async () => {
    const { issues } = await standard(number).validate(Array.from({ length: 1000 }, () => 'a'));
    expect(issues).toHaveLength(20);
  });
});
