import type { JsonCall } from '../transport/api-client.js';
import { defineEndpoint, jsonMapped } from '../transport/request/endpoint.js';
import { createInputError, flag, optional, rule, text } from '../transport/request/input.js';
import { type ConsoleRequestOptions, ConsoleResource, jsonTextSchema } from './common.js';
import {
  type MaintenanceStatus,
  MaintenanceStatusWire,
  toMaintenanceStatus,
} from './models/status.js';

/** Input of `maintenance.set`. */
export interface SetMaintenance {
  /** Whether to turn maintenance mode on (`true`) or off (`false`). */
  readonly enabled: boolean;
  /**
   * Start of the maintenance: `now`, a `Date` (sent as ISO 8601 in UTC), or text such as `tomorrow
   * at 5am`. Text without a UTC offset is in the server's time zone. Required if `enabled` is true.
   * Otherwise, the server ignores this input.
   */
  readonly when?: 'now' | Date | (string & {}) | undefined;
}

const getEndpoint = defineEndpoint<object>('GET /setup/api/maintenance')({
  operation: 'maintenance.get',
  input: {},
  response: jsonMapped(MaintenanceStatusWire, toMaintenanceStatus),
});

const setEndpoint = defineEndpoint<SetMaintenance>('POST /setup/api/maintenance')({
  operation: 'maintenance.set',
  input: {
    enabled: flag,
    when: optional(
      rule(
        "'now', a valid Date, or a date string",
        (value) =>
          value instanceof Date
            ? !Number.isNaN(value.getTime())
            : typeof value === 'string' && value.trim() !== '',
        text.schema,
      ),
    ),
  },
  check({ enabled, when }) {
    if (enabled && when === undefined) {
      const why = "is required if enabled is true. Pass 'now', a Date or a date string.";
      throw createInputError('when', why, 'maintenance.set');
    }
  },
  encoding: 'form',
  serialize: ({ enabled, when }) => ({
    maintenance: JSON.stringify({
      enabled,
      when: when instanceof Date ? when.toISOString() : when,
    }),
  }),
  fields: { maintenance: { ...text, schema: jsonTextSchema } },
  retry: 'unsent',
  response: jsonMapped(MaintenanceStatusWire, toMaintenanceStatus),
});

/** Maintenance mode, which locks users out while it is on. */
export class Maintenance extends ConsoleResource {
  /**
   * `GET /setup/api/maintenance`
   *
   * Returns the maintenance status and the number of open connections to each service.
   * @example const { status } = await appliance.maintenance.get();
   */
  get(options?: ConsoleRequestOptions): JsonCall<MaintenanceStatus> {
    return this.api.call(getEndpoint, {}, options);
  }

  /**
   * `POST /setup/api/maintenance`
   *
   * Turns maintenance mode on or off, or schedules it for a later time.
   * @throws {InvalidRequestError} if `when` is required but missing, is blank, or is an
   * invalid `Date`.
   * @throws {BadRequestError} if the server can't interpret the text in `when`.
   * @example await appliance.maintenance.set({ enabled: true, when: 'now' });
   */
  set(input: SetMaintenance, options?: ConsoleRequestOptions): JsonCall<MaintenanceStatus> {
    return this.api.call(setEndpoint, input, options);
  }
}
