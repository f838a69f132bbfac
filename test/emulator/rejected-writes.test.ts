import { describe, expect, it } from 'vitest';
import { control } from '../../src/testing/control.js';
import {
  consoleSeed,
  createEmulator,
  type Emulator,
  supportSeed,
} from '../../src/testing/index.js';
import { checkWorld } from '../../src/testing/world/world.js';
import { byExtent } from '../support/extent.js';
import { noon } from '../support/noon.js';
import { basic, sendRequest } from './send-request.js';
import { getToken } from './support-emulator.js';

/** Creates an organization with one record of each kind, and an appliance with an authorized key. */
async function scene() {
  const { licenseMd5 } = consoleSeed;
  const seed = { console: { licenseMd5, keys: ['ssh-rsa AAAA y'] } };
  const emulator = createEmulator({ ...noon, seed });
  const { hosting, support } = emulator;
  hosting.addUser('ada', { password: 'x' });
  hosting.addOrg('lab', ['ada']);
  const repo = hosting.addRepo('lab', 'engine', { files: { file: 'x' } });
  hosting.addRef(repo, 'heads/topic');
  hosting.addFile(repo, 'new', 'y', 'topic');
  hosting.addRef(repo, 'heads/old');
  const release = hosting.addRelease(repo, 'v1', { name: 'One', draft: true });
  const application = hosting.addApplication('App', { callbackUrl: 'http://127.0.0.1/' });
  const records = {
    release: release.id,
    asset: hosting.addAsset(release, 'a.zip', { label: 'A' }).id,
    pull: hosting.addPull(repo, { title: 'One', body: 'Text' }).number,
    merged: hosting.addPull(repo, { state: 'closed', mergedAt: '2014-01-01T00:00:00Z' }).number,
    hook: hosting.addHook(repo, { url: 'http://far.test/' }, { events: ['*'] }).id,
    comment: hosting.addComment(repo, 'Hm').id,
    team: hosting.addTeam('lab', 'Crew').id,
    token: hosting.addToken('ada', ['gist'], { note: 'n' }).id,
    branch: 'main',
    client_id: application.clientId,
    client_secret: application.clientSecret,
    sha: repo.refs.get('heads/topic')?.sha,
    file: repo.branches.get('main')?.get('file')?.sha,
  };
  support.addUser(supportSeed);
  support.addCampaign('c');
  support.addContact({
    profiles: [
      { source: 'api', ext_id: '1' },
      { source: 's', ext_id: 'a' },
    ],
  });
  support.addCase({ contact_id: 1, campaign: 'c' });
  return { emulator, records, session: await getToken(emulator) };
}

const origin = 'http://code.test';
type Records = Awaited<ReturnType<typeof scene>>['records'];
type Fields = Readonly<Record<string, unknown>>;

/** Method, path and body of a write that the emulator accepts. */
type Write = readonly [path: (records: Records) => string, body: (records: Records) => Fields];

const lab = '/repos/lab/engine';
const here = `/api/v3${lab}`;
const release = { tag_name: 'v2', target_commitish: 'main', name: 'N', body: 'B', draft: false };
const person = { name: 'n', email: 'e' };
const hook = { events: ['push'], active: false };

const jsonWrites: readonly Write[] = [
  [() => `POST ${here}/releases`, () => ({ ...release, prerelease: true })],
  [(to) => `PATCH ${here}/releases/${to.release}`, () => ({ ...release, prerelease: true })],
  [(to) => `PATCH ${here}/releases/assets/${to.asset}`, () => ({ name: 'b.zip', label: 'L' })],
  [() => `POST ${here}/pulls`, () => ({ title: 'T', head: 'topic', base: 'main', body: 'B' })],
  [() => `POST ${here}/pulls`, () => ({ issue: 3, head: 'topic', base: 'main' })],
  [(to) => `PATCH ${here}/pulls/${to.pull}`, () => ({ title: 'T', body: 'B', state: 'closed' })],
  [(to) => `PUT ${here}/pulls/${to.pull}/merge`, () => ({ commit_message: 'm' })],
  [
    () => `PUT ${here}/contents/a/b`,
    () => ({ message: 'm', content: 'aGk=', branch: 'topic', author: person, committer: person }),
  ],
  [
    () => `DELETE ${here}/contents/file`,
    ({ file }) => ({ message: 'm', sha: file, branch: 'main', author: person, committer: person }),
  ],
  [() => `POST ${here}/git/refs`, ({ sha }) => ({ ref: 'refs/heads/n', sha })],
  [() => `PATCH ${here}/git/refs/heads/old`, ({ sha }) => ({ sha, force: true })],
  [
    () => `POST ${here}/hooks`,
    () => ({ ...hook, name: 'web', config: { url: 'http://far.test/', insecure_ssl: '0' } }),
  ],
  [() => `POST ${here}/hooks`, () => ({ ...hook, name: 'irc', config: { ssl: true } })],
  [
    (to) => `PATCH ${here}/hooks/${to.hook}`,
    () => ({ ...hook, config: { url: 'http://far.test/' }, add_events: ['fork'] }),
  ],
  [
    () => 'POST /api/v3/orgs/lab/teams',
    () => ({ name: 'New', permission: 'push', repo_names: ['lab/engine'] }),
  ],
  [(to) => `PATCH /api/v3/teams/${to.team}`, () => ({ name: 'New', permission: 'push' })],
  [
    ({ sha }) => `POST ${here}/commits/${sha}/comments`,
    () => ({ body: 'b', path: 'file', position: 1, line: 1 }),
  ],
  [(to) => `PATCH ${here}/comments/${to.comment}`, () => ({ body: 'b' })],
  [
    () => 'POST /api/v3/authorizations',
    ({ client_id, client_secret }) => {
      return { note: 'n', note_url: 'u', scopes: ['repo'], client_id, client_secret };
    },
  ],
  [
    ({ client_id }) => `PUT /api/v3/authorizations/clients/${client_id}`,
    ({ client_secret }) => ({ note: 'n', note_url: 'u', scopes: ['repo'], client_secret }),
  ],
  [
    ({ token }) => `PATCH /api/v3/authorizations/${token}`,
    () => ({ note: 'n', note_url: 'u', scopes: ['repo'] }),
  ],
  [
    () => 'POST /_emulator/applications',
    () => ({ name: 'N', url: 'http://u/', callbackUrl: 'http://u/', anyPort: true }),
  ],
  [
    () => 'POST /_emulator/faults',
    () => ({ match: { path: '/x' }, fault: { kind: 'response', status: 500 }, times: 1, after: 0 }),
  ],
  [() => 'POST /_emulator/clock', () => ({ set: '2015-01-01T00:00:00Z' })],
  [
    () => 'PUT /_emulator/world.json',
    () => ({
      now: '2015-01-01T00:00:00Z',
      hosting: { accounts: [{ login: 'x' }] },
      support: { campaigns: ['q'] },
      console: { keys: ['ssh-rsa AAAA x'] },
    }),
  ],
  [() => 'PUT /setup/api/settings', () => ({ settings: { enterprise: { private_mode: true } } })],
  [
    () => 'POST /setup/api/maintenance',
    () => ({ maintenance: { enabled: true, when: '2030-01-02' } }),
  ],
  [() => 'POST /setup/api/settings/authorized-keys', () => ({ authorized_key: 'ssh-rsa AAAA x' })],
  [() => 'POST /setup/api/start', () => ({ license: 'l', package: 'p', settings: {} })],
  [() => 'POST /setup/api/upgrade', () => ({ license: 'l', package: 'p' })],
];

const topic = 'http://x/lab/engine/events/push';
const contact = { name: 'n', crm_id: 'c', tag: 't', note: 'x', echo_data: 'true', more: 'd' };
const aCase = { subject: 's', note: 'n', tag: 't', echo_data: 'true', more: 'd' };
const link = { source: 's', ext_id: 'e' };

const formWrites: readonly Write[] = [
  [
    () => 'POST /api/v3/hub',
    () => ({
      'hub.mode': 'subscribe',
      'hub.topic': topic,
      'hub.callback': 'http://far.test/3',
      'hub.secret': 's',
    }),
  ],
  [
    () => 'POST /api/v3/hub',
    () => ({
      'hub.mode': 'unsubscribe',
      'hub.topic': topic,
      'hub.callback': 'service://irc?ssl=1',
    }),
  ],
  [
    () => 'POST /login/oauth/authorize',
    ({ client_id }) => ({ client_id, decision: 'approve', scope: 'repo', state: 's' }),
  ],
  [() => 'POST /api/v2/contact', () => contact],
  [() => 'POST /api/v2/contact/1', () => contact],
  [() => 'POST /api/v2/contact/1/profiles/add', () => ({ ...link, name: 'n' })],
  [() => 'POST /api/v2/contact/1/profiles/remove', () => ({ source: 'api', ext_id: '1' })],
  [() => 'POST /api/v2/contact/1/tags', () => ({ add: 'a', remove: 'b' })],
  [
    () => 'POST /api/v2/case',
    () => ({ ...aCase, campaign: 'c', contact_id: '1', source: 'x', private: 'true' }),
  ],
  [() => 'POST /api/v2/case/1', () => aCase],
  [() => 'POST /api/v2/case/1/messages/add', () => link],
  [() => 'POST /api/v2/case/1/messages/remove', () => link],
  [() => 'PUT /setup/api/settings', () => ({ settings: '{"enterprise":{"dns":{}}}' })],
  [() => 'POST /setup/api/maintenance', () => ({ maintenance: '{"enabled":false}' })],
  [() => 'POST /setup/api/start', () => ({ license: 'l', package: 'p', settings: '{}' })],
];

/** Values of every JSON type, including the largest safe integer and the next one. */
const values = [null, true, -1, 1.5, 2 ** 53 - 1, 2 ** 53, '', 'text', [], [1], {}];

const texts = ['', 'text', '-1', '{"enabled":1}', '\u0000\r\n', '__proto__'];
const urls = ['http://[::1', 'javascript:alert(1)', 'http://%zz:x@127.0.0.1:1/', 'http://a@b:0/'];

const dates = [
  'Jan 1 275760',
  'in 999999 weeks',
  '-000100-01-01T00:00:00Z',
  '9999-12-31T23:59-08:00',
];

/** Yields copies of a body. In each copy, one value or nested value is replaced with one of `others`. */
function* spoiled(body: Fields, others: readonly unknown[]): Generator<Fields> {
  for (const [name, value] of Object.entries(body)) {
    for (const other of others) yield { ...body, [name]: other };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const inner of spoiled({ ...value }, others)) yield { ...body, [name]: inner };
  }
}

function createForm(body: Fields, kind: 'form' | 'multipart'): URLSearchParams | FormData {
  const form = kind === 'form' ? new URLSearchParams() : new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, String(value));
  return form;
}

const getState = (emulator: Emulator) => ({
  world: emulator.snapshot(),
  faults: emulator.status().faults,
  deliveries: emulator.hosting.deliveries.length,
  uploads: emulator.console.uploads.length,
});

/** Sends a body to a new emulator. @returns True if the emulator accepted the body. */
async function write(
  kind: 'json' | 'form' | 'multipart',
  [getPath, getBody]: Write,
  spoil?: Fields,
) {
  const { emulator, records, session } = await scene();
  const [method = '', path = ''] = getPath(records).split(' ');
  const url = new URL(origin + path);
  if (path.startsWith('/api/v2/')) url.searchParams.set('access_token', session);
  const user = path.startsWith('/setup/') ? ['license', consoleSeed.licenseMd5] : ['ada', 'x'];
  const headers = new Headers({ authorization: basic(user[0] ?? '', user[1] ?? '') });
  headers.set('user-agent', 'test');
  if (kind === 'json') headers.set('content-type', 'application/json');
  const fields = spoil ?? getBody(records);
  const body = kind === 'json' ? JSON.stringify(fields) : createForm(fields, kind);
  const before = getState(emulator);
  const request = new Request(url, { method, headers, body });
  const response = (await control(emulator, request)) ?? (await emulator.respond(request));
  const text = await response.text();
  const accepted = response.status < 400 && !text.includes('"success":false');
  const what = `${kind} ${method} ${path} ${JSON.stringify(fields)}: ${response.status} ${text}`;
  if (!accepted) {
    expect(getState(emulator), what).toEqual(before);
    return false;
  }
  const world = emulator.snapshot();
  expect(() => checkWorld(JSON.parse(JSON.stringify(world)), what)).not.toThrow();
  expect(createEmulator({ seed: world }).snapshot(), what).toEqual(world);
  return true;
}

// Only long runs test all 2600 bodies, because each body needs its own emulator.
const step = byExtent(11, 5, 1);

describe('writes', () => {
  it.each([
    ['json', jsonWrites, [...values, ...urls.slice(2), ...dates]],
    ['form', formWrites, [...texts, ...urls]],
    ['multipart', formWrites, texts],
  ] as const)(
    "the emulator's world stays restorable after accepted and rejected %s bodies",
    async (kind, writes, others) => {
      for (const each of writes) {
        const { records } = await scene();
        expect(await write(kind, each), each[0](records)).toBe(true);
        const bodies = [...spoiled(each[1](records), others)];
        for (const [index, body] of bodies.entries()) {
          if (index % step === 0) await write(kind, each, body);
        }
      }
    },
  );
});

describe('restored snapshot', () => {
  it('a restored snapshot keeps settings whose groups were replaced and set again', async () => {
    const { emulator } = await scene();
    for (const settings of [
      { enterprise: { dns: null, ldap: { base: [] } } },
      { enterprise: { dns: { primary_nameserver: 'x' }, ldap: {} } },
      { enterprise: { smtp: null }, run_list: null },
      { enterprise: { smtp: { port: '25' } } },
    ]) {
      const headers = {
        authorization: basic('license', consoleSeed.licenseMd5),
        'content-type': 'application/json',
      };
      const init = { method: 'PUT', headers, body: JSON.stringify({ settings }) };
      const response = await emulator.respond(new Request(`${origin}/setup/api/settings`, init));
      expect(response.status).toBe(204);
      const world = emulator.snapshot();
      expect(createEmulator({ seed: world }).snapshot()).toEqual(world);
    }
  });

  it('a restored snapshot keeps an appliance whose settings and package have no version', async () => {
    const { emulator } = await scene();
    const start = async (fields: Fields) => {
      const request = new Request(`${origin}/setup/api/start`, {
        method: 'POST',
        body: createForm(fields, 'form'),
      });
      expect((await emulator.respond(request)).status).toBe(202);
    };
    await start({
      license: 'l',
      package: 'p',
      settings: '{"enterprise":{"package_version":null}}',
    });
    await start({ license: 'l', package: 'p' });
    const world = JSON.stringify(emulator.snapshot());
    expect(JSON.stringify(createEmulator({ seed: JSON.parse(world) }).snapshot())).toBe(world);
  });
});

describe('concurrent equal requests', () => {
  it.each<[string, string, object]>([
    ['creates a release', `POST ${lab}/releases`, { tag_name: 'v2' }],
    ['creates a team', 'POST /orgs/lab/teams', { name: 'New' }],
    ['creates a file', `PUT ${lab}/contents/new`, { message: 'm', content: 'aGk=' }],
    [
      'stores an asset',
      `POST /api/uploads${lab}/releases/{release}/assets?name=b.zip`,
      { content: 'zip' },
    ],
  ])(
    'one of three concurrent equal requests %s, and the others get a 422',
    async (_what, what, body) => {
      const { emulator, records } = await scene();
      const path = what.replace('{release}', String(records.release));
      const send = () => sendRequest(emulator, path, { auth: basic('ada', 'x'), body });
      const all = await Promise.all([send(), send(), send()]);
      expect(all.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    },
  );
});

describe('rejected changes', () => {
  it.each<[string, (emulator: Emulator) => unknown]>([
    [
      'touchContact',
      ({ support }) => support.touchContact(1, { name: 'New', attributes: { tags: 'x' } }),
    ],
    [
      'touchCase',
      ({ support }) => support.touchCase(1, { subject: 'New', attributes: { id: '7' } }),
    ],
    ['addCase', ({ support }) => support.addCase({ contact_id: 1, attributes: { state: 'x' } })],
    ['addContact', ({ support }) => support.addContact({ attributes: { profiles: 'x' } })],
  ])('support.%s() leaves the support data unchanged if it throws', (_what, act) => {
    const emulator = createEmulator();
    const before = emulator.snapshot();
    const cases = emulator.support.contacts[0]?.cases;
    expect(() => act(emulator)).toThrow(RangeError);
    expect(emulator.snapshot()).toEqual(before);
    expect(emulator.support.contacts[0]?.cases).toBe(cases);
  });
});
