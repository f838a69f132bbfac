import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Hook, HookService } from '../../src/hosting/index.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { type HookReceiver, listDeliveries, openReceiver } from './hook-receiver.js';
import { basic, mona, origin, sendRequest, validate } from './send-request.js';

const hooks = '/repos/acme/rocket/hooks';
let emulator: Emulator;
let receiver: HookReceiver;
let url: string;

beforeEach(async () => {
  emulator = createEmulator();
  receiver = await openReceiver();
  url = receiver.url;
});

afterEach(async () => {
  await emulator.close();
  await receiver.close();
});

function create(input: object) {
  return sendRequest(emulator, `POST ${hooks}`, { body: input });
}

describe('/repos/:owner/:repo/hooks', () => {
  test('the emulator creates, lists, reads, updates and deletes a hook', async () => {
    const config = { url, content_type: 'json', secret: 's3cret', insecure_ssl: true };
    const created = await create({ name: 'web', config, events: ['push', 'release'] });
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(created.data.url);
    expect(validate(Hook, created.data)).toMatchObject({
      events: ['push', 'release'],
      active: true,
      config: { url, content_type: 'json', secret: '********', insecure_ssl: '1' },
    });
    const path = `${hooks}/${created.data.id}`;
    const patch = (body: object) => sendRequest(emulator, `PATCH ${path}`, { body });
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
    // A new `config` replaces the old one, including its secret.
    expect((await patch({ config: { url } })).data.config).toEqual({
      url,
      content_type: 'form',
      insecure_ssl: '0',
    });
    expect((await patch({ events: ['none'] })).status).toBe(422);
    const { data } = await sendRequest(emulator, `GET ${hooks}`);
    expect(data).toHaveLength(1);
    expect((await sendRequest(emulator, `DELETE ${path}`)).status).toBe(204);
    expect((await sendRequest(emulator, `GET ${path}`)).status).toBe(404);
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
  ])('POST /hooks responds with 422 to the hook %j', async (body, field) => {
    const { status, data } = await create(body);
    expect(status).toBe(422);
    expect(data.errors).toMatchObject([{ resource: 'Hook', field }]);
  });

  test('POST /hooks updates the existing irc hook instead of creating a second irc hook', async () => {
    const first = await create({ name: 'irc', config: { server: 'a', ssl: true, password: 'p' } });
    expect([first.status, first.data.events]).toEqual([201, ['push', 'pull_request']]);
    expect(first.data.config).toEqual({ server: 'a', ssl: '1', password: '********' });
    const second = await create({ name: 'irc', config: { server: 'b', port: null } });
    expect(second.status).toBe(200);
    expect(second.data).toMatchObject({ id: first.data.id, config: { server: 'b' } });
    expect(await listDeliveries(emulator)).toEqual([]);
  });

  test('GET /repos/:owner/:repo/hooks responds with 404 to users without admin permission', async () => {
    const auth = `token ${emulator.hosting.addToken('ada-0', ['repo']).token}`;
    expect((await sendRequest(emulator, `GET ${hooks}`, { auth })).status).toBe(404);
    expect((await sendRequest(emulator, `GET ${hooks}`, { auth: null })).status).toBe(401);
  });

  test('GET /hooks lists the available services', async () => {
    const { data } = await sendRequest(emulator, 'GET /hooks');
    for (const service of data) validate(HookService, service);
    expect(data.map((each: { name: string }) => each.name)).toContain('web');
  });
});

describe('POST /hub', () => {
  const topic = `${origin}/acme/rocket/events/push`;
  const send = (form: Record<string, string>, auth: string | null = mona, accept = '*/*') =>
    sendRequest(emulator, 'POST /hub', {
      auth,
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept },
    });

  test('POST /hub keeps one hook for all events of a callback', async () => {
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
    expect(await listDeliveries(emulator)).toEqual(['ping 200']);
    for (const each of [topic, watch, watch]) {
      const off = { ...form, 'hub.mode': 'unsubscribe', 'hub.topic': each };
      expect((await send(off)).status).toBe(204);
    }
    expect(emulator.hosting.state.repo('acme', 'rocket')?.hooks).toEqual([]);
    expect(JSON.stringify(emulator.requests)).not.toContain('s3cret');
  });

  test('POST /hub accepts a service callback whose query contains settings', async () => {
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
    [{ 'hub.topic': 'acme/rocket/events/push' }, 'Invalid topic'],
    [{ 'hub.topic': `${origin}/acme/none/events/push` }, 'Invalid topic'],
    [{ 'hub.topic': `${origin}/acme/rocket/events/nonsense` }, 'Invalid event: nonsense'],
    [{ 'hub.callback': 'ftp://x' }, 'Invalid callback'],
    [{ 'hub.callback': 'nonsense' }, 'Invalid callback'],
    [{ 'hub.callback': 'service://nonsense' }, 'Invalid callback'],
  ])('POST /hub responds with 422 to %j', async (change, message) => {
    const form = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': url };
    const { status, data } = await send({ ...form, ...change });
    expect(status).toBe(422);
    expect(data.message).toContain(message);
    expect(data).not.toHaveProperty('errors');
  });

  test('POST /hub accepts only the Basic credentials of an administrator', async () => {
    const form = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': url };
    expect((await send(form, null)).status).toBe(401);
    expect((await send(form, undefined)).status).toBe(204);
    const ada = basic('ada-0', 'password of ada-0');
    expect((await send(form, ada)).status).toBe(422);
    const { token } = emulator.hosting.addToken('mona', ['repo']);
    expect((await send(form, `token ${token}`)).status).toBe(401);
  });
});
