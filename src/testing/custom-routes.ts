import { parseJsonObject, readText } from './bodies.js';
import type { EmulatorClock } from './clock.js';
import type { RouteRequest } from './family.js';
import { createReply, empty, httpError, json, type Reply } from './reply.js';
import { Router } from './router.js';

/** Values of a route's `:name` and `*rest` parameters, by name. */
export type RouteParams<R extends string> = string extends R
  ? Readonly<Record<string, string>>
  : { readonly [Name in NamesIn<R>]: string };

type NamesIn<R extends string> = R extends `${infer Segment}/${infer Rest}`
  ? NameOf<Segment> | NamesIn<Rest>
  : NameOf<R>;
type NameOf<Segment extends string> = Segment extends `:${infer Name}` | `*${infer Name}`
  ? Name
  : never;

/** Response of a custom route. */
export interface RouteReply {
  /** HTTP status. Default: 200, or 204 without a body. */
  readonly status?: number | undefined;
  /** Response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Body. Strings and bytes are sent unchanged, and any other value as JSON. */
  readonly body?: unknown;
}

/** Context of a custom route. */
export interface RouteContext<R extends string, User, State> {
  /** Request as received. */
  readonly request: Request;
  /** Decoded path parameters. */
  readonly params: RouteParams<R>;
  /** Query parameters. */
  readonly query: URLSearchParams;
  /**
   * Reads the body as a JSON object. Returns `{}` for an empty body. If any other body isn't a JSON
   * object, the client gets a 400.
   */
  json(): Promise<Record<string, unknown>>;
  /**
   * Caller. Undefined for an anonymous request. Requests with wrong credentials never reach the
   * handler.
   */
  readonly user: User;
  /** State of the API, which the handler can read and change. */
  readonly state: State;
  /** The emulator's clock. */
  readonly clock: EmulatorClock;
  /** Scheme, host and port of the request. URLs in responses start with this origin. */
  readonly origin: string;
}

/** Handler of a custom route. Return undefined for a 404. */
export type RouteHandler<C> = (
  context: C,
) => RouteReply | undefined | Promise<RouteReply | undefined>;

export class CustomRoutes<C> extends Router<RouteHandler<C>> {
  /** Adds a route. @throws {TypeError} if `route` is not a method and a path. */
  override add(route: string, handler: RouteHandler<C>): void {
    // `{owner}` is the syntax of `client.request`. Here, it would match only the text `{owner}`.
    if (!/^(?:GET|POST|PUT|PATCH|DELETE) \/[^\s{}]*$/.test(route)) {
      throw new TypeError(
        `route: must be a method and a path with :name parameters, such as 'GET /repos/:owner/:repo/issues' (got '${route}')`,
      );
    }
    super.add(route, handler);
  }
}

/** Creates the context fields that the custom routes of all APIs share. */
export function createRouteContext(
  { request, query, origin }: RouteRequest,
  params: Readonly<Record<string, string>>,
  clock: EmulatorClock,
): Omit<RouteContext<string, never, never>, 'user' | 'state'> {
  const json = async () => parseJsonObject(await readText(request));
  return { request, params, query, json, clock, origin };
}

/**
 * Calls a custom route's handler and returns the response.
 * @throws {HttpError} 404 if the handler returns undefined.
 * @throws {TypeError} if the handler returns anything other than a {@link RouteReply}.
 */
export async function runCustomRoute<C>(handler: RouteHandler<C>, context: C): Promise<Reply> {
  const reply = await handler(context);
  if (!reply) throw httpError(404, 'Not Found');
  checkReply(reply);
  return toReply(reply);
}

/** Rejects bare values, because the emulator would otherwise send them as an empty 204. */
function checkReply(reply: object): void {
  const isReply = Object.keys(reply).every((name) => ['status', 'headers', 'body'].includes(name));
  if (isReply && !(reply instanceof Response)) return;
  throw new TypeError(
    'route handler: must return a plain object { status, headers, body }. To send a value as JSON, return { body: value }.',
  );
}

function toReply({
  body,
  status = body === undefined ? 204 : 200,
  headers = {},
}: RouteReply): Reply {
  if (body === undefined) return empty(status, headers);
  // Converts names to lowercase so that a custom content type replaces the default.
  const lower = Object.fromEntries(new Headers(headers));
  if (typeof body === 'string')
    return createReply(status, 'text/plain; charset=utf-8', body, lower);
  if (body instanceof Uint8Array) {
    return createReply(status, 'application/octet-stream', new Uint8Array(body), lower);
  }
  return json(status, body, lower);
}
