import { expect } from 'vitest';
import type { Failure } from '../../../../src/transport/http/raw-response.js';
import {
  createFailureError,
  type FailureContext,
} from '../../../../src/transport/response/failure.js';

/** The request that failed. */
export const request = {
  operation: 'pulls.create',
  method: 'POST',
  url: 'https://code.example.com/api/v3/repos/o/r/pulls',
};

/** End of each error message. */
export const place = '[POST https://code.example.com/api/v3/repos/o/r/pulls]';

/**
 * Matches a message that starts with the operation, contains text that matches `says`, and ends
 * with the request.
 */
export const matchMessage = (says: RegExp): unknown => {
  const end = place.replace(/\W/g, '\\$&');
  return expect.stringMatching(new RegExp(`^pulls\\.create: (?:.*\\b)?${says.source} ${end}$`));
};

/** Creates the context of a failed call. */
export const context = (more: Partial<FailureContext> = {}): FailureContext => ({
  request,
  timeouts: { total: 60_000, headers: 1000, body: 2000 },
  baseUrlOption: 'baseUrl',
  mayHaveActed: true,
  reads: false,
  secrets: [],
  ...more,
});

/** Creates a failed attempt. */
export const failure = (kind: Failure['kind'], more: Partial<Failure> = {}): Failure => ({
  failed: true,
  kind,
  cause: new Error('the reason'),
  sent: true,
  status: undefined,
  ...more,
});

/** Returns the error for a broken connection. */
export const lost = (cause: unknown, more: Partial<FailureContext> = {}) =>
  createFailureError(failure('connection', { cause }), context(more));
