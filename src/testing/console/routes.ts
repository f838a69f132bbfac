import { createHash } from 'node:crypto';
import { isRecord } from '../../schema/unknown-values.js';
import { parseJson, parseJsonObject, parseMediaType, readMultipart, readText } from '../bodies.js';
import { hasFourDigitYear } from '../clock.js';
import type { FamilyRequest } from '../family.js';
import { empty, httpError, json, type Reply } from '../reply.js';
import { Router } from '../router.js';
import { type ConsoleState, keyInState, md5, Run } from './state.js';

/** Form part or other request parameter. */
export interface ReceivedPart {
  /** Name of the field. */
  readonly name: string;
  /** File name. Undefined if the part isn't a file. */
  readonly filename: string | undefined;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
  /** MD5 of the content, in hex. The MD5 of a license authenticates requests. */
  readonly md5: string;
  /** Content. */
  readonly content: Buffer;
}

/** A request's inputs by name, from a multipart form, a URL-encoded form, JSON or the query. */
type Inputs = ReadonlyMap<string, ReceivedPart>;

/** Reads a request's inputs. @throws {HttpError} 400 if the body can't be read. */
export async function readInputs({ request, query }: FamilyRequest): Promise<Inputs> {
  const inputs = new Map<string, ReceivedPart>();
  for (const [name, value] of [...query, ...(await readFields(request))]) {
    const file = value instanceof File ? value : undefined;
    const filename = file?.name;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const content = file ? Buffer.from(await file.arrayBuffer()) : Buffer.from(text);
    const sha256 = createHash('sha256').update(content).digest('hex');
    inputs.set(name, { name, filename, size: content.length, sha256, md5: md5(content), content });
  }
  return inputs;
}

/** Maximum size of a multipart form in bytes. The whole form is read into memory. */
const mostOfUpload = 64 * 1_048_576;

async function readFields(request: Request): Promise<Iterable<[name: string, value: unknown]>> {
  const type = parseMediaType(request.headers);
  if (type === 'multipart/form-data') {
    return await readMultipart(request, mostOfUpload);
  }
  const text = await readText(request);
  const isJson = /\bjson\b/.test(type);
  return isJson ? Object.entries(parseJsonObject(text)) : new URLSearchParams(text);
}

interface ConsoleContext {
  readonly state: ConsoleState;
  readonly inputs: Inputs;
  /** URL of the configuration status, sent as `Location` when a run starts. */
  readonly configCheck: string;
  /** Records an upload for assertions. */
  readonly received: (part: ReceivedPart) => void;
}

interface ConsoleRoute {
  /** Whether the route is accessible without credentials. */
  readonly open?: boolean;
  readonly respond: (context: ConsoleContext) => Reply;
}

export const consoleRouter = new Router<ConsoleRoute>({
  'POST /start': { open: true, respond: start },
  'POST /upgrade': { respond: upgrade },
  'GET /configcheck': { respond: configCheck },
  'POST /configure': { respond: configure },
  'GET /settings': { respond: ({ state }) => json(200, state.settings) },
  'PUT /settings': { respond: updateSettings },
  'GET /maintenance': { respond: getMaintenance },
  'POST /maintenance': { respond: setMaintenance },
  'GET /settings/authorized-keys': { respond: ({ state }) => json(200, state.keys) },
  'POST /settings/authorized-keys': { respond: addKey },
  'DELETE /settings/authorized-keys': { respond: removeKey },
});

/** Returns an input. @throws {HttpError} 400 if it is missing or empty. */
function demand({ inputs }: ConsoleContext, name: string): ReceivedPart {
  const part = inputs.get(name);
  if (!part || part.size === 0) throw httpError(400, `${name} is required`);
  return part;
}

/** Returns an input as a JSON object. @throws {HttpError} 400 if it is missing or not a JSON object. */
function demandObject(context: ConsoleContext, name: string): Record<string, unknown> {
  const value = parseJson(demand(context, name).content.toString());
  if (!isRecord(value)) throw httpError(400, `${name} must be a JSON object`);
  return value;
}

function start(context: ConsoleContext): Reply {
  const { state, inputs } = context;
  const license = demand(context, 'license');
  const pack = demand(context, 'package');
  const settings = inputs.has('settings') ? readSettings(context) : {};
  takeLicense(context, license);
  state.merge(settings);
  context.received(pack);
  const version = parseVersion(pack);
  if (version !== undefined) state.set('package_version', version);
  return acceptRun(context);
}

function upgrade(context: ConsoleContext): Reply {
  const { state, inputs } = context;
  const license = inputs.get('license');
  const pack = inputs.get('package');
  if (license) takeLicense(context, license);
  if (pack) {
    context.received(pack);
    state.arriving =
      parseVersion(pack) ?? nextVersion(String(state.get('package_version') ?? '1.0'));
  }
  return startRun(context, true);
}

function configure(context: ConsoleContext): Reply {
  return startRun(context, context.inputs.get('complete')?.content.toString() === '1');
}

function startRun(context: ConsoleContext, complete: boolean): Reply {
  context.state.run = new Run(context.state.script, complete);
  return acceptRun(context);
}

function acceptRun({ configCheck: location }: ConsoleContext): Reply {
  return empty(202, { location });
}

function configCheck({ state }: ConsoleContext): Reply {
  const { script, run } = state;
  if (run && script.stale > 0) {
    script.stale--;
    // Without a previous run, there is no stale status to return.
    if (state.standing) return json(200, state.standing);
  }
  if (run) {
    state.standing = run.nextStatus();
    if (state.standing.status !== 'running') endRun(state, state.standing.status === 'success');
  }
  return state.standing ? json(200, state.standing) : json(404, { message: 'Not Found' });
}

function endRun(state: ConsoleState, isSuccess: boolean): void {
  state.set('configuration_run_count', Number(state.get('configuration_run_count') ?? 0) + 1);
  if (isSuccess && state.arriving !== undefined) state.set('package_version', state.arriving);
  state.arriving = undefined;
  state.run = undefined;
  state.script = { slow: new Map(), stale: 0 };
}

function updateSettings(context: ConsoleContext): Reply {
  context.state.merge(readSettings(context));
  return empty(204);
}

/** Returns the settings in a request. @throws {HttpError} 400 if a setting has the wrong type. */
function readSettings(context: ConsoleContext): Record<string, unknown> {
  const settings = demandObject(context, 'settings');
  const problem = context.state.findProblem(settings);
  if (problem !== undefined) throw httpError(400, problem);
  return settings;
}

function addKey(context: ConsoleContext): Reply {
  const { keys } = context.state;
  const key = keyInState(demand(context, 'authorized_key').content.toString());
  if (!key) throw httpError(400, 'authorized_key must be a public key');
  if (!keys.some((each) => each.key === key.key)) keys.push(key);
  return json(201, keys);
}

function removeKey(context: ConsoleContext): Reply {
  const { keys } = context.state;
  const key = demand(context, 'authorized_key').content.toString().trim();
  const at = keys.findIndex((each) => each.key === key);
  if (at >= 0) keys.splice(at, 1);
  return json(200, keys);
}

function takeLicense({ state, received }: ConsoleContext, license: ReceivedPart): void {
  state.licenseMd5 = license.md5;
  received(license);
}

/** Returns the version in a package's file name, such as `release-2.1.0.pkg`. */
function parseVersion({ filename }: ReceivedPart): string | undefined {
  return /\d+\.\d+\.\d+/.exec(filename ?? '')?.[0];
}

function nextVersion(version: string): string {
  const [major = '1', minor = '0'] = version.split('.');
  return `${major}.${Number(minor) + 1}.0`;
}

/** Responds with the maintenance status. During maintenance, each request closes one connection of each service. */
function getMaintenance({ state }: ConsoleContext): Reply {
  const { maintenance: start, maintenanceStatus: status, connections } = state;
  const services = [...connections].map(([name, number]) => ({ name, number }));
  if (status === 'on') {
    for (const { name, number } of services) connections.set(name, Math.max(0, number - 1));
  }
  return json(200, {
    status,
    scheduled_time: start ? formatTime(start) : '',
    connection_services: services,
  });
}

/** Schedules, starts or ends maintenance. */
function setMaintenance(context: ConsoleContext): Reply {
  const { state } = context;
  const { enabled, when } = demandObject(context, 'maintenance');
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
