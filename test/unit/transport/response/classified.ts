import type { ApiError } from '../../../../src/errors/index.js';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import type { RawResponse } from '../../../../src/transport/http/raw-response.js';
import { classify } from '../../../../src/transport/response/classify.js';
import { createDetails } from './create-details.js';

/** Arrival time of the responses. */
export const now = Date.UTC(2024, 0, 1);

/** End of each error message. */
export const place = '[GET https://a.example/x]';

/** Creates a response whose body is text, or a value as JSON. */
export function createResponse(
  status: number,
  body: unknown,
  headers: RawHeaders = {},
  statusText = 'Reason',
): RawResponse & { readonly body: Buffer } {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { failed: false, status, statusText, headers, body: Buffer.from(text) };
}

interface Context {
  readonly accept?: string;
  readonly untrustedOrigin?: string;
  readonly statusText?: string;
  readonly secrets?: readonly string[];
  readonly unauthorizedHint?: string;
  readonly maxWait?: number;
  readonly maxRetryAfter?: number;
}

/** Returns the error for a response to a GET. */
export function createError(
  status: number,
  body: unknown,
  headers: RawHeaders = {},
  { statusText, secrets = [], accept = '', ...more }: Context = {},
): ApiError {
  const raw = createResponse(status, body, headers, statusText);
  const response = createDetails({ status, statusText: raw.statusText, headers });
  const request = { operation: 'op', method: 'GET', url: 'https://a.example/x' };
  return classify(raw, { request, response, secrets, accept, now, mayHaveActed: false, ...more });
}
