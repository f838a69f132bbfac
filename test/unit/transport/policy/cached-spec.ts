import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';

/** A request whose answer may be kept. */
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

/** A request with a secret, `s3cret`, somewhere in its target. */
export function secretSpec(operation: string, target: RequestSpec['target']): RequestSpec {
  return { ...spec, operation, target, headers: [], secrets: ['s3cret'] };
}
