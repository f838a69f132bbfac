import type { JsonCall } from '../../transport/api-client.js';
import {
  defineEndpoint,
  json,
  jsonMapped,
  type ResponseSpec,
} from '../../transport/request/endpoint.js';
import { oneOf } from '../../transport/request/input.js';
import {
  AdminStats,
  AdminStatsModels,
  type AdminStatsResponse,
  type AdminStatsType,
} from '../models/admin-stats.js';
import { type HostingRequestOptions, HostingResource } from './common.js';

/** Requested statistics: one type, or `all`. */
export type AdminStatsScope = AdminStatsType | 'all';

/** Input of {@link AdminStatistics.get}. */
export interface AdminStatsInput<Type extends AdminStatsScope = AdminStatsScope> {
  /** Type of the statistics, or `all`. */
  readonly type: Type;
}

/** Statistics of one type. For `all`, the statistics of every type, keyed by type name. */
export type AdminStatsOf<Type extends AdminStatsScope> = Type extends AdminStatsType
  ? AdminStats[Type]
  : AdminStats;

const types = Object.keys(AdminStatsModels);

/**
 * Returns the statistics of one type. Some servers nest them under the type's name, as `AdminStats`
 * does.
 */
export function toStats<Type extends AdminStatsType>(
  type: Type,
  wire: AdminStatsResponse<Type>,
): AdminStats[Type] {
  const value: object = wire;
  const inner: unknown = Object.hasOwn(value, type) ? Reflect.get(value, type) : value;
  // `as`: the model has validated the statistics in either position.
  return inner as AdminStats[Type];
}

function createStatsSpec<Type extends AdminStatsType>(type: Type): ResponseSpec<AdminStats[Type]> {
  return jsonMapped(AdminStatsModels[type], (wire) => toStats(type, wire));
}

const getStats = defineEndpoint<AdminStatsInput>('GET /enterprise/stats/{type}')({
  operation: 'adminStats.get',
  input: { type: oneOf(...types, 'all') },
  response: ({ type }): ResponseSpec<AdminStats | AdminStats[AdminStatsType]> =>
    type === 'all' ? json(AdminStats) : createStatsSpec(type),
});

/** Statistics of the installation. Only site admins can read them. */
export class AdminStatistics extends HostingResource {
  /**
   * `GET /enterprise/stats/{type}`
   *
   * Returns the statistics of one type. With `type: 'all'`, returns every type's statistics, keyed
   * by type name. The server refreshes them about every 10 minutes.
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
