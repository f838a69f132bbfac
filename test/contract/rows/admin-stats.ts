import { AdminStats, type AdminStatsType } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, missing } from '../case.js';

const row = 'GET /enterprise/stats/:type';
const operation = 'adminStats.get';
const stats = sampleOf(AdminStats);
// `as`: the sample's keys are exactly the types.
const types = Object.keys(stats) as AdminStatsType[];

export const adminStats: readonly HostingCase[] = [
  ...types.flatMap((type): HostingCase[] => {
    const common = { row, operation, url: `/enterprise/stats/${type}`, status: 200 } as const;
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
    status: 200,
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
];
