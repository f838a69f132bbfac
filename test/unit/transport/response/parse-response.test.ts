import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import {
  InvalidRequestError,
  OperationFailedError,
  ResponseBodyError,
  ResponseShapeError,
} from '../../../../src/errors/index.js';
import { showIssues } from '../../../../src/schema/standard-schema.js';
import { parseResponse } from '../../../../src/transport/response/parse-response.js';
import { recordEvents } from '../recorded-events.js';
import {
  createContext,
  createRaw,
  foreignSchema,
  messageMatching,
  request,
  Thing,
  thrownBy,
} from './parsed-responses.js';

/** Returns the data in an envelope. */
const unwrap = (value: unknown) => Reflect.get(Object(value), 'data');

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

  it('returns the bytes of all chunks, or the stream', () => {
    const chunks = [Buffer.from('no '), Buffer.from('JSON')];
    const bytes = parseResponse(createContext(chunks, { kind: 'bytes' }));
    expect(bytes).toEqual(Buffer.from('no JSON'));
    const stream = Readable.from(['no JSON']);
    expect(parseResponse(createContext(stream, { kind: 'stream' }))).toBe(stream);
  });

  it('unwraps the response before validation', () => {
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

describe('a ResponseBodyError', () => {
  const typeMismatch = (type: string) => (type === 'text/html' ? `got ${type}` : undefined);
  const headers = { 'content-type': 'text/HTML; charset=utf-8' };
  const message = messageMatching(/200, .*text\/html/);

  it("has the reason 'unexpected_type' for an unrequested media type", () => {
    const raw = createRaw('<p>', { headers });
    const context = createContext(raw, { kind: 'bytes', typeMismatch });
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(ResponseBodyError);
    expect(error).toMatchObject({ message, reason: 'unexpected_type', status: 200, request });
    expect(error).toHaveProperty('response', context.call.response);
    expect(error).not.toHaveProperty('cause');
  });

  it.each(['image/png', undefined])('is not thrown for the content type %s', (type) => {
    const body = Readable.from(['x']);
    const raw = createRaw(body, { headers: { 'content-type': type } });
    expect(parseResponse(createContext(raw, { kind: 'stream', typeMismatch }))).toBe(body);
    expect(body.destroyed).toBe(false);
  });

  it('does not quote invalid JSON', () => {
    const context = createContext('{"token":"s3cret"');
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(ResponseBodyError);
    expect(error).toMatchObject({
      message: messageMatching(/200, .*JSON \(17 bytes\)/),
      reason: 'invalid_json',
      status: 200,
      request,
      cause: { name: 'Error', message: 'invalid JSON' },
    });
    expect(error).toHaveProperty('response', context.call.response);
    expect(error).not.toHaveProperty('cause.cause');
  });
});

describe('failures in successful responses', () => {
  const body = '{"statusMessage":"no s3cret\\n allowed","echo":["s3cret"]}';
  const refusedWith = (statusMessage: string | undefined, secrets: readonly string[] = []) => {
    const failure = () => ({ statusMessage });
    return createContext(body, { failure, schema: Thing }, { secrets });
  };

  it("an OperationFailedError shows the server's message on one line without secrets", () => {
    const context = refusedWith('no s3cret\n allowed', ['s3cret']);
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(OperationFailedError);
    expect(error).toMatchObject({
      message: messageMatching(/rejected .*: no \*\*\* allowed/, 'read'),
      statusMessage: 'no *** allowed',
      request,
    });
    expect(error).toHaveProperty('response', context.call.response);
    expect(error).toHaveProperty('body', {
      statusMessage: 'no ***\n allowed',
      echo: ['***'],
    });
  });

  it('parseResponse() throws an OperationFailedError even if the server reports no reason', () => {
    const error = thrownBy(refusedWith(undefined));
    expect(error).toBeInstanceOf(OperationFailedError);
    expect(error).toMatchObject({
      message: messageMatching(/rejected .*: the response contains no reason/, 'read'),
      statusMessage: undefined,
    });
  });
});

describe('a ResponseShapeError', () => {
  const envelope = { data: { id: 'seven' } };
  const raw = createRaw(JSON.stringify(envelope));
  const issues = [{ message: 'expected a list' }, { message: 'too big', path: ['a', 0] }];
  const schema = foreignSchema(() => ({ issues }));

  it("contains the model's issues and the complete body", () => {
    const context = createContext(raw, { unwrap, schema: Thing });
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(ResponseShapeError);
    expect(error).toMatchObject({
      message: messageMatching(/ Thing: id: .*number.*/),
      issues: [{ message: expect.stringMatching(/number/), path: ['id'] }],
      request,
    });
    expect(error).toHaveProperty('data', envelope);
    expect(error).toHaveProperty('response', context.call.response);
  });

  it('contains the issues of an unnamed schema', async () => {
    const context = createContext(raw, { unwrap, schema });
    const error: unknown = await Promise.resolve(parseResponse(context)).catch((each) => each);
    expect(error).toBeInstanceOf(ResponseShapeError);
    expect(error).toMatchObject({
      message: messageMatching(/ its schema: \(the response\): expected a list; a\[0\]: too big/),
      issues,
    });
    expect(error).toHaveProperty('data', envelope);
  });

  it.each([
    ['Thing', 'strict', / Thing: .*a file, not a list/, Thing],
    ['Thing', 'off', / Thing: .*a file, not a list/, Thing],
    ['no model', 'off', / its schema: .*a file, not a list/, undefined],
  ] as const)(
    'contains only the message from mismatch() (model: %s, validation: %s)',
    (_model, validation, says, ofKind) => {
      const mismatch = () => 'a file, not a list';
      const error = thrownBy(
        createContext(raw, { unwrap, mismatch, schema: ofKind }, { validation }),
      );
      expect(error).toBeInstanceOf(ResponseShapeError);
      expect(error).toMatchObject({
        message: messageMatching(says),
        issues: [{ message: 'a file, not a list', path: [] }],
      });
      expect(error).toHaveProperty('data', envelope);
    },
  );
});

it('showIssues() prints the first five issues and the number of further issues', () => {
  const issues = Array.from({ length: 6 }, (_, index) => ({ message: `${index}`, path: ['a'] }));
  expect(showIssues(issues)).toBe('a: 0; a: 1; a: 2; a: 3; a: 4 (+1 more)');
  expect(showIssues(issues.slice(1))).not.toContain('more');
});
