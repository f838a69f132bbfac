import { consoleRouter } from '../../src/testing/console/routes.js';
import { apiRouter, uploadRouter, webRouter } from '../../src/testing/hosting/routes.js';
import { consoleSeed, type Emulator, seeded, supportSeed } from '../../src/testing/index.js';
import { Random } from '../../src/testing/random.js';
import { supportRouter } from '../../src/testing/support/emulator.js';
import { basic } from './send-request.js';

/** Values for route parameters. */
const values: Readonly<Record<string, readonly [string, ...string[]]>> = {
  owner: ['acme', ...Array<string>(8).fill('acme'), 'mona', 'nobody'],
  repo: ['rocket', ...Array<string>(8).fill('rocket'), 'project-1', 'secret', 'none'],
  org: ['acme', 'acme', 'mona'],
  username: ['mona', 'ada-0', 'acme', 'nobody'],
  number: ['1', '7', '250', '9999'],
  path: ['README.md', 'src/index.ts', 'docs', 'docs/a%23b%3F.md', 'engine', 'dangling', ''],
  ref: ['main', 'heads/main', 'tags/v0.1.0', 'heads/feature/part-1', 'heads', ''],
  sha: ['main', 'feature/part-1'],
  tag: ['v0.1.0', 'v9'],
  type: ['all', 'repos', 'hooks', 'nonsense'],
  client_id: [seeded.clientId, 'x'],
  access_token: [seeded.token, 'x'],
  format: ['tarball', 'zipball', 'x'],
  file: ['1.diff', '7.patch', 'x'],
};

const token = `token ${seeded.token}`;
const user = basic(seeded.login, seeded.password);
const license = basic('license', consoleSeed.licenseMd5);
const application = basic(seeded.clientId, seeded.clientSecret);
const credentials = [token, user, license, application, 'token x', 'Basic ???', ''] as const;

/** Returns the credentials that a path requires. */
function getCredentials(path: string): string {
  if (path.startsWith('/setup/')) return license;
  if (path.includes('/applications/')) return application;
  return path.includes('/authorizations') ? user : token;
}

const types = [
  ...(['application/json', 'application/json', 'application/json'] as const),
  ...(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''] as const),
] as const;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE'] as const;

const accepts = [
  '*/*',
  'application/json',
  'application/vnd.service.v3.diff',
  'application/vnd.service.star+json',
  'application/vnd.service.v3.raw',
  'application/vnd.service.beta+json',
  'application/octet-stream',
  'application/xml',
] as const;

/** Fields for bodies and queries, each with a valid value. */
const fields: readonly [[string, unknown], ...[string, unknown][]] = [
  ['name', 'web'],
  ['title', 'T'],
  ['body', 'B'],
  ['head', 'feature/part-1'],
  ['base', 'main'],
  ['state', 'closed'],
  ['tag_name', 'v9'],
  ['message', 'M'],
  ['content', 'aGk='],
  ['branch', 'main'],
  ['author', { name: 'A', email: 'a@example.com' }],
  ['ref', 'refs/heads/new'],
  ['sha', '0'.repeat(40)],
  ['scopes', ['repo']],
  ['client_id', seeded.clientId],
  ['client_secret', seeded.clientSecret],
  ['config', { url: 'ftp://x', content_type: 'json' }],
  ['events', ['push']],
  ['permission', 'push'],
  ['repo_names', ['rocket']],
  ['hub.mode', 'subscribe'],
  ['hub.topic', 'http://x/acme/rocket/events/push'],
  ['userName', supportSeed.userName],
  ['apiKey', supportSeed.apiKey],
  ['password', supportSeed.password],
  ['campaign', 'Support'],
  ['contact_id', '1'],
  ['tag', 'vip'],
  ['settings', '{"enterprise":{"private_mode":true}}'],
  ['maintenance', '{"enabled":true,"when":"now"}'],
  ['authorized_key', 'ssh-rsa AAAA'],
  ['per_page', '100'],
  ['page', '2'],
  ['count', '5'],
  ['decision', 'approve'],
  ['code', 'x'],
  ['redirect_uri', 'http://127.0.0.1/callback/x'],
];

const oddText = [
  '',
  ' ',
  '\ud800',
  '\u0000',
  '../..',
  '%',
  '[',
  '__proto__',
  '-1',
  '1e999',
] as const;
const oddPath = ['%', '%00', '%2F', '%ff', '..', '', 'a'.repeat(3000)] as const;

function oddValue(random: Random, depth = 0): unknown {
  const inner = () => oddValue(random, depth + 1);
  const makers: readonly [() => unknown, ...(() => unknown)[]] = [
    () => random.pick(oddText),
    () => random.below(1e9) - 5e8,
    () => null,
    () => random.next() < 0.5,
    () => 'x'.repeat(5000),
    ...(depth > 3 ? [] : [() => [inner()], () => ({ [random.pick(fields)[0]]: inner() })]),
  ];
  return random.pick(makers)();
}

const oddHeaders = ['', '"', ';;=', 'a/b;c', 'Basic ???', 'W/', '*'] as const;

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

function createForm(pairs: readonly (readonly [string, unknown])[]): string {
  return new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, asText(value)]),
  ).toString();
}

function createMultipart(pairs: readonly (readonly [string, unknown])[]): string {
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

/** Creates a request to one of the emulator's routes. Some of its parts are invalid. */
function createRequest(random: Random, { routes, ids, session }: Known): MadeUp {
  const is = (share: number) => random.next() < share;
  const route = (routes[random.below(routes.length)] ?? 'GET /').split(' ');
  const [method = 'GET', pattern = '/'] = is(0.95) ? route : [random.pick(methods), route[1]];
  const path = pattern
    .split('/')
    .map((segment) => (segment !== '' && is(0.03) ? random.pick(oddPath) : segment))
    .join('/')
    .replace(/[:*](\w+)/g, (_, name: string) =>
      random.pick(name === 'id' ? ids : (values[name] ?? ['1'])),
    );
  const usual = /^\/api\/v2|^\/login|\/hub$/.test(path) ? types[3] : types[0];
  const type = is(0.8) ? usual : random.pick(types);
  const pairs = (is(0.7) ? fields : chosenFields(random, 60)).map(([name, value]) => {
    return [name, is(0.02) ? oddValue(random) : value] as const;
  });
  const query = createForm([
    ...chosenFields(random).slice(0, 2),
    ...(is(0.1) ? [[random.pick(fields)[0], oddValue(random)] as const] : []),
    ...(path.startsWith('/api/v2') ? [['access_token', session] as const] : []),
  ]);
  const authorization = is(0.8) ? getCredentials(path) : random.pick(credentials);
  const whole = type.includes('json')
    ? JSON.stringify(is(0.9) ? Object.fromEntries(pairs) : oddValue(random))
    : type.startsWith('multipart')
      ? createMultipart(pairs)
      : createForm(pairs);
  const body = is(0.9) ? whole : whole.slice(0, random.below(whole.length + 1));
  const names = ['accept', 'content-type', 'authorization', 'if-none-match'] as const;
  return {
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: {
      'user-agent': 'fuzz',
      accept: random.pick(accepts),
      ...(authorization !== '' && { authorization }),
      ...(type !== '' && { 'content-type': type }),
      ...(is(0.1) && { [random.pick(names)]: random.pick(oddHeaders) }),
    },
    body: method === 'GET' ? undefined : body,
  };
}

/** Generates an endless sequence of requests from a seed. */
export function* generateRequests(
  emulator: Emulator,
  seed: number,
  session: string,
): Generator<MadeUp, never> {
  const random = new Random(seed);
  const routes = [
    [apiRouter, '/api/v3'] as const,
    [uploadRouter, '/api/uploads'] as const,
    [webRouter, ''] as const,
    [supportRouter, '/api/v2'] as const,
    [consoleRouter, '/setup/api'] as const,
  ].flatMap(([{ names }, prefix]) => names.map((name) => name.replace(' ', ` ${prefix}`)));
  const { state } = emulator.hosting;
  const rocket = state.repo(seeded.owner, seeded.repo);
  emulator.hosting.addHook('acme/rocket', { url: 'ftp://x' });
  const records = [rocket?.releases, rocket?.comments, rocket?.downloads, rocket?.hooks];
  const some = records.flatMap((each = []) => each.slice(-3).map(({ id }) => String(id)));
  const teams = [...state.teams.keys()].slice(0, 3).map(String);
  const known: Known = { routes, ids: ['1', '2', 'x', ...some, ...teams], session };
  for (;;) yield createRequest(random, known);
}
