import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { createCall, type JsonCall } from '../../../../src/transport/api-client.js';
import { anyJson, createJob } from '../prepared-calls.js';
import { createDetails } from './create-details.js';

describe('createCall()', () => {
  it('withResponse() resolves to the data and the response', async () => {
    const response = createDetails();
    const call = createCall(Promise.resolve({ data: 'data', response }));
    expect(await call).toBe('data');
    const result = await call.withResponse();
    expect(Object.keys(result)).toEqual(['data', 'response']);
    expect(result.data).toBe('data');
    expect(result.response).toBe(response);
  });

  it('a call rejects with the same error with and without withResponse()', async () => {
    const error = new Error('failed');
    const call = createCall(Promise.reject(error));
    await expect(call.withResponse()).rejects.toBe(error);
    await expect(call).rejects.toBe(error);
  });

  it.each(['the call', 'withResponse()'])(
    "emits one unhandled rejection if the caller doesn't handle the promise of %s",
    async (which) => {
      const unhandled: unknown[] = [];
      const listen = (reason: unknown) => unhandled.push(reason);
      const others = process.listeners('unhandledRejection');
      process.removeAllListeners('unhandledRejection').on('unhandledRejection', listen);
      try {
        const call = createCall(Promise.reject(new Error('failed')));
        if (which !== 'the call') void call.withResponse();
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      } finally {
        process.removeListener('unhandledRejection', listen);
        for (const other of others) process.on('unhandledRejection', other);
      }
      expect(unhandled).toHaveLength(1);
    },
  );
});

describe('as() with an invalid schema', () => {
  const validate = (call: JsonCall<unknown>): JsonCall<unknown> =>
    Reflect.apply(call.as, call, ['no schema']);

  it('as() rejects an invalid schema before the request has ended', async () => {
    const wrong = validate(createCall(new Promise(() => {}), createJob(anyJson)));
    await expect(wrong).rejects.toThrow(InvalidRequestError);
    await expect(wrong.withResponse()).rejects.toMatchObject({ field: 'as' });
  });

  it('as() rejects an invalid schema even if the request fails', async () => {
    const failed = Promise.reject(new Error('failed'));
    const wrong = validate(createCall(failed, createJob(anyJson)));
    await expect(wrong).rejects.toMatchObject({ field: 'as' });
  });

  it("as() rejects with the input's error if the call was never prepared", async () => {
    const error = new Error('failed');
    await expect(validate(createCall(Promise.reject(error)))).rejects.toBe(error);
  });
});
