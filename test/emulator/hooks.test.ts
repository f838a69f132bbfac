import { createHmac } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Hook, HookService } from '../../src/hosting/models/index.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { ask, basic, fitting, mona, origin } from './asking.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const hooks = '/repos/acme/rocket/hooks';
const received: Received[] = [];
let answer = 200;
let emulator: Emulator;
let url: string;

let silent = false;
let server: Server;

function receive(request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => {
    body += piece;
  });
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    if (!silent) response.writeHead(answer).end();
  });
}

beforeEach(async () => {
  received.length = 0;
  answer = 200;
  silent = false;
  emulator = createEmulator();
  server = createServer(receive);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on TCP has an AddressInfo.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});

afterEach(async () => {
  await emulator.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function create(input: object) {
  return ask(emulator, `POST ${hooks}`, { body: input });
}

async function deliveries(): Promise<string[]> {
  await emulator.hosting.deliveriesSettled();
  return emulator.hosting.deliveries.map(
    ({ event, status, error }) => `${event} ${status ?? error}`,
  );
}

describe('hooks', () => {
  test('are made, listed, read, changed and deleted', async () => {
    const config = { url, content_type: 'json', secret: 's3cret', insecure_ssl: true };
    const made = await create({ name: 'web', config, events: ['push', 'release'] });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(made.data.url);
    expect(fitting(Hook, made.data)).toMatchObject({
      events: ['push', 'release'],
      active: true,
      config: { url, content_type: 'json', secret: '********', insecure_ssl: '1' },
    });
    const path = `${hooks}/${made.data.id}`;
    const patch = (body: object) => ask(emulator, `PATCH ${path}`, { body });
    expect((await patch({ add_events: ['watch'] })).data.events).toEqual([
      'push',
      'release',
      'watch',
    ]);
    expect((await patch({ remove_events: ['push'] })).data.events).toEqual(['release', 'watch']);
    expect((await patch({ events: ['push'], active: false })).data).toMatchObject({
      events: ['push'],
      active: false,
    });
    expect((await patch({ events: ['*', 'push'] })).data.events).toEqual(['*']);
    // `config` is replaced whole: the secret is gone.
    expect((await patch({ config: { url } })).data.config).toEqual({
      url,
      content_type: 'form',
      insecure_ssl: '0',
    });
    expect((await patch({ events: ['ping'] })).status).toBe(422);
    const { data } = await ask(emulator, `GET ${hooks}`);
    expect(data).toHaveLength(1);
    expect((await ask(emulator, `DELETE ${path}`)).status).toBe(204);
    expect((await ask(emulator, `GET ${path}`)).status).toBe(404);
  });

  test.each<[object, string]>([
    [{ config: { url: 'http://x' } }, 'name'],
    [{ name: 'nonsense', config: {} }, 'name'],
    [{ name: 'web' }, 'config'],
    [{ name: 'web', config: {} }, 'url'],
    [{ name: 'web', config: 'x' }, 'config'],
    [{ name: 'web', config: { url: { a: 1 } } }, 'config'],
    [{ name: 'web', config: { url: 'http://x' }, events: ['nonsense'] }, 'events'],
    [{ name: 'railsbp', config: {}, events: ['watch'] }, 'events'],
  ])('%j is not valid', async (body, field) => {
    const { status, data } = await create(body);
    expect(status).toBe(422);
    expect(data.errors).toMatchObject([{ resource: 'Hook', field }]);
  });

  test('a service other than web has one hook: making it again updates it', async () => {
    const first = await create({ name: 'irc', config: { server: 'a', ssl: true, password: 'p' } });
    expect([first.status, first.data.events]).toEqual([201, ['push', 'pull_request']]);
    expect(first.data.config).toEqual({ server: 'a', ssl: '1', password: '********' });
    const second = await create({ name: 'irc', config: { server: 'b', port: null } });
    expect(second.status).toBe(200);
    expect(second.data).toMatchObject({ id: first.data.id, config: { server: 'b' } });
    expect(await deliveries()).toEqual([]);
  });

  test('belong to admins', async () => {
    const auth = `token ${emulator.hosting.addToken('ada-0', ['repo']).token}`;
    expect((await ask(emulator, `GET ${hooks}`, { auth })).status).toBe(404);
    expect((await ask(emulator, `GET ${hooks}`, { auth: null })).status).toBe(401);
  });

  test('services are listed', async () => {
    const { data } = await ask(emulator, 'GET /hooks');
    for (const service of data) fitting(HookService, service);
    expect(data.map((each: { name: string }) => each.name)).toContain('web');
  });
});

describe('deliveries', () => {
  test('a new hook is pinged, signed with its secret', async () => {
    const config = { url, content_type: 'json', secret: 's3cret' };
    const { data } = await create({ name: 'web', config });
    expect(await deliveries()).toEqual(['ping 200']);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'ping',
      'user-agent': 'Service Hookshot',
      'x-hub-signature': `sha1=${createHmac('sha1', 's3cret').update(body).digest('hex')}`,
      'x-hub-signature-256': `sha256=${createHmac('sha256', 's3cret').update(body).digest('hex')}`,
    });
    expect(headers['x-service-delivery']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(JSON.parse(body)).toMatchObject({
      hook_id: data.id,
      zen: expect.any(String),
      repository: { full_name: 'acme/rocket' },
      organization: { login: 'acme' },
      sender: { login: 'mona' },
    });
    expect(body).not.toContain('s3cret');
    const read = await ask(emulator, `GET ${hooks}/${data.id}`);
    expect(read.data.last_response).toEqual({ code: 200, status: 'active', message: 'OK' });
  });

  test('pings and tests; a test reaches only who subscribed to push', async () => {
    const { id } = emulator.hosting.addHook('acme/rocket', { url }, { active: false });
    const other = emulator.hosting.addHook('acme/rocket', { url }, { events: ['watch'] });
    for (const path of [`${id}/pings`, `${id}/tests`, `${id}/test`, `${other.id}/tests`]) {
      expect((await ask(emulator, `POST ${hooks}/${path}`)).status).toBe(204);
    }
    expect(await deliveries()).toEqual(['ping 200', 'push 200', 'push 200']);
    const form = new URLSearchParams(received[1]?.body);
    expect(received[1]?.headers['x-hub-signature']).toBeUndefined();
    expect(JSON.parse(form.get('payload') ?? '')).toMatchObject({
      ref: 'refs/heads/main',
      commits: [{ message: 'Begin' }],
    });
  });

  test('what happens in a repository is told', async () => {
    emulator.hosting.addHook('acme/rocket', { url, content_type: 'json' }, { events: ['*'] });
    const repo = '/repos/acme/rocket';
    const post = (path: string, body: object) => ask(emulator, `POST ${repo}${path}`, { body });
    await post('/releases', { tag_name: 'v9' });
    const pull = await post('/pulls', { title: 'T', head: 'topic', base: 'main' });
    const { sha } = emulator.hosting.state.repo('acme', 'rocket')?.refs.get('heads/main') ?? {};
    await post(`/commits/${sha}/comments`, { body: 'Hm' });
    await post('/git/refs', { ref: 'refs/heads/n', sha });
    await ask(emulator, `DELETE ${repo}/git/refs/heads/n`);
    await ask(emulator, 'PUT /user/starred/acme/rocket');
    await ask(emulator, `PUT ${repo}/pulls/${pull.data.number}/merge`);
    const [owners] = emulator.hosting.state.teamsOf('acme');
    await ask(emulator, `PUT /teams/${owners?.id}/repos/acme/rocket`);
    emulator.hosting.emit('acme/rocket', 'gollum', { pages: [] });
    expect(await deliveries()).toEqual([
      'release 200',
      'pull_request 200',
      'commit_comment 200',
      'create 200',
      'delete 200',
      'watch 200',
      'push 200',
      'pull_request 200',
      'team_add 200',
      'gollum 200',
    ]);
    expect(JSON.parse(received.at(-1)?.body ?? '')).toMatchObject({ pages: [], sender: {} });
  });

  test('what refuses, what is not there, and what is elsewhere', async () => {
    answer = 500;
    await create({ name: 'web', config: { url } });
    await deliveries();
    const closed = 'http://127.0.0.1:1/';
    for (const target of [closed, 'https://example.com/', 'ftp://localhost/', 'no url']) {
      emulator.hosting.addHook('acme/rocket', { url: target }, { events: ['watch'] });
    }
    await ask(emulator, 'PUT /user/starred/acme/rocket');
    expect(await deliveries()).toEqual([
      'ping 500',
      expect.stringContaining('ECONNREFUSED'),
      'watch deliveries go to this machine only, unless the emulator is told otherwise',
      'watch not an http or https URL',
      'watch not an http or https URL',
    ]);
    const { data } = await ask(emulator, `GET ${hooks}`);
    expect(
      data.map((hook: { last_response: { status: string } }) => hook.last_response.status),
    ).toEqual([
      'invalid',
      'connection_error',
      'connection_error',
      'connection_error',
      'connection_error',
    ]);
  });

  test('a policy of one’s own; closing gives up what is under way', async () => {
    const asked: string[] = [];
    emulator.hosting.allowDeliveries((target) => {
      asked.push(target.hostname);
      return false;
    });
    await create({ name: 'web', config: { url: 'https://example.com/hook' } });
    expect(asked).toEqual(['example.com']);
    emulator.reset();
    expect(emulator.hosting.deliveries).toEqual([]);
    silent = true;
    await create({ name: 'web', config: { url } });
    await emulator.close();
    expect(await deliveries()).toEqual(['ping the emulator stopped']);
  });
});

describe('hub', () => {
  const topic = `${origin}/acme/rocket/events/push`;
  const send = (form: Record<string, string>, auth: string | null = mona, accept = '*/*') =>
    ask(emulator, 'POST /hub', {
      auth,
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept },
    });

  test('subscribes, again and again, and unsubscribes', async () => {
    const form = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': url };
    expect((await send({ ...form, 'hub.secret': 's3cret' })).status).toBe(204);
    const watch = `${origin}/acme/rocket/events/watch.json`;
    expect((await send({ ...form, 'hub.topic': watch })).status).toBe(204);
    expect((await send(form, mona, 'application/json')).status).toBe(204);
    const [hook, ...more] = emulator.hosting.state.repo('acme', 'rocket')?.hooks ?? [];
    expect(more).toEqual([]);
    expect(hook).toMatchObject({
      events: ['push', 'watch'],
      config: { url, content_type: 'json' },
    });
    expect(await deliveries()).toEqual(['ping 200']);
    for (const each of [topic, watch, watch]) {
      const off = { ...form, 'hub.mode': 'unsubscribe', 'hub.topic': each };
      expect((await send(off)).status).toBe(204);
    }
    expect(emulator.hosting.state.repo('acme', 'rocket')?.hooks).toEqual([]);
    expect(JSON.stringify(emulator.requests)).not.toContain('s3cret');
  });

  test('takes the callback of a service, with its settings', async () => {
    const callback = 'service://irc?server=irc.example.com&room=%23dev';
    const form = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': callback };
    expect((await send(form)).status).toBe(204);
    expect(emulator.hosting.state.repo('acme', 'rocket')?.hooks).toMatchObject([
      { name: 'irc', config: { server: 'irc.example.com', room: '#dev' }, events: ['push'] },
    ]);
    const wiki = { ...form, 'hub.topic': `${origin}/acme/rocket/events/gollum` };
    expect((await send(wiki)).data).toMatchObject({ message: 'gollum is not supported' });
  });

  test.each([
    [{ 'hub.mode': 'publish' }, 'Invalid hub.mode: publish'],
    [{ 'hub.topic': `${origin}/acme/rocket/push` }, 'Invalid topic'],
    [{ 'hub.topic': 'http://elsewhere.test/acme/rocket/events/push' }, 'Invalid topic'],
    [{ 'hub.topic': `${origin}/acme/none/events/push` }, 'Invalid topic'],
    [{ 'hub.topic': `${origin}/acme/rocket/events/nonsense` }, 'Invalid event: nonsense'],
    [{ 'hub.callback': 'ftp://x' }, 'Invalid callback'],
    [{ 'hub.callback': 'nonsense' }, 'Invalid callback'],
    [{ 'hub.callback': 'service://nonsense' }, 'Invalid callback'],
  ])('%j is refused', async (change, message) => {
    const form = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': url };
    const { status, data } = await send({ ...form, ...change });
    expect(status).toBe(422);
    expect(data.message).toContain(message);
    expect(data).not.toHaveProperty('errors');
  });

  test('takes Basic authentication of an admin only', async () => {
    const form = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': url };
    expect((await send(form, null)).status).toBe(401);
    expect((await send(form, undefined)).status).toBe(204);
    const ada = basic('ada-0', 'password of ada-0');
    expect((await send(form, ada)).status).toBe(422);
    const { token } = emulator.hosting.addToken('mona', ['repo']);
    expect((await send(form, `token ${token}`)).status).toBe(401);
  });
});
