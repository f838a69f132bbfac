import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  OperationFailedError,
  ResponseBodyError,
  ResponseShapeError,
} from '../../../../src/errors/index.js';
import { showIssues } from '../../../../src/schema/standard-schema.js';
import { parseResponse } from '../../../../src/transport/response/parse-response.js';
import {
  createContext,
  createRaw,
  foreignSchema,
  messageMatching,
  request,
  Thing,
  thrownBy,
} from './parsed-responses.js';

describe('parseResponse()', () => {
  const typeMismatch = (type: string) => (type === 'text/html' ? `got ${type}` : undefined);
  const headers = { 'content-type': 'text/HTML; charset=utf-8' };
  const message = messageMatching(/200, .*text\/html/);

  it("throws a ResponseBodyError with the reason 'unexpected_type' for an unrequested media type", () => {
    const raw = createRaw('<p>', { headers });
    const context = createContext(raw, { kind: 'bytes', typeMismatch });
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(ResponseBodyError);
    expect(error).toMatchObject({ message, reason: 'unexpected_type', status: 200, request });
    expect(error).toHaveProperty('response', context.call.response);
    expect(error).not.toHaveProperty('cause');
  });

  it.each(['image/png', undefined])('accepts the content type %s', (type) => {
    const body = Readable.from(['x']);
    const raw = createRaw(body, { headers: { 'content-type': type } });
    expect(parseResponse(createContext(raw, { kind: 'stream', typeMismatch }))).toBe(body);
    expect(body.destroyed).toBe(false);
  });

  it('the error for invalid JSON does not quote the body', () => {
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

  it.each([['an empty body', Buffer.alloc(0)]])(
    "throws an error with the reason 'empty' for %s",
    (_name, body) => {
      const error = thrownBy(createContext(body));
      expect(error).toMatchObject({ reason: 'empty' });
      expect(error).not.toHaveProperty('cause');
    },
  );
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
  const unwrap = (value: unknown) => Reflect.get(Object(value), 'data');
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
    ['the model Thing', / Thing: .*a file, not a list/, Thing],
    ['an unnamed schema', / its schema: .*a file, not a list/, undefined],
  ])(
    'parseResponse() rejects a mismatch with %s even if validation is off',
    (_what, says, ofKind) => {
      const mismatch = () => 'a file, not a list';
      const error = thrownBy(
        createContext(raw, { unwrap, mismatch, schema: ofKind }, { validation: 'off' }),
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
