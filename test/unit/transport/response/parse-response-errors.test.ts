import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  OperationFailedError,
  ResponseBodyError,
  ResponseShapeError,
} from '../../../../src/errors/index.js';
import { parseResponse } from '../../../../src/transport/response/parse-response.js';
import {
  conclusionOf,
  executed,
  foreignSchema,
  place,
  rawOf,
  request,
  Thing,
  thrownBy,
} from './parsed-responses.js';

describe('a media type that was not asked for', () => {
  const refuses = (type: string) => (type === 'text/html' ? `got ${type}` : undefined);
  const headers = { 'content-type': 'text/HTML; charset=utf-8' };
  const message = `things.update: 200, but got text/html${executed} ${place}`;

  it('is refused', () => {
    const raw = rawOf('<p>', { headers });
    const context = conclusionOf(raw, { kind: 'bytes', refuses });
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(ResponseBodyError);
    expect(error).toMatchObject({ message, problem: 'unexpected_type', status: 200, request });
    expect(error).toHaveProperty('response', context.response);
    expect(error).not.toHaveProperty('cause');
  });

  it('ends the stream that nobody will read', () => {
    const body = Readable.from(['<p>']);
    const error = thrownBy(conclusionOf(rawOf(body, { headers }), { kind: 'stream', refuses }));
    expect(error).toHaveProperty('message', message);
    expect(body.destroyed).toBe(true);
  });

  it.each(['image/png', undefined])('leaves the body alone where the type is %s', (type) => {
    const body = Readable.from(['x']);
    const raw = rawOf(body, { headers: { 'content-type': type } });
    expect(parseResponse(conclusionOf(raw, { kind: 'stream', refuses }))).toBe(body);
    expect(body.destroyed).toBe(false);
  });
});

describe('a body that is no JSON', () => {
  it('is told with its cause by name, as the real one quotes the body', () => {
    const context = conclusionOf(rawOf('{"token":"s3cret"'));
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(ResponseBodyError);
    expect(error).toMatchObject({
      message: `things.update: 200, but the body is not valid JSON (17 bytes)${executed} ${place}`,
      problem: 'invalid_json',
      status: 200,
      request,
      cause: { name: 'Error', message: 'invalid JSON' },
    });
    expect(error).toHaveProperty('response', context.response);
    expect(error).not.toHaveProperty('cause.cause');
  });

  it('says nothing of an execution where the request only reads', () => {
    const error = thrownBy(conclusionOf(rawOf('{'), {}, { reads: true }));
    expect(error).toHaveProperty(
      'message',
      `things.update: 200, but the body is not valid JSON (1 bytes) ${place}`,
    );
  });

  it.each([
    ['an empty body', Buffer.alloc(0)],
    ['a stream, which is not buffered', Readable.from(['{}'])],
  ])('is empty for %s, and has no cause', (_name, body) => {
    const error = thrownBy(conclusionOf(rawOf(body)));
    expect(error).toMatchObject({ problem: 'empty' });
    expect(error).not.toHaveProperty('cause');
  });
});

describe('a failure inside of a success', () => {
  const body = '{"statusMessage":"no s3cret\\n allowed","echo":["s3cret"]}';
  const refusedWith = (statusMessage: string | undefined, secrets: readonly string[] = []) => {
    const failure = () => ({ statusMessage });
    return conclusionOf(rawOf(body), { failure, schema: Thing }, { secrets });
  };

  it('is thrown in the words of the server, in one line and without secrets', () => {
    const context = refusedWith('no s3cret\n allowed', ['s3cret']);
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(OperationFailedError);
    expect(error).toMatchObject({
      message: `things.update: the server refused: no *** allowed ${place}`,
      statusMessage: 'no *** allowed',
      request,
    });
    expect(error).toHaveProperty('response', context.response);
    expect(error).toHaveProperty('body', {
      statusMessage: 'no ***\n allowed',
      echo: ['***'],
    });
  });

  it('is thrown where the server gives no reason', () => {
    const error = thrownBy(refusedWith(undefined));
    expect(error).toBeInstanceOf(OperationFailedError);
    expect(error).toMatchObject({
      message: `things.update: the server refused: it gives no reason ${place}`,
      statusMessage: undefined,
    });
  });
});

describe('an answer of another shape', () => {
  const unfit = 'things.update: the answer does not fit';
  const envelope = { data: { id: 'seven' } };
  const raw = rawOf(JSON.stringify(envelope));
  const unwrap = (value: unknown) => Reflect.get(Object(value), 'data');
  const issues = [{ message: 'expected a list' }, { message: 'too big', path: ['a', 0] }];
  const schema = foreignSchema(() => ({ issues }));

  it('is thrown with the issues of its model and the whole body', () => {
    const context = conclusionOf(raw, { unwrap, schema: Thing });
    const error = thrownBy(context);
    expect(error).toBeInstanceOf(ResponseShapeError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^things\.update: the answer does not fit Thing: id: /),
      issues: [{ message: expect.stringMatching(/number/), path: ['id'] }],
      request,
    });
    expect(error).toHaveProperty('data', envelope);
    expect(error).toHaveProperty('response', context.response);
  });

  it('is rejected with the issues of a schema that has no name', async () => {
    const context = conclusionOf(raw, { unwrap, schema });
    const error: unknown = await Promise.resolve(parseResponse(context)).catch((each) => each);
    expect(error).toBeInstanceOf(ResponseShapeError);
    expect(error).toMatchObject({
      message: `${unfit} its schema: (the answer itself): expected a list; a[0]: too big${executed} ${place}`,
      issues,
    });
    expect(error).toHaveProperty('data', envelope);
  });

  it('says nothing of an execution where the request only reads', async () => {
    const context = conclusionOf(raw, { schema }, { reads: true });
    await expect(parseResponse(context)).rejects.toHaveProperty(
      'message',
      `${unfit} its schema: (the answer itself): expected a list; a[0]: too big ${place}`,
    );
  });

  it('is not named after a schema that is a function', async () => {
    const callable = Object.assign(function callable() {}, schema);
    await expect(parseResponse(conclusionOf(raw, { schema: callable }))).rejects.toHaveProperty(
      'message',
      expect.stringContaining(`${unfit} its schema: `),
    );
  });

  it.each([
    ['Thing', Thing],
    ['its schema', undefined],
  ])('is thrown in every mode where it is of another kind than %s', (name, ofKind) => {
    const mismatch = () => 'a file, not a list';
    const error = thrownBy(
      conclusionOf(raw, { unwrap, mismatch, schema: ofKind }, { validation: 'off' }),
    );
    expect(error).toBeInstanceOf(ResponseShapeError);
    expect(error).toMatchObject({
      message: `${unfit} ${name}: (the answer itself): a file, not a list${executed} ${place}`,
      issues: [{ message: 'a file, not a list', path: [] }],
    });
    expect(error).toHaveProperty('data', envelope);
  });
});

it('a value that nobody validated and that can not be mapped is a ResponseShapeError', () => {
  const map = () => {
    throw new TypeError("Cannot read properties of null (reading 'core')");
  };
  expect(thrownBy(conclusionOf(rawOf('null'), { map }))).toBeInstanceOf(ResponseShapeError);
});
