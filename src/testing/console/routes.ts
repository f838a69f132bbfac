import { empty, httpError, json, type Reply } from '../reply.js';
import { Router } from '../router.js';
import type { ConsoleContext, ConsoleRoute } from './context.js';
import type { Inputs } from './inputs.js';
import { getMaintenance, setMaintenance } from './maintenance.js';
import type { ReceivedPart } from './multipart.js';
import { emptyScript, Run } from './run.js';
import { type ConsoleState, keyInState } from './state.js';

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

function start(context: ConsoleContext): Reply {
  const { state, inputs } = context;
  const license = demand(inputs, 'license');
  const pack = demand(inputs, 'package');
  const settings = inputs.part('settings') ? readSettings(context) : {};
  // Takes the license first, because a request with an oversized license must change nothing.
  takeLicense(context, license);
  state.merge(settings);
  context.received(pack);
  const version = parseVersion(pack);
  if (version !== undefined) state.set('package_version', version);
  return acceptRun(context);
}

function upgrade(context: ConsoleContext): Reply {
  const { state, inputs } = context;
  const license = inputs.part('license');
  const pack = inputs.part('package');
  if (license) takeLicense(context, license);
  if (pack) {
    context.received(pack);
    state.arriving =
      parseVersion(pack) ?? nextVersion(String(state.get('package_version') ?? '1.0'));
  }
  return startRun(context, true);
}

function configure(context: ConsoleContext): Reply {
  const complete = context.inputs.part('complete')?.content?.toString() === '1';
  return startRun(context, complete);
}

function startRun(context: ConsoleContext, complete: boolean): Reply {
  context.state.run = new Run(context.state.scene, complete);
  return acceptRun(context);
}

function configCheck({ state }: ConsoleContext): Reply {
  const { scene, run } = state;
  if (scene.late > 0) {
    scene.late--;
    return json(404, { message: 'Not Found' });
  }
  if (run && scene.stale > 0) {
    scene.stale--;
    // Without a previous run, there is no stale status to return.
    if (state.standing) return json(200, state.standing);
  }
  if (run) {
    state.standing = run.nextStatus();
    if (run.ended && state.standing.status !== 'running') endRun(state, run);
  }
  return state.standing ? json(200, state.standing) : json(404, { message: 'Not Found' });
}

function endRun(state: ConsoleState, run: Run): void {
  state.set('configuration_run_count', Number(state.get('configuration_run_count') ?? 0) + 1);
  if (run.succeeded && state.arriving !== undefined) state.set('package_version', state.arriving);
  state.arriving = undefined;
  state.run = undefined;
  state.scene = emptyScript();
}

function updateSettings(context: ConsoleContext): Reply {
  context.state.merge(readSettings(context));
  return empty(204);
}

/** Returns the settings in a request. @throws {HttpError} 400 if a setting has the wrong type. */
function readSettings({ state, inputs }: ConsoleContext): Record<string, unknown> {
  const settings = inputs.object('settings');
  const problem = state.findProblem(settings);
  if (problem !== undefined) throw httpError(400, problem);
  return settings;
}

function addKey({ state, inputs }: ConsoleContext): Reply {
  const key = keyInState(inputs.text('authorized_key'));
  if (!key) throw httpError(400, 'authorized_key must be a public key');
  if (!state.keys.some((each) => each.key === key.key)) state.keys.push(key);
  return json(201, state.keys);
}

function removeKey({ state, inputs }: ConsoleContext): Reply {
  const key = inputs.text('authorized_key').trim();
  const at = state.keys.findIndex((each) => each.key === key);
  if (at >= 0) state.keys.splice(at, 1);
  return json(200, state.keys);
}

function demand(inputs: Inputs, name: string): ReceivedPart {
  const part = inputs.part(name);
  if (!part || part.size === 0) throw httpError(400, `${name} is required`);
  return part;
}

function takeLicense({ state, received }: ConsoleContext, license: ReceivedPart): void {
  if (!license.content) throw httpError(400, 'license: must be at most 1 MiB');
  state.licenseMd5 = license.md5;
  received(license);
}

function acceptRun({ configCheck: location }: ConsoleContext): Reply {
  return empty(202, { location });
}

/** Returns the version in a package's file name, such as `release-2.1.0.pkg`. */
function parseVersion({ filename }: ReceivedPart): string | undefined {
  return /\d+\.\d+\.\d+/.exec(filename ?? '')?.[0];
}

function nextVersion(version: string): string {
  const [major = '1', minor = '0'] = version.split('.');
  return `${major}.${Number(minor) + 1}.0`;
}
