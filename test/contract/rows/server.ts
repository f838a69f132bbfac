import { AdminStats, type AdminStatsType, RateLimitStatus } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, missing, withStatus } from '../case.js';

const row = 'GET /enterprise/stats/:type';
const operation = 'adminStats.get';
const stats = sampleOf(AdminStats);
// `as`: the sample's keys are exactly the types.
const types = Object.keys(stats) as AdminStatsType[];

export const adminStats = withStatus<HostingCase>([
  ...types.flatMap((type): HostingCase[] => {
    const common = { row, operation, url: `/enterprise/stats/${type}` } as const;
    const inner = stats[type];
    return [
      // The contract nests a single type's statistics under the type's name. Real servers send the
      // statistics without a wrapper.
      {
        ...common,
        call: (c) => c.adminStats.get({ type }),
        reply: { [type]: inner },
        result: inner,
      },
      { ...common, call: (c) => c.adminStats.get({ type }), reply: inner },
    ];
  }),
  {
    row,
    operation,
    call: (c) => c.adminStats.get({ type: 'all' }),
    url: '/enterprise/stats/all',
    reply: stats,
  },
  {
    row,
    operation,
    call: (c) => c.adminStats.get({ type: 'all' }),
    url: '/enterprise/stats/all',
    status: 404,
    reply: missing,
    error: 'not_found',
  },
]);

/** Returns a resource's rate limit, as reported in response headers. */
function budget(resource: string, remaining: number) {
  return { limit: 5000, remaining, reset: new Date(1_394_242_647_000), resource };
}

export const rateLimit = withStatus<HostingCase>([
  {
    row: 'GET /rate_limit',
    notInContract: true,
    operation: 'rateLimit.get',
    call: (c) => c.rateLimit.get(),
    url: '/rate_limit',
    reply: sampleOf(RateLimitStatus),
    result: { core: budget('core', 4999), search: { ...budget('search', 4999), limit: 30 } },
  },
]);
