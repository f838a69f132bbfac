import { InvalidRequestError } from '../../../../src/errors/index.js';
import type { ApiFamily } from '../../../../src/transport/base-client.js';

/** Client settings that apply to each request. */
export const context = {
  base: { origin: 'https://a.example', prefix: '/api/v3' },
  media: { vendor: 'service', version: 'v3' },
  accept: 'application/json',
  headers: [['x-a', 'b']],
  secrets: [],
  credentialParameters: new Set(['access_token']),
} as const;

/** API family whose rules apply to requests that no client method covers. */
export const family: ApiFamily = { encoding: 'json', writes: 'refused' };

/** Returns the InvalidRequestError that a function throws. */
export function refusal(run: () => unknown): InvalidRequestError {
  try {
    run();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
  throw new Error('expected an error, but the request was built');
}
