import { InvalidRequestError } from '../../../../src/errors/index.js';
import type { ApiFamily } from '../../../../src/transport/request/endpoint-words.js';

/** What a client gives to each of its requests. */
export const context = {
  base: { origin: 'https://a.example', prefix: '/api/v3' },
  media: { vendor: 'service', version: 'v3' },
  accept: 'application/json',
  headers: [['x-a', 'b']],
  secrets: [],
  credentialParameters: new Set(['access_token']),
} as const;

/** The API whose rules apply to single requests. */
export const family: ApiFamily = { schemes: ['basic', 'application'], writes: 'refused' };

/** Why a request was not built. */
export function refusal(run: () => unknown): InvalidRequestError {
  try {
    run();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
  throw new Error('expected a refusal, but the request was built');
}
