import { ResponseDetails } from '../../../../src/transport/response/response-details.js';

type Facts = ConstructorParameters<typeof ResponseDetails>[0];

/** Creates response details, by default for a 200. */
export function createDetails(more: Partial<Facts> = {}): ResponseDetails {
  return new ResponseDetails({
    status: 200,
    statusText: 'OK',
    headers: {},
    url: 'https://a.example/x',
    fromCache: false,
    attempts: 1,
    credentialParameters: new Set(['access_token']),
    ...more,
  });
}
