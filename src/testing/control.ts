import * as z from 'zod/mini';
import { errorMessage } from '../schema/unknown-values.js';
import { parseJson, readText } from './bodies.js';
import { inEnglish, time } from './checks.js';
import { consoleSeed } from './console/emulator.js';
import type { Emulator } from './emulator.js';
import { type Fault, type FaultMatcher, faultFields } from './faults.js';
import { seeded } from './hosting/seed.js';
import { ownHeaders, statusFile } from './html-page.js';
import {
  catchHttpErrors,
  createReply,
  empty,
  formatError,
  HttpError,
  httpError,
  json,
  type Reply,
  toResponse,
} from './reply.js';
import { Router } from './router.js';
import { controlPath, isControlPath } from './sites.js';
import { supportSeed } from './support/seed.js';
import { worldText } from './world/file.js';
import type { Dataset } from './world/world.js';

const secondsRule = 'must be a number of seconds, at least 0';
const ClockRequest = z
  .strictObject({
    advance: z.optional(z.number(secondsRule).check(z.minimum(0, secondsRule))),
    set: z.optional(time()),
  })
  .check(
    z.refine(
      ({ advance, set }) => (advance === undefined) !== (set === undefined),
      'must contain either advance or set',
    ),
  );

const ApplicationRequest = z.strictObject({
  name: z.string().check(z.minLength(1)),
  url: z.optional(z.url()),
  callbackUrl: z.optional(z.url()),
  anyPort: z.optional(z.boolean()),
  clientId: z.optional(z.string().check(z.length(20))),
  clientSecret: z.optional(z.string().check(z.length(40))),
});

/** A fault, which `emulator.fail` checks, and the requests that it applies to. */
const FaultRequest = z.strictObject({
  match: z.optional(z.custom<FaultMatcher>()),
  fault: z.custom<Fault>(),
  times: z.optional(z.number()),
  after: z.optional(z.number()),
});

const limitRule = 'must be a whole number of at least 0, or null';
const LimitsRequest = z.strictObject({
  quota: z.optional(z.nullable(z.int(limitRule).check(z.minimum(0, limitRule)))),
  secondaryLimit: z.optional(z.strictObject(faultFields.secondaryLimit)),
});

type ControlRoute = (
  emulator: Emulator,
  request: Request,
  params: Readonly<Record<string, string>>,
) => Reply | Promise<Reply>;

/**
 * Handles requests below {@link controlPath}: the status page and the control API for programs in any
 * language. Returns undefined for other paths.
 */
export async function control(emulator: Emulator, request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (!isControlPath(pathname)) return undefined;
  const path = pathname.slice(controlPath.length);
  const route = router.match(request.method, path);
  const reply = await catchHttpErrors(async () => {
    if (route) return await route.handler(emulator, request, route.params);
    const known = router.names.join(', ');
    throw httpError(
      404,
      `${request.method} ${pathname}: unknown request. Known requests: ${known}.`,
    );
  }, formatError);
  return toResponse({ ...reply, headers: { ...ownHeaders, ...reply.headers } }, request.method);
}

const router = new Router<ControlRoute>({
  'GET /': () => statusFile('status.html'),
  'GET /status.js': () => statusFile('status.js'),
  'GET /status.css': () => statusFile('status.css'),
  'GET /page.css': () => statusFile('page.css'),
  'GET /connections.json': (emulator, request) =>
    json(200, listConnections(emulator, new URL(request.url).origin)),
  'GET /state.json': (emulator) => json(200, emulator.status()),
  'GET /requests/:id': (emulator, _request, params) => {
    const found = emulator.requests.find(({ id }) => String(id) === params.id);
    if (!found) throw httpError(404, `request ${params.id} was not recorded, or was discarded`);
    return json(200, found);
  },
  'GET /world.json': (emulator) => exportWorld(emulator, 'json'),
  'GET /world.yaml': (emulator) => exportWorld(emulator, 'yaml'),
  'PUT /world.json': async (emulator, request) => {
    const text = await readText(request, mostOfWorld);
    // Doesn't use `parseJson`, because `restore` checks strings and depth, and checking a large
    // body twice is slow.
    let world: Dataset;
    try {
      world = JSON.parse(text);
    } catch (error) {
      throw httpError(400, `the body must be JSON (${errorMessage(error)})`);
    }
    return change(() => emulator.restore(world));
  },
  'POST /applications': async (emulator, request) => {
    const { name, ...input } = await readBody(request, ApplicationRequest);
    const defaults = { callbackUrl: 'http://127.0.0.1/callback', anyPort: true };
    return json(201, emulator.hosting.addApplication(name, { ...defaults, ...input }));
  },
  'POST /faults': async (emulator, request) => {
    const { match = {}, fault, times, after } = await readBody(request, FaultRequest);
    return change(() => emulator.fail(match, fault, { times, after }));
  },
  'DELETE /faults': (emulator) => change(() => emulator.clearFaults()),
  'POST /clock': async (emulator, request) => {
    const { advance, set } = await readBody(request, ClockRequest);
    return change(() => {
      if (advance !== undefined) emulator.clock.advance(advance * 1000);
      if (set !== undefined) emulator.clock.set(new Date(set));
    });
  },
  'POST /limits': async (emulator, request) => {
    const { quota, secondaryLimit } = await readBody(request, LimitsRequest);
    return change(() => {
      if (quota !== undefined) emulator.hosting.setRateLimit(quota ?? undefined);
      if (secondaryLimit) emulator.fail({}, { kind: 'secondaryLimit', ...secondaryLimit });
    });
  },
  'POST /reset': (emulator) => change(() => emulator.reset()),
});

/** Returns the base URL of each API, with the seed world's credentials if they are valid. */
function listConnections({ hosting, console: appliance }: Emulator, origin: string) {
  const { token, login, password, clientId, clientSecret } = seeded;
  const isSeeded = hosting.state.tokens.has(token);
  const { licenseMd5 } = consoleSeed;
  const isLicensed = appliance.licenseMd5 === licenseMd5;
  const connections = [
    { name: 'Hosting API', path: '/api/v3/', credentials: isSeeded && { token, login, password } },
    { name: 'OAuth', path: '', credentials: isSeeded && { clientId, clientSecret } },
    { name: 'Support API', path: '/api/v2/', credentials: isSeeded && supportSeed },
    { name: 'Management Console API', path: '/', credentials: isLicensed && { licenseMd5 } },
  ];
  return connections.map(({ name, path, credentials }) => ({
    name,
    url: origin + path,
    credentials: credentials || {},
  }));
}

/** Maximum size of a world in bytes, including the content of all files. */
const mostOfWorld = 256 * 1_048_576;

async function exportWorld(emulator: Emulator, format: 'json' | 'yaml'): Promise<Reply> {
  const text = await worldText(`world.${format}`, emulator.export());
  return createReply(200, `application/${format}; charset=utf-8`, text);
}

/** Reads a JSON body. @throws {HttpError} 400 if it is invalid, 413 if it is too large. */
async function readBody<T>(request: Request, schema: z.core.$ZodType<T>): Promise<T> {
  const body = parseJson(await readText(request));
  if (body === undefined) throw httpError(400, 'the body must be JSON');
  const read = z.safeParse(schema, body, inEnglish);
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({
    field: path.map(String).join('.'),
    message,
  }));
  throw new HttpError(json(400, { message: 'the body is invalid', errors }));
}

/**
 * Runs `act` and responds with 400 if `act` throws. The schemas don't detect every error, such as
 * an invalid header name or a time out of range.
 */
function change(act: () => void): Reply {
  try {
    act();
    return empty(204);
  } catch (error) {
    return formatError(400, errorMessage(error));
  }
}
