import * as z from 'zod';
import type { Emulator } from './emulator.js';
import type { Fault } from './faults.js';
import { bytes, empty, json, type Reply, toResponse } from './reply.js';
import { statusPage } from './status-page.js';

/** Where the emulator is looked at and steered; everything below it is never a request to the service. */
export const controlPath = '/_emulator';

const count = () => z.int().min(1);
const status = () => z.int().min(200).max(599);

const FaultRequest = z.strictObject({
  /** Requests it is for; left out: all. `path` is a part of the path as sent. */
  match: z.optional(
    z.strictObject({
      method: z.optional(z.string()),
      path: z.optional(z.string()),
      query: z.optional(z.record(z.string(), z.string())),
    }),
  ),
  fault: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answer'),
      status: status(),
      headers: z.optional(z.record(z.string(), z.string())),
      body: z.optional(z.unknown()),
    }),
    z.strictObject({ kind: z.literal('reset'), executed: z.optional(z.boolean()) }),
    z.strictObject({ kind: z.literal('truncate'), bytes: z.optional(count()) }),
    z.strictObject({ kind: z.literal('slow'), bytes: z.optional(count()), ms: count() }),
    z.strictObject({ kind: z.literal('malformed'), raw: z.optional(z.string()) }),
    z.strictObject({ kind: z.literal('delay'), ms: count() }),
    z.strictObject({ kind: z.literal('hang') }),
    z.strictObject({ kind: z.literal('refuse'), ms: count() }),
  ]) satisfies z.core.$ZodType<Fault>,
  times: z.optional(count()),
  after: z.optional(z.int().min(0)),
});

const ClockRequest = z.union([
  z.strictObject({ advance: z.number().min(0) }),
  z.strictObject({ set: z.iso.datetime({ offset: true }) }),
]);

/** Answers requests below {@link controlPath}: the status page, and what steers the emulator from any language. */
export async function control(emulator: Emulator, request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  if (pathname !== controlPath && !pathname.startsWith(`${controlPath}/`)) return undefined;
  const reply = await answer(emulator, request, pathname.slice(controlPath.length));
  return toResponse(reply, request.method);
}

async function answer(emulator: Emulator, request: Request, path: string): Promise<Reply> {
  switch (`${request.method} ${path}`) {
    case 'GET ':
    case 'GET /':
      return bytes(200, 'text/html; charset=utf-8', statusPage(emulator.status()));
    case 'GET /state.json':
      return json(200, emulator.status());
    case 'POST /faults':
      return await steer(request, FaultRequest, ({ match, fault, times, after }) =>
        emulator.fail(match ?? {}, fault, { times, after }),
      );
    case 'DELETE /faults':
      emulator.clearFaults();
      return empty(204);
    case 'POST /clock':
      return await steer(request, ClockRequest, (time) =>
        'set' in time
          ? emulator.clock.set(new Date(time.set))
          : emulator.clock.advance(time.advance * 1000),
      );
    case 'POST /reset':
      emulator.reset();
      return empty(204);
    default:
      return json(404, {
        message: `${request.method} ${controlPath}${path}: there are GET ${controlPath}, GET …/state.json, POST and DELETE …/faults, POST …/clock, POST …/reset`,
      });
  }
}

/** Reads a JSON body and acts on it; 400 names what is wrong with it. */
async function steer<T>(
  request: Request,
  schema: z.core.$ZodType<T>,
  act: (body: T) => void,
): Promise<Reply> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    return json(400, { message: 'expected a JSON body' });
  }
  const read = z.safeParse(schema, body);
  if (!read.success) {
    const errors = read.error.issues.map(({ path, message }) => ({
      field: path.map(String).join('.'),
      message,
    }));
    return json(400, { message: 'the body is not what was expected', errors });
  }
  act(read.data);
  return empty(204);
}
