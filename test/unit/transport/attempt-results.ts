import type { RawHeaders } from '../../../src/transport/http/headers.js';
import type { Failure, RawResponse } from '../../../src/transport/http/raw-response.js';

/** Creates a response without a body. */
export const respond = (status: number, headers: RawHeaders = {}): RawResponse => ({
  failed: false,
  status,
  statusText: '',
  headers,
  body: Buffer.alloc(0),
});

/** Creates the failure of a request that was sent but got no response. */
export const failure = (kind: Failure['kind'], more: Partial<Failure> = {}): Failure => ({
  failed: true,
  kind,
  cause: new Error('x'),
  sent: true,
  status: undefined,
  ...more,
});
