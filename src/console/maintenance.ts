import { InvalidRequestError } from '../errors.js';
import type { Call } from '../transport/call.js';
import { endpoint, jsonMapped } from '../transport/endpoint.js';
import { flag, optional, rule } from '../transport/input.js';
import type { ConsoleCaller, ConsoleRequestOptions } from './caller.js';
import {
  type MaintenanceStatus,
  MaintenanceStatusWire,
  toMaintenanceStatus,
} from './models/index.js';

/** Input of `maintenance.set`. */
export interface SetMaintenance {
  readonly enabled: boolean;
  /**
   * `now`, a `Date` (sent as ISO 8601 in UTC), or any text that the server's natural-language date
   * parser accepts, in its own time zone (`tomorrow at 5am`). Required to enable; ignored by the
   * server when `enabled` is false.
   */
  readonly when?: 'now' | Date | (string & {}) | undefined;
}

const getEndpoint = endpoint<object>()({
  operation: 'maintenance.get',
  method: 'GET',
  path: '/setup/api/maintenance',
  input: {},
  answer: jsonMapped(MaintenanceStatusWire, toMaintenanceStatus),
});

const setEndpoint = endpoint<SetMaintenance>()({
  operation: 'maintenance.set',
  method: 'POST',
  path: '/setup/api/maintenance',
  input: {
    enabled: flag,
    when: optional(
      rule("'now', a valid Date, or a date as text", (value) =>
        value instanceof Date
          ? !Number.isNaN(value.getTime())
          : typeof value === 'string' && value.trim() !== '',
      ),
    ),
  },
  check({ enabled, when }) {
    if (enabled && when === undefined) {
      throw new InvalidRequestError(
        "maintenance.set: when is required to enable: 'now', a Date, or a date as text",
        'when',
      );
    }
  },
  encoding: 'form',
  wire: ({ enabled, when }) => ({
    maintenance: JSON.stringify({
      enabled,
      when: when instanceof Date ? when.toISOString() : when,
    }),
  }),
  answer: jsonMapped(MaintenanceStatusWire, toMaintenanceStatus),
});

/** Maintenance mode: users are locked out while it is on (contract: GET and POST maintenance). */
export class Maintenance {
  readonly #caller: ConsoleCaller;

  constructor(caller: ConsoleCaller) {
    this.#caller = caller;
  }

  /** The mode, and how many connections are open to each service. */
  get(options?: ConsoleRequestOptions): Call<MaintenanceStatus> {
    return this.#caller.call(getEndpoint, {}, options);
  }

  /**
   * Turns it on, now or later, or off.
   * @throws {InvalidRequestError} `when` is missing where it is needed, or no date.
   */
  set(input: SetMaintenance, options?: ConsoleRequestOptions): Call<MaintenanceStatus> {
    return this.#caller.call(setEndpoint, input, options);
  }
}
