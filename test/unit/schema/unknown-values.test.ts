import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { errorMessage, isError } from '../../../src/schema/unknown-values.js';

describe('isError', () => {
  it('accepts errors from other realms, such as Node.js errors in Jest', () => {
    const foreign: unknown = runInNewContext('new TypeError("from elsewhere")');
    expect(foreign instanceof Error).toBe(false);
    expect(isError(foreign)).toBe(true);
    expect(errorMessage(foreign)).toBe('from elsewhere');
  });

  it('accepts subclasses of Error and DOMException', () => {
    class Own extends Error {}
    expect([new Own(), new DOMException('x', 'AbortError')].map(isError)).toEqual([true, true]);
  });

  it('rejects values that only look like an error', () => {
    const values = [undefined, null, 'Error: x', { name: 'Error', message: 'x' }];
    expect(values.map(isError)).toEqual([false, false, false, false]);
  });
});
