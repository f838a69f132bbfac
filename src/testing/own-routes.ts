import { isRecord } from '../schema/unknown-values.js';
import { type BodyRefusal, parseJson, readText } from './bodies.js';
import type { EmulatorClock } from './clock.js';
import type { FamilyRequest } from './family.js';
import { bytes, empty, json, Refused, type Reply } from './reply.js';
import { Router } from './router.js';

/** Values of a route's `:name` and `*rest`, by name. */
export type RouteParams<R extends string> = string extends R
  ? Readonly<Record<string, string>>
  : { readonly [Name in NamesIn<R>]: string };

type NamesIn<R extends string> = R extends `${infer Segment}/${infer Rest}`
  ? NameOf<Segment> | NamesIn<Rest>
  : NameOf<R>;
type NameOf<Segment extends string> = Segment extends `:${infer Name}` | `*${infer Name}`
  ? Name
  : never;

/** What a route of your own answers with. */
export interface RouteReply {
  /** Default 200, or 204 without a body. */
  readonly status?: number | undefined;
  /** Header fields of the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A string or bytes go out as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** What a route of your own works with. */
export interface RouteContext<R extends string, User, State> {
  /** The request as it came in. */
  readonly request: Request;
  /** Decoded. */
  readonly params: RouteParams<R>;
  /** Its query parameters. */
  readonly query: URLSearchParams;
  /** The body, a JSON object; `{}` where there is none. Anything else is answered by 400. */
  json(): Promise<Record<string, unknown>>;
  /** Who asks; undefined for anonymous callers. Bad credentials never come here. */
  readonly user: User;
  /** Everything the family knows: read it, change it. */
  readonly state: State;
  /** The emulator's clock. */
  readonly clock: EmulatorClock;
  /** Scheme, host and port of the request: URLs in answers begin so. */
  readonly origin: string;
}

/** A route of your own. Undefined is answered as what is missing is: 404. */
export type RouteHandler<C> = (
  context: C,
) => RouteReply | undefined | Promise<RouteReply | undefined>;

/** The routes of a user's own in one family. */
export class OwnRoutes<C> extends Router<RouteHandler<C>> {
  /** @throws {TypeError} what is no method and path */
  override add(route: string, handler: RouteHandler<C>): void {
    if (!/^(?:GET|POST|PUT|PATCH|DELETE) \/\S*$/.test(route)) {
      throw new TypeError(
        `route: expected a method and a path, such as 'GET /repos/:owner/:repo/issues', got '${route}'`,
      );
    }
    super.add(route, handler);
  }
}

/** What every family hands to such a route. */
export function contextOf(
  { request, query, origin }: FamilyRequest,
  params: Readonly<Record<string, string>>,
  clock: EmulatorClock,
  refusal: BodyRefusal,
): Omit<RouteContext<string, never, never>, 'user' | 'state'> {
  const json = async () => {
    const text = await readText(request, refusal);
    const value = text === '' ? {} : parseJson(text);
    if (isRecord(value)) return value;
    throw new Refused(refusal(400, 'expected a JSON object'));
  };
  return { request, params, query, json, clock, origin };
}

/** What goes out for it. */
export function replyOf({
  body,
  status = body === undefined ? 204 : 200,
  headers = {},
}: RouteReply): Reply {
  if (body === undefined) return empty(status, headers);
  // In lower case, so that a type of the user's own replaces ours.
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (typeof body === 'string') return bytes(status, 'text/plain; charset=utf-8', body, lower);
  if (body instanceof Uint8Array) {
    return bytes(status, 'application/octet-stream', new Uint8Array(body), lower);
  }
  return json(status, body, lower);
}
