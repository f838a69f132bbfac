import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';

/** A request whose response may be cached. */
export const spec: RequestSpec = {
  operation: 'things.get',
  method: 'GET',
  target: { origin: 'https://code.example.com', path: '/api/v3/thing?page=2' },
  accept: 'application/json',
  headers: [['accept-language', 'de']],
  body: undefined,
  secrets: [],
  auth: undefined,
  retry: 'safe',
  exemptFromLimits: false,
};

/** Creates a request with the secret `s3cret` in its target. */
export function secretSpec(operation: string, target: RequestSpec['target']): RequestSpec {
  return { ...spec, operation, target, headers: [], secrets: ['s3cret'] };
}
