import { beforeEach, describe, expect, it } from 'vitest';
import { HookService } from '../../src/hosting/index.js';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, origin, sendRequest, validate } from './send-request.js';

const auth = basic('ada', 'x');
const here = '/repos/lab/engine/hooks';
const url = 'http://far.test/';
let emulator: Emulator;
let repo: Repo;
const send = (what: string, body?: unknown) => sendRequest(emulator, what, { auth, body });
const web = { content_type: 'form', insecure_ssl: '0', url };

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada', { password: 'x' });
  emulator.hosting.addUser('eve', { password: 'x' });
  emulator.hosting.addOrg('lab', ['ada']);
  repo = emulator.hosting.addRepo('lab', 'engine');
  repo.collaborators.set('eve', 'push');
  emulator.hosting.allowDeliveries(() => false);
});

describe('/hooks', () => {
  it.each<[string, object, Record<string, string>, Record<string, string>?]>([
    ['web', { url }, web],
    ['web', { url, insecure_ssl: true }, { ...web, insecure_ssl: '1' }],
    ['web', { url, secret: 's', room: 5 }, { ...web, secret: 's', room: '5' }, { secret: '*' }],
    ['web', { url, secret: '' }, { ...web, secret: '' }],
    [
      'irc',
      { server: 'x', ssl: true, password: 'p' },
      {
        ...{ server: 'x', ssl: '1', password: 'p' },
      },
      { password: '*' },
    ],
  ])(
    'POST /hooks normalizes the %s config %j and masks its secrets',
    async (name, passed, config, masked = {}) => {
      const { status, data, headers } = await send(`POST ${here}`, { name, config: passed });
      expect([status, headers.location]).toEqual([201, data.url]);
      expect(repo.hooks).toMatchObject([{ name, config }]);
      expect(repo.hooks[0]?.config).toEqual(config);
      const hidden = Object.keys(masked).map((secret) => [secret, '********']);
      expect(data.config).toEqual({ ...config, ...Object.fromEntries(hidden) });
    },
  );

  it.each<[string, unknown, string, string]>([
    ['web', {}, 'url', 'missing_field'],
    ['web', 'x', 'config', 'invalid'],
    ['web', { url: 'ftp://x/' }, 'url', 'invalid'],
    ['web', { url, content_type: 'xml' }, 'content_type', 'invalid'],
    ['web', { url, insecure_ssl: '2' }, 'insecure_ssl', 'invalid'],
    ['irc', { server: 'x', ssl: 'yes' }, 'ssl', 'invalid'],
    ['web', { url: 'far.test' }, 'url', 'invalid'],
    ['email', { send_from_author: 'yes' }, 'send_from_author', 'invalid'],
  ])('POST and PATCH /hooks reject the %s config %j', async (name, config, field, code) => {
    const { status, data } = await send(`POST ${here}`, { name, config });
    expect([status, data.errors]).toEqual([422, [{ resource: 'Hook', field, code }]]);
    expect(repo.hooks).toEqual([]);
    const { id } = emulator.hosting.addHook(repo, { url }, { name });
    expect((await send(`PATCH ${here}/${id}`, { config })).status).toBe(422);
  });

  it.each<[string, string[] | undefined, string[]]>([
    ['web', undefined, ['push']],
    ['web', [], []],
    ['web', ['push', '*'], ['*']],
    ['irc', undefined, ['push', 'pull_request']],
  ])(
    'POST /hooks normalizes the events of a hook for the service %s from %j to %j',
    async (name, events, wanted) => {
      const { data } = await send(`POST ${here}`, { name, config: { url }, events });
      expect(data.events).toEqual(wanted);
      expect(repo.hooks[0]?.events).toEqual(wanted);
    },
  );

  it('POST /hooks replaces the existing hook of a service other than web', async () => {
    const make = async (name: string, body: object) =>
      await send(`POST ${here}`, { name, ...body });
    const first = await make('irc', { config: { server: 'a' }, events: ['push'] });
    emulator.clock.advance(60_000);
    const again = await make('irc', { config: { room: 'b' }, active: false });
    expect([again.status, again.headers.location]).toEqual([200, undefined]);
    expect(again.data).toEqual({
      ...first.data,
      config: { room: 'b' },
      events: ['push', 'pull_request'],
      active: false,
      updated_at: '2014-06-01T12:01:00Z',
    });
    expect((await make('irc', { config: {} })).data.active).toBe(true);
    expect((await make('email', { config: {} })).status).toBe(201);
    for (let count = 0; count < 2; count++) {
      expect((await make('web', { config: { url } })).status).toBe(201);
    }
    const { data } = await send(`GET ${here}`);
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['irc', 'email', 'web', 'web']);
  });

  it('PATCH /hooks/:id keeps the fields that it omits', async () => {
    const hook = emulator.hosting.addHook(repo, { ...web, secret: 's' }, { events: ['push'] });
    const path = `PATCH ${here}/${hook.id}`;
    const change = async (body: object) => {
      emulator.clock.advance(60_000);
      const { status, data } = await send(path, body);
      return [status, data.events, data.active, data.updated_at];
    };
    const at = (minute: number) => `2014-06-01T12:0${minute}:00Z`;
    expect(await change({})).toEqual([200, ['push'], true, at(1)]);
    expect(await change({ active: false })).toEqual([200, ['push'], false, at(2)]);
    expect(await change({ add_events: ['watch', 'push'] })).toEqual([
      ...[200, ['push', 'watch'], false, at(3)],
    ]);
    expect(await change({ remove_events: ['push'], add_events: ['fork'], active: true })).toEqual([
      ...[200, ['watch', 'fork'], true, at(4)],
    ]);
    expect(await change({ events: ['push', 'watch'], remove_events: ['watch'] })).toEqual([
      ...[200, ['push'], true, at(5)],
    ]);
    expect(await change({ events: ['*', 'push'] })).toEqual([200, ['*'], true, at(6)]);
    expect(await change({ events: ['push', 'ping'] })).toEqual([
      200,
      ['push', 'ping'],
      true,
      at(7),
    ]);
    expect(hook.config).toEqual({ ...web, secret: 's' });
    expect((await change({ active: false, add_events: ['nonsense'] }))[0]).toBe(422);
    expect((await change({ active: false, config: { url: '' } }))[0]).toBe(422);
    expect([hook.active, hook.updatedAt]).toEqual([true, at(7)]);
    expect((await change({ config: { url: 'http://x.test/' } }))[0]).toBe(200);
    expect(hook.config).toEqual({ ...web, url: 'http://x.test/' });
    emulator.hosting.addHook(repo, web);
    expect((await send(`DELETE ${here}/${hook.id}`)).status).toBe(204);
    expect(repo.hooks).toHaveLength(1);
    expect(repo.hooks).not.toContain(hook);
    expect((await send(`GET ${here}/${hook.id}`)).status).toBe(404);
  });
});

describe('POST /hub', () => {
  const topic = `${origin}/lab/engine/events/push`;
  const form = 'application/x-www-form-urlencoded';
  const passed = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': url };
  const post = (fields: object = {}, how: { auth?: string; accept?: string } = {}) =>
    sendRequest(emulator, 'POST /hub', {
      auth: how.auth ?? auth,
      body: new URLSearchParams({ ...passed, ...fields }).toString(),
      headers: { 'content-type': form, accept: how.accept ?? '*/*' },
    });
  const subscribe = async (...request: Parameters<typeof post>) => (await post(...request)).status;
  const hooks = () => repo.hooks.map(({ name, events, config }) => ({ name, events, config }));

  it.each<[object, string, object]>([
    [{}, '*/*', { name: 'web', events: ['push'], config: web }],
    [{}, 'application/json', { config: { ...web, content_type: 'json' } }],
    [{ 'hub.topic': `${topic}.json` }, '*/*', { config: { ...web, content_type: 'json' } }],
    [{ 'hub.topic': `${topic.slice(0, -4)}pull_request` }, '*/*', { events: ['pull_request'] }],
    [
      { 'hub.callback': 'service://irc?server=x&room=%23y&ssl=1' },
      '*/*',
      { name: 'irc', events: ['push'], config: { server: 'x', room: '#y', ssl: '1' } },
    ],
  ])('creates a hook from the fields %j (Accept: %s)', async (fields, accept, expected) => {
    expect(await subscribe(fields, { accept })).toBe(204);
    const [hook, ...others] = hooks();
    expect(others).toEqual([]);
    expect(hook).toEqual(expect.objectContaining(expected));
    expect(emulator.hosting.deliveries.map(({ event }) => event)).toEqual(
      hook?.name === 'web' ? ['ping'] : [],
    );
  });

  it.each<[Record<string, string>, string]>([
    [{ 'hub.mode': 'publish' }, 'Invalid hub.mode: publish'],
    [{ 'hub.topic': '' }, 'Invalid topic'],
    [{ 'hub.topic': `${topic}.jsonx` }, 'Invalid topic'],
    [{ 'hub.topic': `${origin}/lab/engine/event/push` }, 'Invalid topic'],
    [{ 'hub.topic': `${origin}/lab/none/events/push` }, 'Invalid topic'],
    [{ 'hub.topic': `${origin}/lab/engine/events/nonsense` }, 'Invalid event: nonsense'],
    [{ 'hub.callback': 'far.test' }, 'Invalid callback'],
    [{ 'hub.callback': 'service://nonsense' }, 'Invalid callback'],
    [{ 'hub.callback': 'service://irc?ssl=maybe' }, 'Invalid callback'],
  ])('responds with 422 to %j and reports %j', async (fields, message) => {
    const { status, data } = await post(fields);
    expect([status, data.message]).toEqual([422, expect.stringContaining(message)]);
    expect(data).not.toHaveProperty('errors');
    expect(repo.hooks).toEqual([]);
  });

  it('requires admin permission for the repository', async () => {
    expect(await subscribe({}, { auth: basic('eve', 'x') })).toBe(422);
    repo.collaborators.set('eve', 'admin');
    expect(await subscribe({}, { auth: basic('eve', 'x') })).toBe(204);
  });

  it('deletes a hook when its last event is unsubscribed', async () => {
    const other = 'http://other.test/';
    const watch = `${topic.slice(0, -4)}watch`;
    await subscribe();
    await subscribe({ 'hub.callback': other });
    const [hook] = repo.hooks;
    if (hook) hook.active = false;
    emulator.clock.advance(60_000);
    await subscribe({ 'hub.topic': `${watch}.json`, 'hub.secret': 's' });
    expect(hook).toMatchObject({ active: true, updatedAt: '2014-06-01T12:01:00Z' });
    const json = { ...web, content_type: 'json', secret: 's' };
    const second = { name: 'web', events: ['push'], config: { ...web, url: other } };
    expect(hooks()).toEqual([{ name: 'web', events: ['push', 'watch'], config: json }, second]);
    expect(emulator.hosting.deliveries, 'one ping per hook').toHaveLength(2);
    await subscribe({ 'hub.callback': 'service://irc?server=a' });
    await subscribe({ 'hub.callback': 'service://irc?server=b' });
    const irc = { name: 'irc', events: ['push'], config: { server: 'b' } };
    expect(hooks().slice(2)).toEqual([irc]);
    const off = { 'hub.mode': 'unsubscribe' };
    expect(await subscribe({ ...off, 'hub.callback': 'http://none.test/' })).toBe(204);
    expect(await subscribe(off)).toBe(204);
    expect(hooks()).toEqual([{ name: 'web', events: ['watch'], config: json }, second, irc]);
    expect(await subscribe({ ...off, 'hub.topic': watch })).toBe(204);
    expect(await subscribe({ ...off, 'hub.callback': 'service://irc' })).toBe(204);
    expect(hooks()).toEqual([second]);
  });
});

it('GET /hooks lists the available services, and ping among the events of web', async () => {
  const { data } = await send('GET /hooks');
  for (const service of data) validate(HookService, service);
  const web = data.find(({ name }: { name: string }) => name === 'web');
  expect(web.supported_events).toContain('ping');
});

it.each([
  ['github', 201],
  ['company', 422],
])('POST /hooks without a name responds as the vendor %s with %i', async (vendor, status) => {
  const own = createEmulator({ vendor });
  const response = await sendRequest(own, 'POST /repos/acme/rocket/hooks', {
    body: { config: { url } },
  });
  expect([response.status, response.data.name]).toEqual([
    status,
    status === 201 ? 'web' : undefined,
  ]);
});
