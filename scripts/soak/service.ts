import {
  type Answer,
  answer,
  asset,
  comment,
  fileCommit,
  fileOf,
  merged,
  pull,
  reference,
  release,
  team,
} from './answers.js';
import { nameOf } from './protocol.js';

/** What an operation does to the server's state. */
export type Effect = 'read' | 'once' | 'add' | 'remove';

/** A request that was understood. */
export interface Understood {
  readonly operation: number;
  readonly effect: Effect;
  /** Asks for what an earlier request did. */
  readonly result: boolean;
  /** Makes the answer. `before`: how often it was executed already. */
  readonly execute: (before: number) => Answer;
}

/** A whole request. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly body: Buffer;
  /** Answers that are to be asked for after a 303, by the number of their operation. */
  readonly results: ReadonlyMap<number, Answer>;
  /** How often each operation was asked for. */
  readonly arrivals: Uint16Array;
}

/** Pages of a list, and items on each. */
export const pagesOfList = 4;
export const itemsOfPage = 5;

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly effect: Effect;
  readonly make: (context: Context) => Answer;
}

interface Context {
  readonly operation: number;
  readonly origin: string;
  readonly url: URL;
  readonly body: Buffer;
  readonly before: number;
  /** Changes with every other request for the operation. */
  readonly version: number;
  readonly results: ReadonlyMap<number, Answer>;
}

const repo = '/repos/soak/op-(\\d+)';
const missing = () => answer(404, { message: 'Not Found' });
const none = () => answer(204);
const removed = ({ before }: Context) => (before === 0 ? none() : missing());

function route(method: string, path: string, effect: Effect, make: Route['make']): Route {
  return { method, path: new RegExp(`^/api/v3${path}$`), effect, make };
}

const resultPath = '/results/(\\d+)';

const routes: readonly Route[] = [
  route('GET', resultPath, 'read', ({ operation, results }) => results.get(operation) ?? missing()),
  route('GET', `${repo}/pulls/1`, 'read', ({ operation, origin }) =>
    answer(200, pull(operation, origin, nameOf(operation))),
  ),
  route('GET', `${repo}/pulls`, 'read', listOfPulls),
  route('GET', `/user/starred/soak/op-(\\d+)`, 'read', ({ operation }) =>
    operation % 2 === 0 ? none() : missing(),
  ),
  route('GET', `${repo}/contents/data.bin`, 'read', ({ operation }) => ({
    status: 200,
    headers: { 'content-type': 'application/vnd.service.raw' },
    body: fileOf(operation),
  })),
  route('GET', '/teams/(\\d+)', 'read', ({ operation, origin, version }) =>
    answer(200, team(operation, origin, version), { 'x-soak-version': String(version) }),
  ),
  route('HEAD', repo, 'read', () => answer(200)),
  route('POST', `${repo}/pulls`, 'once', ({ operation, origin }) =>
    answer(201, pull(operation, origin, nameOf(operation))),
  ),
  route('POST', `${repo}/releases`, 'once', ({ operation, origin }) =>
    answer(201, release(operation, origin)),
  ),
  route('POST', `${repo}/git/refs`, 'once', ({ operation, origin }) =>
    answer(201, reference(operation, origin)),
  ),
  route('POST', `${repo}/commits/[0-9a-f]+/comments`, 'once', ({ operation, origin }) =>
    answer(201, comment(operation, origin)),
  ),
  route('POST', '/orgs/op-(\\d+)/teams', 'once', ({ operation, origin }) =>
    answer(201, team(operation, origin)),
  ),
  {
    method: 'POST',
    path: /^\/uploads\/op-(\d+)\/assets$/,
    effect: 'once',
    make: ({ operation, origin, body }) => answer(201, asset(operation, origin, body.length)),
  },
  route('PATCH', `${repo}/pulls/1`, 'once', ({ operation, origin }) =>
    answer(200, pull(operation, origin, nameOf(operation))),
  ),
  route('PATCH', `${repo}/releases/1`, 'once', ({ operation, origin }) =>
    answer(200, release(operation, origin)),
  ),
  route('PATCH', '/teams/(\\d+)', 'once', ({ operation, origin }) =>
    answer(200, team(operation, origin)),
  ),
  route('PUT', `${repo}/contents/docs/a%23b.md`, 'once', ({ operation, origin }) =>
    answer(201, fileCommit(operation, origin)),
  ),
  route('PUT', `${repo}/pulls/1/merge`, 'once', () => answer(200, merged())),
  route('PUT', '/user/starred/soak/op-(\\d+)', 'add', none),
  route('PUT', '/teams/(\\d+)/members/op-\\d+', 'add', none),
  route('DELETE', `${repo}/contents/docs/a%23b.md`, 'once', ({ operation, origin, before }) =>
    before === 0 ? answer(200, fileCommit(operation, origin)) : missing(),
  ),
  route('DELETE', `${repo}/releases/1`, 'once', removed),
  // There never was one of this number.
  route('DELETE', `${repo}/releases/404`, 'read', missing),
  route('DELETE', '/user/starred/soak/op-(\\d+)', 'remove', none),
  route('DELETE', '/teams/(\\d+)/members/op-\\d+', 'remove', removed),
];

function listOfPulls({ operation, origin, url }: Context): Answer {
  const page = Number(url.searchParams.get('page') ?? '1');
  const items = Array.from({ length: itemsOfPage }, (_, index) =>
    pull(operation, origin, `${nameOf(operation)} ${(page - 1) * itemsOfPage + index}`),
  );
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const link: Record<string, string> =
    page < pagesOfList ? { link: `<${next.href}>; rel="next"` } : {};
  return answer(200, items, link);
}

/** Reads a request. A string: why no honest client sends it. */
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
        return each.make({ operation, origin: url.origin, url, body, before, version, results });
      },
    };
  }
  return `${method} ${url.pathname}: no such endpoint`;
}

/** A write must arrive whole, and be the one that its path says. */
function bodyProblem(
  method: string,
  path: string,
  operation: number,
  body: Buffer,
): string | undefined {
  if (path.startsWith('/uploads/')) {
    return body.equals(fileOf(operation)) ? undefined : 'other bytes arrived than were sent';
  }
  const wanted = method === 'POST' || method === 'PATCH' || /\/(?:contents|merge)\b/.test(path);
  if (!wanted || method === 'GET') return body.length === 0 ? undefined : 'a body was not expected';
  try {
    const value: unknown = JSON.parse(body.toString());
    const named = JSON.stringify(value).includes(`${nameOf(operation)}"`);
    return named ? undefined : 'the body belongs to another operation';
  } catch {
    return 'the body is not JSON';
  }
}
