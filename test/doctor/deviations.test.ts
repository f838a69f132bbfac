import { expect, it } from 'vitest';
import { ConsoleClient, HostingClient, SupportClient } from '../../src/index.js';
import {
  consoleSeed,
  type Emulator,
  type Fault,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { type Addresses, diagnosis, type examineOptions, healthy, listFindings } from './world.js';

type Family = keyof typeof examineOptions;

/** Makes a healthy emulator deviate from its API. */
type Plant = (emulator: Emulator, at: Addresses) => unknown;

const below: Readonly<Record<Family, string>> = {
  hosting: '/api/v3',
  support: '/api/v2',
  console: '',
};

/** Makes all responses for a path fail. */
const fails =
  (family: Family, path: string, fault: Fault, times = Number.POSITIVE_INFINITY): Plant =>
  (emulator) =>
    emulator.fail({ method: 'GET', path: new RegExp(`^${below[family]}${path}$`) }, fault, {
      times,
    });

const respond = (family: Family, path: string, status: number, body: unknown, headers = {}) =>
  fails(family, path, { kind: 'response', status, body, headers });

/** Sets the value at a dotted path, or deletes it if the new value is undefined. */
function put(value: unknown, path: string, to: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const owner = names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), value);
  if (to === undefined) Reflect.deleteProperty(Object(owner), last);
  else Reflect.set(Object(owner), last, to);
}

/** Changes one value in the responses for a path. */
const changes =
  (family: Family, path: string, place: string, to: unknown): Plant =>
  async (emulator, at) => {
    const { hostingUrl, supportUrl, consoleUrl } = at;
    const auth = { type: 'token', token: seeded.token } as const;
    const { licenseMd5 } = consoleSeed;
    const clients = {
      hosting: new HostingClient({ baseUrl: hostingUrl, auth }),
      support: new SupportClient({ baseUrl: supportUrl, auth: supportSeed }),
      console: new ConsoleClient({ baseUrl: consoleUrl, auth: { licenseMd5 } }),
    };
    const body: unknown = await clients[family].request({ path });
    put(body, place, to);
    await respond(family, path, 200, body)(emulator, at);
    for (const client of Object.values(clients)) await client.close();
  };

const rocket = '/repos/acme/rocket';
const loop = { location: '/api/v3/repos/acme/rocket/tarball/master' };

const deviations: readonly (readonly [Family, Plant, string])[] = [
  [
    'hosting',
    changes('hosting', `${rocket}/pulls/250`, 'title', 5),
    'pulls.get: title: expected string, got number',
  ],
  [
    'hosting',
    changes('hosting', `${rocket}/releases`, '1.id', 'seven'),
    'releases.list: [].id: expected number, got string',
  ],
  [
    'hosting',
    changes('hosting', `${rocket}/hooks`, '0.events', undefined),
    'hooks.list: [].events: expected array, got undefined',
  ],
  [
    'hosting',
    changes('hosting', `${rocket}/git/refs`, '2.object', null),
    'gitRefs.list: [].object: expected object, got null',
  ],
  [
    'hosting',
    changes('hosting', '/rate_limit', 'resources.core.limit', 'many'),
    'rateLimit.get: resources.core.limit: expected number, got string',
  ],
  [
    'hosting',
    respond('hosting', '/user/teams', 200, { teams: [] }),
    'teams.listMine: the response: expected array, got object',
  ],
  [
    'hosting',
    respond('hosting', `${rocket}/comments`, 500, { message: 'no' }),
    'commitComments.list: the server responded with 500',
  ],
  [
    'hosting',
    respond('hosting', `${rocket}/downloads/\\d+`, 404, {}),
    'downloads.get: the server responded with a 404 for an item that it had listed',
  ],
  [
    'hosting',
    fails('hosting', `${rocket}/stargazers`, { kind: 'truncate' }),
    'starring.listStargazers: the body is truncated',
  ],
  [
    'hosting',
    respond('hosting', `${rocket}/pages`, 200, '<h1>Pages</h1>'),
    'pages.get: the body has an unexpected type',
  ],
  [
    'hosting',
    respond('hosting', `${rocket}/tarball/.*`, 302, '', loop),
    'contents.getArchive: the redirect cannot be followed: loop',
  ],
  [
    'hosting',
    respond('hosting', '/enterprise/stats/all', 200, ''),
    'adminStats.get: the body is empty',
  ],
  [
    'hosting',
    respond('hosting', `${rocket}/pulls/\\d+/merge`, 502, '<h1>Bad gateway</h1>'),
    'pulls.isMerged: the server responded with 502',
  ],
  [
    'hosting',
    fails('hosting', `${rocket}/releases/latest`, { kind: 'reset' }),
    'releases.getLatest: the connection failed',
  ],
  [
    'hosting',
    (emulator) => emulator.clock.advance(3_600_000),
    "clock: the server's clock is 1 hour ahead of this machine's clock. Set whichever clock is wrong.",
  ],
  [
    'support',
    changes('support', '/contact', 'items.0.name', 5),
    'contacts.search: items[].name: expected string, got number',
  ],
  [
    'support',
    changes('support', '/case', 'items.0.id', 'seven'),
    'cases.search: items[].id: expected number, got string',
  ],
  [
    'support',
    respond('support', '/contact/\\d+/tags', 200, { success: false }),
    'contacts.listTags: the server reported success: false',
  ],
  [
    'support',
    respond('support', '/case/\\d+/messages', 503, ''),
    'cases.listMessages: the server responded with 503',
  ],
  [
    'console',
    changes('console', '/setup/api/settings', 'enterprise', undefined),
    'settings.get: enterprise: expected object, got undefined',
  ],
  [
    'console',
    changes('console', '/setup/api/configcheck', 'progress', {}),
    'configCheck: progress: expected array, got object',
  ],
  [
    'console',
    changes('console', '/setup/api/maintenance', 'status', true),
    'maintenance.get: status: expected string, got boolean',
  ],
  [
    'console',
    respond('console', '/setup/api/settings/authorized-keys', 200, [
      { key: 5, 'pretty-print': 'a:b' },
    ]),
    'authorizedKeys.list: [].key: expected string, got number',
  ],
];

it.each(deviations.map(([family, plant, finding]) => [finding, family, plant] as const))(
  'examine() reports only the deviation "%s" in the %s API',
  async (finding, family, plant) => {
    const { emulator, at } = await healthy();
    await plant(emulator, at);
    const report = await diagnosis(family, at);
    expect(
      listFindings(report).map((each) => each.replace(/1 hour \d+ seconds?/, '1 hour')),
    ).toEqual([finding]);
    expect(report.healthy).toBe(false);
  },
);
