import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { parseResponse } from '../../../../src/transport/response/parse-response.js';
import { recordEvents } from '../recorded-events.js';
import {
  createContext,
  createRaw,
  foreignSchema,
  request,
  Thing,
  thrownBy,
} from './parsed-responses.js';

describe('parseResponse()', () => {
  it('passes the value, the response and the call to `map`', () => {
    const map = vi.fn(() => 'mapped');
    const context = createContext('{"id":7}', { map, schema: Thing });
    expect(parseResponse(context)).toBe('mapped');
    expect(map).toHaveBeenCalledExactlyOnceWith({ id: 7 }, context.call.response, context.call);
    expect(context.call.describe).not.toHaveBeenCalled();
  });

  it.each([
    [204, true],
    [404, false],
  ])('maps the status %i of an existence check to %s', (status, member) => {
    expect(parseResponse(createContext(createRaw('', { status }), { kind: 'exists' }))).toBe(
      member,
    );
  });

  it.each(['none', 'exists'] as const)(
    "rejects a login page if the response type is '%s'",
    (kind) => {
      const pages = ['<!DOCTYPE html><title>Sign in</title>', '\ufeff\n<html lang="en"></html>'];
      for (const page of pages) {
        const context = createContext(page, { kind });
        expect(thrownBy(context)).toMatchObject({
          code: 'response_body',
          reason: 'unexpected_type',
        });
      }
    },
  );

  it.each(['bytes', 'stream'] as const)(
    'returns the body itself for the response type %s',
    (kind) => {
      const body = kind === 'bytes' ? Buffer.from('no JSON') : Readable.from(['no JSON']);
      expect(parseResponse(createContext(body, { kind }))).toBe(body);
    },
  );

  it('unwraps the response before validation', () => {
    const unwrap = (value: unknown) => Reflect.get(Object(value), 'data');
    const context = createContext('{"data":{"id":7}}', { unwrap, schema: Thing });
    expect(parseResponse(context)).toEqual({ id: 7 });
  });

  it.each([204, 205])('returns undefined after a %i without a schema', (status) => {
    expect(parseResponse(createContext(createRaw('', { status })))).toBeUndefined();
  });

  it.each([
    [204, 'a', Thing],
    [200, 'no', undefined],
  ])('rejects an empty body after a %i with %s schema', (status, _which, schema) => {
    const error = thrownBy(createContext(createRaw('', { status }), { schema }));
    expect(error).toMatchObject({ code: 'response_body', reason: 'empty' });
  });

  const mapping = (error: Error) =>
    createContext('{"id":7}', {
      map: () => {
        throw error;
      },
    });

  it('throws a ResponseShapeError with the reason if `map` throws', () => {
    expect(thrownBy(mapping(new TypeError('no such month')))).toMatchObject({
      code: 'response_shape',
      issues: [{ message: expect.stringContaining('no such month'), path: [] }],
    });
  });

  it('rethrows a triforge error that `map` throws', () => {
    const error = new InvalidRequestError('count: too many', { field: 'count' });
    expect(thrownBy(mapping(error))).toBe(error);
  });

  const drifted = createRaw('{"data":{"id":"seven"}}');
  const unwrap = (value: unknown) => Reflect.get(Object(value), 'data');
  const issue = { message: expect.stringMatching(/number/), path: ['id'] };

  it("publishes a shape-drift event in warn mode if the response doesn't match its model", () => {
    const events = recordEvents('triforge:shape-drift');
    const context = createContext(drifted, { unwrap, schema: Thing }, { validation: 'warn' });
    expect(parseResponse(context)).toEqual({ id: 'seven' });
    expect(events).toEqual([
      ['triforge:shape-drift', { request, model: 'Thing', issues: [issue] }],
    ]);
  });

  it("passes the output of a caller's schema to `map`", async () => {
    const schema = foreignSchema((value) => ({ value: [value] }));
    const map = vi.fn((value: unknown) => ({ mapped: value }));
    const context = createContext('7', { schema, map });
    await expect(parseResponse(context)).resolves.toEqual({ mapped: [7] });
    expect(map).toHaveBeenCalledExactlyOnceWith([7], context.call.response, context.call);
  });

  it('limits a shape-drift event to 20 issues of 20 path segments each', async () => {
    const events = recordEvents('triforge:shape-drift');
    const issues = Array.from({ length: 25 }, () => ({
      message: 'm',
      path: [{ key: 's3cret' }, 3, ...Array.from({ length: 30 }, () => 'x')],
    }));
    const schema = foreignSchema(() => ({ issues }));
    const more = { validation: 'warn', secrets: ['s3cret'] } as const;
    await parseResponse(createContext('7', { schema }, more));
    const path = [{ key: '***' }, 3, ...Array.from({ length: 18 }, () => 'x')];
    const shown = Array.from({ length: 20 }, () => ({ message: 'm', path }));
    expect(events).toEqual([['triforge:shape-drift', expect.objectContaining({ issues: shown })]]);
  });
});

describe('nullOn404', () => {
  it('passes undefined to `map` after a 404', () => {
    const map = vi.fn(() => null);
    const context = createContext(createRaw('not found', { status: 404 }), {
      nullOn404: true,
      map,
    });
    expect(parseResponse(context)).toBeNull();
    expect(map).toHaveBeenCalledExactlyOnceWith(undefined, context.call.response, context.call);
  });

  it.each([
    [true, 200],
    [undefined, 404],
  ])(
    'parseResponse() reads the body if nullOn404 is %s and the status is %i',
    (nullOn404, status) => {
      expect(
        parseResponse(createContext(createRaw('{"id":7}', { status }), { nullOn404 })),
      ).toEqual({
        id: 7,
      });
    },
  );
});

describe('mismatch()', () => {
  const mismatch = vi.fn(() => 'a directory');

  it.each([
    ['{"id":"a"}', 'strict'],
    ['{"id":"a"}', 'off'],
  ] as const)('supplies the error message for %s with validation: %j', (body, validation) => {
    const error = thrownBy(createContext(body, { mismatch, schema: Thing }, { validation }));
    expect(error).toMatchObject({ issues: [{ message: 'a directory' }] });
  });
});
