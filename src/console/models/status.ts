import * as z from 'zod/mini';
import { type Model, model, openEnum, ref } from '../../schema/model.js';

/** One step of a configuration run. */
export interface ConfigurationStep {
  /** Name of the step. */
  key: string;
  /** PENDING: not started; CONFIGURING: running; DONE; FAILED: ended unexpectedly. */
  status: 'PENDING' | 'CONFIGURING' | 'DONE' | 'FAILED' | (string & {});
}

/** How a configuration run stands. */
export interface ConfigurationStatus {
  /** How far the run is: `running`, `success`, `failed`, or another word of the server. */
  status: 'running' | 'success' | (string & {});
  /** The steps, in their order. */
  progress: ConfigurationStep[];
}

/** How many users a service has, as it comes: older versions send the number as a string. */
export interface ConnectionServiceWire {
  name: string;
  number: number | string;
}

/** The maintenance status as it comes; see {@link MaintenanceStatus}. */
export interface MaintenanceStatusWire {
  status: 'on' | 'off' | 'scheduled' | (string & {});
  scheduled_time?: string | null | undefined;
  connection_services?: ConnectionServiceWire[] | null | undefined;
}

/** How many connections a service has. */
export interface ConnectionService {
  /** Name of the service. */
  name: string;
  /** Connections that are open to it. */
  number: number;
}

/** The maintenance mode of an appliance. */
export interface MaintenanceStatus {
  /** Whether it is on, off or scheduled. */
  status: 'on' | 'off' | 'scheduled' | (string & {});
  /** When it begins, in the appliance's own words; absent where nothing is scheduled. */
  scheduled_time: string | undefined;
  /** Connections that are still open. */
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

/** From the wire to the public shape: counts are numbers, and what is missing is empty. */
export function toMaintenanceStatus(wire: MaintenanceStatusWire): MaintenanceStatus {
  return {
    ...wire,
    scheduled_time: wire.scheduled_time ?? undefined,
    connection_services: (wire.connection_services ?? []).map((service) => ({
      ...service,
      number: Number(service.number),
    })),
  };
}
