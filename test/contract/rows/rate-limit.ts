import { RateLimitStatus } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import type { HostingCase } from '../case.js';

/** Returns a resource's rate limit, as reported in response headers. */
function budget(resource: string, remaining: number) {
  return { limit: 5000, remaining, reset: new Date(1_394_242_647_000), resource };
}

export const rateLimit: readonly HostingCase[] = [
  {
    row: 'GET /rate_limit',
    outside: true,
    operation: 'rateLimit.get',
    call: (c) => c.rateLimit.get(),
    url: '/rate_limit',
    status: 200,
    reply: sampleOf(RateLimitStatus),
    result: { core: budget('core', 4999), search: { ...budget('search', 4999), limit: 30 } },
  },
];
