import type { JsonCall } from '../../transport/call.js';
import { type Answer, endpoint, json, jsonMapped } from '../../transport/request/endpoint.js';
import { oneOf } from '../../transport/request/input.js';
import {
  AdminStats,
  type AdminStatsAnswer,
  AdminStatsAnswers,
  type AdminStatsType,
} from '../models/admin-stats.js';
import { type HostingRequestOptions, HostingResource } from './common.js';

/** What statistics are asked for: those of one type, or all of them. */
export type AdminStatsScope = AdminStatsType | 'all';

/** Input of {@link AdminStatistics.get}. */
export interface AdminStatsInput<Type extends AdminStatsScope = AdminStatsScope> {
  /** One type, or `all` others combined. */
  readonly type: Type;
}

/** What statistics of a type are: its numbers; of `all`, the numbers of every type by its name. */
export type AdminStatsOf<Type extends AdminStatsScope> = Type extends AdminStatsType
  ? AdminStats[Type]
  : AdminStats;

const types = Object.keys(AdminStatsAnswers);

/** Numbers of one type come bare, as real servers send them, or under the type's name. */
export function toStatsOf<Type extends AdminStatsType>(
  type: Type,
  wire: AdminStatsAnswer<Type>,
): AdminStats[Type] {
  const value: object = wire;
  const inner: unknown = Object.hasOwn(value, type) ? Reflect.get(value, type) : value;
  // `as`: the model has judged the numbers, in the one place as in the other.
  return inner as AdminStats[Type];
}

function statsAnswer<Type extends AdminStatsType>(type: Type): Answer<AdminStats[Type]> {
  return jsonMapped(AdminStatsAnswers[type], (wire) => toStatsOf(type, wire));
}

const getStats = endpoint<AdminStatsInput>('GET /enterprise/stats/{type}')({
  operation: 'adminStats.get',
  input: { type: oneOf(...types, 'all') },
  answer: ({ type }): Answer<AdminStats | AdminStats[AdminStatsType]> =>
    type === 'all' ? json(AdminStats) : statsAnswer(type),
});

/** Statistics of the installation. */
export class AdminStatistics extends HostingResource {
  /**
   * `GET /enterprise/stats/{type}`
   *
   * Numbers of one type, or with `type: 'all'` of every type by its name. The server refreshes them about
   * every ten minutes.
   * @throws {NotFoundError} the caller is no site admin.
   * @example const { repos } = await hosting.adminStats.get({ type: 'all' });
   */
  get<Type extends AdminStatsScope>(
    input: AdminStatsInput<Type>,
    options?: HostingRequestOptions,
  ): JsonCall<AdminStatsOf<Type>> {
    // `as`: the endpoint answers by the type that was asked for.
    return this.api.call(getStats, input, options) as JsonCall<AdminStatsOf<Type>>;
  }
}
