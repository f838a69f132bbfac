import { type Emulator, seeded } from '../../src/testing/index.js';
import { Random } from '../../src/testing/random.js';
import {
  accepts,
  credentials,
  fields,
  oddPath,
  oddValue,
  types,
  values,
  word,
} from './generated-values.js';

/** A generated request. */
export interface MadeUp {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function chosenFields(random: Random, most = 7): [string, unknown][] {
  return Array.from({ length: random.below(most) }, () => random.pick(fields));
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function createForm(pairs: readonly [string, unknown][]): string {
  return new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, asText(value)]),
  ).toString();
}

function createMultipart(pairs: readonly [string, unknown][]): string {
  const parts = pairs.map(
    ([name, value]) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n${asText(value)}\r\n`,
  );
  return `${parts.join('')}--x--\r\n`;
}

/** The emulator's routes and IDs, from which valid requests are built. */
interface Known {
  readonly routes: readonly string[];
  readonly ids: readonly [string, ...string[]];
  /** Access token for the support API. */
  readonly session: string;
}

/** Creates a request to one of the emulator's routes with plausible parameters, fields and credentials. */
function valid(random: Random, { routes, ids, session }: Known): MadeUp {
  const [method = 'GET', pattern = '/'] = (routes[random.below(routes.length)] ?? 'GET /').split(
    ' ',
  );
  const path = pattern.replace(/[:*](\w+)/g, (_, name: string) =>
    random.pick(name === 'id' ? ids : (values[name] ?? ['1'])),
  );
  const type = random.pick(types);
  const pairs = chosenFields(random, 60);
  const query = createForm([
    ...chosenFields(random).slice(0, 2),
    ...(path.startsWith('/api/v2') ? [['access_token', session] as [string, string]] : []),
  ]);
  const authorization = random.pick(credentials);
  const body = type.includes('json')
    ? JSON.stringify(Object.fromEntries(pairs))
    : type.startsWith('multipart')
      ? createMultipart(pairs)
      : createForm(pairs);
  return {
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: {
      'user-agent': 'fuzz',
      accept: random.pick(accepts),
      ...(authorization !== undefined && { authorization }),
      ...(type !== '' && { 'content-type': type }),
    },
    body: method === 'GET' ? undefined : body,
  };
}

/** Returns the request with one random defect. */
function broken(random: Random, request: MadeUp): MadeUp {
  const { method, target, headers, body } = request;
  switch (random.below(7)) {
    case 0:
      return { ...request, body: body?.slice(0, random.below(body.length + 1)) };
    case 1:
      return { ...request, body: asText(oddValue(random)) };
    case 2: {
      const pairs = chosenFields(random).map(([name]): [string, unknown] => [
        name,
        oddValue(random),
      ]);
      return { ...request, body: JSON.stringify(Object.fromEntries(pairs)) };
    }
    case 3: {
      const [path = '', query] = target.split('?');
      const parts = path.split('/');
      parts[random.below(parts.length)] = random.pick(oddPath);
      return {
        ...request,
        target: `/${parts.join('/')}${query === undefined ? '' : `?${query}`}`.replace(
          /^\/\//,
          '/',
        ),
      };
    }
    case 4:
      return {
        ...request,
        target: `${target}${target.includes('?') ? '&' : '?'}${createForm([[random.pick(fields)[0], oddValue(random)]])}`,
      };
    case 5:
      return {
        ...request,
        headers: {
          ...headers,
          [random.pick([
            'accept',
            'content-type',
            'authorization',
            'if-none-match',
            'range',
            'link',
          ])]: word(random),
        },
      };
    default:
      return {
        ...request,
        method: random.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
        body: method === 'GET' ? '{}' : body,
      };
  }
}

function anything(random: Random): MadeUp {
  const path = Array.from({ length: random.below(8) }, () => word(random)).join('/');
  const start = random.pick([
    '/',
    '/api/v3/',
    '/api/v2/',
    '/setup/api/',
    '/login/',
    '//',
    '/api/uploads/',
  ]);
  return {
    method: random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PURGE']),
    target: start + path,
    headers: {
      ...(random.next() < 0.9 && { 'user-agent': 'fuzz' }),
      ...(random.next() < 0.5 && { authorization: word(random) }),
      'content-type': random.next() < 0.5 ? word(random) : random.pick(types) || 'x/y',
    },
    body: random.next() < 0.7 ? asText(oddValue(random)) : word(random).repeat(random.below(500)),
  };
}

/**
 * Generates an endless sequence of requests from a seed. Half of the requests are derived from
 * valid requests.
 */
export function* generateRequests(
  emulator: Emulator,
  seed: number,
  session: string,
): Generator<MadeUp, never> {
  const random = new Random(seed);
  const { hosting, support, console: appliance } = emulator;
  const routes = [...hosting.routes, ...support.routes, ...appliance.routes];
  const { state } = hosting;
  const rocket = state.repo(seeded.owner, seeded.repo);
  emulator.hosting.addHook('acme/rocket', { url: 'ftp://x' });
  const records = [rocket?.releases, rocket?.comments, rocket?.downloads, rocket?.hooks];
  const some = records.flatMap((each = []) => each.slice(-3).map(({ id }) => String(id)));
  const teams = [...state.teams.keys()].slice(0, 3).map(String);
  const known: Known = { routes, ids: ['1', '2', 'x', ...some, ...teams], session };
  for (;;) {
    if (random.next() < 0.5) {
      yield anything(random);
      continue;
    }
    let request = valid(random, known);
    for (let left = random.below(3); left > 0; left--) request = broken(random, request);
    yield request;
  }
}
