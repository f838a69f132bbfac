import { hasFourDigitYear } from '../clock.js';
import { httpError, json, type Reply } from '../reply.js';
import type { ConsoleContext } from './context.js';

/** Responds with the maintenance status. During maintenance, each request closes one connection of each service. */
export function getMaintenance({ state, quirks }: ConsoleContext): Reply {
  const { maintenance: start, maintenanceStatus: status } = state;
  const asText = quirks.consoleNumbers === 'string';
  const services = [...state.connections].map(([name, number]) => ({
    name,
    number: asText ? String(number) : number,
  }));
  const timed = quirks.consoleScheduledTime === 'always' || status === 'scheduled';
  if (status === 'on') {
    for (const [name, number] of state.connections) {
      state.connections.set(name, Math.max(0, number - 1));
    }
  }
  return json(200, {
    status,
    ...(timed && { scheduled_time: start ? formatTime(start) : '' }),
    connection_services: services,
  });
}

/** Schedules, starts or ends maintenance. */
export function setMaintenance(context: ConsoleContext): Reply {
  const { state, inputs } = context;
  const { enabled, when } = inputs.object('maintenance');
  // Clients that build JSON from strings send 'true' and 'false' as strings.
  const on = enabled === true || enabled === 'true';
  if (!on && enabled !== false && enabled !== 'false') {
    throw httpError(400, 'maintenance.enabled: must be true or false');
  }
  state.maintenance = on ? parseTime(when, state.now) : undefined;
  return getMaintenance(context);
}

/**
 * Parses `now` or a date that `Date.parse` accepts.
 * @throws {HttpError} 400 for any other value.
 */
function parseTime(when: unknown, now: Date): Date {
  if (typeof when !== 'string' || when === '')
    throw httpError(400, 'maintenance.when: is required');
  const time = when.trim().toLowerCase() === 'now' ? now : new Date(when);
  // An exported world can't contain times outside the years 0 to 9999.
  if (hasFourDigitYear(time.getTime())) return time;
  throw httpError(400, `maintenance.when: must be 'now' or a date (got ${when})`);
}

const dayFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Formats a time as appliances do, such as `Tuesday, January 2 at 15:34 +0000`. */
function formatTime(time: Date): string {
  const day = dayFormat.format(time).replace(/\d+$/, (date) => date.padStart(2));
  return `${day} at ${time.toISOString().slice(11, 16)} +0000`;
}
