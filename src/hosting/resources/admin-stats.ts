import { isRecord } from '../../schema/unknown-values.js';
import type { JsonCall } from '../../transport/api-client.js';
import { defineEndpoint, json, type ResponseSpec } from '../../transport/request/endpoint.js';
import { oneOf } from '../../transport/request/input.js';
import { AdminStats, type AdminStatsType, adminStatsModels } from '../models/admin-stats.js';
import { type HostingRequestOptions, HostingResource } from './common.js';

/** Requested statistics: one type, or `all`. */
export type AdminStatsScope = AdminStatsType | 'all';

/** Input of {@link AdminStatistics.get}. */
export interface AdminStatsInput<Type extends AdminStatsScope = AdminStatsScope> {
  /** Type of statistics to return, or `all` for every type. */
  readonly type: Type;
}

/** Statistics of one type. For `all`, the statistics of every type, keyed by type name. */
export type AdminStatsOf<Type extends AdminStatsScope> = Type extends AdminStatsType
  ? AdminStats[Type]
  : AdminStats;

const types = Object.keys(adminStatsModels);

type AnyStats = AdminStats | AdminStats[AdminStatsType];

const getStats = defineEndpoint<AdminStatsInput>('GET /enterprise/stats/{type}')({
  operation: 'adminStats.get',
  input: { type: oneOf(...types, 'all') },
  response: ({ type }): ResponseSpec<AnyStats> => {
    if (type === 'all') return json(AdminStats);
    return {
      ...json<AnyStats>(adminStatsModels[type]),
      // Some servers nest the statistics under the type's name, as `AdminStats` does.
      unwrap: (value) => (isRecord(value) && Object.hasOwn(value, type) ? value[type] : value),
      envelope: [type],
    };
  },
});

/** Statistics of the installation. Only site admins can read the statistics. */
export class AdminStatistics extends HostingResource {
  /**
   * `GET /enterprise/stats/{type}`
   *
   * Returns statistics of one type. `type: 'all'` returns the statistics of every type, keyed by
   * type name. The server refreshes the statistics about every 10 minutes.
   * @throws {NotFoundError} if the caller isn't a site admin.
   * @example const { repos } = await hosting.adminStats.get({ type: 'all' });
   */
  get<Type extends AdminStatsScope>(
    input: AdminStatsInput<Type>,
    options?: HostingRequestOptions,
  ): JsonCall<AdminStatsOf<Type>> {
    // `as`: the type of the result depends on the requested type.
    return this.api.call(getStats, input, options) as JsonCall<AdminStatsOf<Type>>;
  }
}
