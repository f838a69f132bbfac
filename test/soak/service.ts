import { createHash } from 'node:crypto';
import * as models from '../../src/hosting/index.js';
import { sampleOf } from '../unit/hosting/samples.js';

/** A response that the server is about to send. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How an operation changes the server's state. */
export type Effect = 'read' | 'once' | 'add' | 'remove';

/** A request with a known operation. */
export interface Understood {
  readonly operation: number;
  readonly effect: Effect;
  /** Whether the request fetches the result of an earlier request. */
  readonly result: boolean;
  /**
   * Creates the reply.
   * @param before Number of earlier executions of the operation.
   */
  readonly execute: (before: number) => Reply;
}

/** A complete request. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly body: Buffer;
  /** Replies to fetch after a 303, by operation. */
  readonly results: ReadonlyMap<number, Reply>;
  /** Number of requests per operation. */
  readonly arrivals: Uint16Array;
}

interface Context extends Omit<Received, 'method' | 'arrivals'> {
  readonly operation: number;
  readonly before: number;
  /** Version of the resource. Changes with every second request for the operation. */
  readonly version: number;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly effect: Effect;
  readonly reply: (context: Context) => Reply;
}

export const pagesOfList = 4;
export const itemsOfPage = 5;

/** Returns the name of the repository, organization or user for an operation. */
export function getName(operation: number): string {
  return `op-${operation}`;
}

/** Returns the bytes of an operation's file. Length and content depend on the operation. */
export function getFile(operation: number): Buffer {
  const size = 1_000 + ((operation * 7919) % 60_000);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + operation) & 0xff;
  return bytes;
}

/** Creates a JSON reply, or a reply without a body if there is no value. */
export function reply(
  status: number,
  value?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  if (value === undefined) return { status, headers, body: Buffer.alloc(0) };
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** Adds an ETag to a 200. Returns a 304 instead if the client knows that ETag. */
export function conditional(created: Reply, known: string | undefined): Reply {
  if (created.status !== 200 || created.body.length === 0) return created;
  const etag = `"${createHash('sha1').update(created.body).digest('hex')}"`;
  const headers = { ...created.headers, etag };
  return known === etag ? { status: 304, headers, body: Buffer.alloc(0) } : { ...created, headers };
}

const sample = sampleOf(models.PullRequest);
const branch = { ...sample.head, user: null, repo: null };
const pull = (title: string) => ({ ...sample, title, head: branch, base: branch });
const team = (operation: number, version = 0) => ({
  ...sampleOf(models.Team),
  id: operation,
  name: getName(operation),
  members_count: version,
});
const missing = () => reply(404, { message: 'Not Found' });
const none = () => reply(204);
const removed = ({ before }: Context) => (before === 0 ? none() : missing());

function route(method: string, path: string, effect: Effect, make: Route['reply']): Route {
  return { method, path: new RegExp(`^/api/v3${path}$`), effect, reply: make };
}

const repo = '/repos/soak/op-(\\d+)';
const file = `${repo}/contents/docs/a%23b.md`;

const routes: readonly Route[] = [
  route('GET', '/results/(\\d+)', 'read', (context) => {
    return context.results.get(context.operation) ?? missing();
  }),
  route('GET', `${repo}/pulls`, 'read', listOfPulls),
  route('GET', `${repo}/contents/data.bin`, 'read', ({ operation }) => ({
    status: 200,
    headers: { 'content-type': 'application/vnd.service.raw' },
    body: getFile(operation),
  })),
  route('GET', '/teams/(\\d+)', 'read', ({ operation, version }) =>
    reply(200, team(operation, version), { 'x-soak-version': String(version) }),
  ),
  route('POST', `${repo}/pulls`, 'once', ({ operation }) => reply(201, pull(getName(operation)))),
  {
    method: 'POST',
    path: /^\/uploads\/op-(\d+)\/assets$/,
    effect: 'once',
    reply: ({ body }) => reply(201, { ...sampleOf(models.ReleaseAsset), size: body.length }),
  },
  route('PATCH', '/teams/(\\d+)', 'once', ({ operation }) => reply(200, team(operation))),
  route('PUT', file, 'once', () => reply(201, sampleOf(models.FileCommit))),
  route('PUT', '/user/starred/soak/op-(\\d+)', 'add', none),
  route('DELETE', `${repo}/releases/1`, 'once', removed),
  // This release never existed.
  route('DELETE', `${repo}/releases/404`, 'read', missing),
  route('DELETE', '/teams/(\\d+)/members/op-\\d+', 'remove', removed),
];

function listOfPulls({ operation, url }: Context): Reply {
  const page = Number(url.searchParams.get('page') ?? '1');
  const items = Array.from({ length: itemsOfPage }, (_, index) =>
    pull(`${getName(operation)} ${(page - 1) * itemsOfPage + index}`),
  );
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const link: Record<string, string> =
    page < pagesOfList ? { link: `<${next.href}>; rel="next"` } : {};
  return reply(200, items, link);
}

/** Returns a request's operation, or the reason why no correct client would send the request. */
export function understand(request: Received): Understood | string {
  const { method, url, body, results, arrivals } = request;
  for (const each of routes) {
    const found = each.method === method ? each.path.exec(url.pathname) : null;
    if (!found) continue;
    const operation = Number(found[1]);
    const wrong = bodyProblem(method, url.pathname, operation, body);
    if (wrong !== undefined) return `${method} ${url.pathname}: ${wrong}`;
    return {
      operation,
      effect: each.effect,
      result: url.pathname.startsWith('/api/v3/results/'),
      execute: (before) => {
        const version = (arrivals[operation] ?? 0) >> 1;
        return each.reply({ operation, url, body, before, version, results });
      },
    };
  }
  return `${method} ${url.pathname}: no such endpoint`;
}

/** Returns the problem if a write's body is incomplete or belongs to another operation. */
function bodyProblem(
  method: string,
  path: string,
  operation: number,
  body: Buffer,
): string | undefined {
  if (path.startsWith('/uploads/')) {
    return body.equals(getFile(operation)) ? undefined : 'the bytes differ from those sent';
  }
  const wanted = method === 'POST' || method === 'PATCH' || path.includes('/contents/docs/');
  if (!wanted || method === 'GET') return body.length === 0 ? undefined : 'unexpected body';
  const named = body.includes(`${getName(operation)}"`);
  return named ? undefined : 'the body is incomplete or belongs to another operation';
}
