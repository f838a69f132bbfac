import { RateLimitStatus } from '../../../src/hosting/models/index.js';
import { sampleOf } from '../../unit/hosting-samples.js';
import type { HostingCase } from '../case.js';

export const rateLimit: readonly HostingCase[] = [
  {
    row: 'GET /rate_limit',
    outside: true,
    operation: 'rateLimit.get',
    call: (c) => c.rateLimit.get(),
    url: '/rate_limit',
    status: 200,
    reply: sampleOf(RateLimitStatus),
  },
];
