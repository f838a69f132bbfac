import { describe, expect, it } from 'vitest';
import { callOf, type ResponseHolder } from '../../../src/transport/call.js';
import { answered } from './answered.js';

describe('the promise of a call', () => {
  it('is the promise that runs, and gives the answer too', async () => {
    const running = Promise.resolve('data');
    const holder: ResponseHolder = { response: undefined };
    const call = callOf(running, holder);
    expect(call).toBe(running);
    // The answer is known only later, as in the pipeline.
    holder.response = answered();
    const result = await call.withResponse();
    expect(Object.keys(result)).toEqual(['data', 'response']);
    expect(result.data).toBe('data');
    expect(result.response).toBe(holder.response);
  });

  it('fails in both ways with the same error', async () => {
    const error = new Error('failed');
    const call = callOf(Promise.reject(error), { response: undefined });
    await expect(call.withResponse()).rejects.toBe(error);
    await expect(call).rejects.toBe(error);
  });

  it('does not pretend an answer', async () => {
    const { withResponse } = callOf(Promise.resolve(1), { response: undefined });
    await expect(withResponse()).rejects.toStrictEqual(
      new TypeError('a result came without an answer'),
    );
  });
});
