import * as z from 'zod/mini';
import { fields, type Model, model, openEnum, ref } from '../../schema/model.js';

/** Step of a configuration run. */
export interface ConfigurationStep {
  /** Name of the step. */
  key: string;
  /**
   * State of the step: PENDING (not started), CONFIGURING (running), DONE, or FAILED (ended
   * unexpectedly).
   */
  status: 'PENDING' | 'CONFIGURING' | 'DONE' | 'FAILED' | (string & {});
}

/** Progress of a configuration run. */
export interface ConfigurationStatus {
  /** State of the run: `running`, `success`, or another value sent by the server. */
  status: 'running' | 'success' | (string & {});
  /** Steps of the run, in order. */
  progress: ConfigurationStep[];
}

/** Number of connections to a service, as received. Older versions send the number as a string. */
export interface ConnectionServiceWire {
  name: string;
  number: number | string;
}

/** Maintenance status as received, before conversion to {@link MaintenanceStatus}. */
export interface MaintenanceStatusWire {
  status: 'on' | 'off' | 'scheduled' | (string & {});
  scheduled_time?: string | null | undefined;
  connection_services?: ConnectionServiceWire[] | null | undefined;
}

/** Number of connections to a service. */
export interface ConnectionService {
  /** Name of the service. */
  name: string;
  /** Number of open connections. */
  number: number;
}

/** Maintenance status of an appliance. */
export interface MaintenanceStatus {
  /** State of maintenance mode: on, off or scheduled. */
  status: 'on' | 'off' | 'scheduled' | (string & {});
  /** Scheduled start time, as formatted by the appliance. Undefined if nothing is scheduled. */
  scheduled_time: string | undefined;
  /** Open connections by service. */
  connection_services: ConnectionService[];
}

export const ConfigurationStep = model<ConfigurationStep>()('ConfigurationStep', () => ({
  key: z.string(),
  status: openEnum('PENDING', 'CONFIGURING', 'DONE', 'FAILED'),
}));

export const ConfigurationStatus = model<ConfigurationStatus>()('ConfigurationStatus', () => ({
  status: openEnum('running', 'success'),
  progress: z.array(ref(ConfigurationStep)),
}));

const ConnectionServiceModel: Model<ConnectionServiceWire> = model<ConnectionServiceWire>()(
  'ConnectionService',
  () => ({
    name: z.string(),
    number: z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/))]),
  }),
);

export const MaintenanceStatusWire = model<MaintenanceStatusWire>()('MaintenanceStatus', () => ({
  status: openEnum('on', 'off', 'scheduled'),
  scheduled_time: z.nullish(z.string()),
  connection_services: z.nullish(z.array(ref(ConnectionServiceModel))),
}));

/**
 * Converts the received status. Counts become numbers, and a missing list becomes an empty list.
 */
export function toMaintenanceStatus(wire: MaintenanceStatusWire): MaintenanceStatus {
  return {
    ...wire,
    scheduled_time: wire.scheduled_time || undefined,
    connection_services: (wire.connection_services ?? []).map((service) => ({
      ...service,
      number: Number(service.number),
    })),
  };
}

/** SSH key with access to the appliance. */
export interface AuthorizedKey {
  /** Public key, as in an `authorized_keys` file. */
  key: string;
  /** Fingerprint of the key. */
  'pretty-print': string;
}

export const AuthorizedKey = model<AuthorizedKey>()('AuthorizedKey', () => ({
  ...fields(z.string, 'key pretty-print'),
}));
