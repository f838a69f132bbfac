import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deliveries } from '../../src/testing/hosting/deliveries.js';
import { hookKind } from '../../src/testing/hosting/records/hook.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { createRecord } from '../../src/testing/record.js';
import { certificate, privateKey } from '../socket/console-certificate.js';
import { listening, serve, type TestServer } from '../support/server.js';
import { sendRequest } from './send-request.js';

/** Waits for all deliveries. Returns each delivery's event with its status or error. */
async function listDeliveries({ hosting }: Emulator): Promise<string[]> {
  await hosting.deliveriesSettled();
  return hosting.deliveries.map(({ event, status, error }) => `${event} ${status ?? error}`);
}

const hooks = '/repos/acme/rocket/hooks';
let emulator: Emulator;
/** Receives the deliveries, with `url` as its address. */
let receiver: TestServer;
let url: string;
let reply: (response: ServerResponse) => unknown;

const respond = (status: number, headers = {}) => {
  reply = (response) => response.writeHead(status, headers).end();
};

function create(input: object) {
  return sendRequest(emulator, `POST ${hooks}`, { body: input });
}

beforeEach(async () => {
  emulator = createEmulator();
  respond(200);
  receiver = await serve((_seen, response) => reply(response));
  url = `${receiver.origin}/hook`;
});

afterEach(() => emulator.close());

describe('hook delivery loops and timeouts', () => {
  it('a hook delivery times out even if the receiver keeps sending single bytes', async () => {
    const trickling = createServer((request, response) => {
      request.resume();
      response.writeHead(200).flushHeaders();
      const timer = setInterval(() => response.write('.'), 10);
      response.once('close', () => clearInterval(timer));
    });
    const { port } = await listening(trickling);
    const deliveries = new Deliveries('service', 200);
    const origin = { id: 1, now: '2014-06-01T12:00:00Z', parent: undefined };
    const config = { url: `http://127.0.0.1:${port}/` };
    const hook = createRecord(hookKind, origin, { config });
    deliveries.send(hook, 'push', {}, new Headers());
    await Promise.all([deliveries.settled(), deliveries.settled()]);
    expect(deliveries.sent).toMatchObject([{ status: 200, error: 'the callback took too long' }]);
  });

  it("the emulator doesn't deliver to its own API", async () => {
    const { hostingUrl } = await emulator.listen();
    const { token } = emulator.hosting.addToken('mona', ['repo', 'admin:repo_hook']);
    const { data } = await create({ name: 'web', config: { url, content_type: 'json' } });
    await emulator.hosting.deliveriesSettled();
    const own = new URL(`${hostingUrl}${hooks.slice(1)}/${data.id}/tests`);
    own.username = token;
    own.password = 'x-oauth-basic';
    await sendRequest(emulator, `PATCH ${hooks}/${data.id}`, {
      body: { config: { url: own.href, content_type: 'json' } },
    });
    await fetch(own.href.replace(/\/\/.*@/, '//'), {
      method: 'POST',
      headers: { authorization: `token ${token}` },
    });
    const error = 'deliveries that another delivery causes are not sent';
    expect(await listDeliveries(emulator)).toEqual(['ping 200', 'push 204', `push ${error}`]);
  });
});

describe('hook deliveries', () => {
  it('the emulator signs the ping to a new hook', async () => {
    const config = { url, content_type: 'json', secret: 's3cret' };
    const { data } = await create({ name: 'web', config });
    expect(await listDeliveries(emulator)).toEqual(['ping 200']);
    const { method, headers, body = '' } = receiver.requests[0] ?? {};
    expect(method).toBe('POST');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'ping',
      'user-agent': 'Service Hookshot',
      'x-hub-signature': `sha1=${createHmac('sha1', 's3cret').update(body).digest('hex')}`,
      'x-hub-signature-256': `sha256=${createHmac('sha256', 's3cret').update(body).digest('hex')}`,
    });
    expect(headers?.['x-service-delivery']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(JSON.parse(body)).toMatchObject({
      hook_id: data.id,
      zen: expect.any(String),
      repository: { full_name: 'acme/rocket' },
      organization: { login: 'acme' },
      sender: { login: 'mona' },
    });
    expect(body).not.toContain('s3cret');
    const read = await sendRequest(emulator, `GET ${hooks}/${data.id}`);
    expect(read.data.last_response).toEqual({ code: 200, status: 'active', message: 'OK' });
  });

  it.each([
    [204, 'active'],
    [404, 'invalid'],
  ])("a %i response sets the hook's status to %s", async (status, word) => {
    respond(status);
    await create({ name: 'web', config: { url } });
    await listDeliveries(emulator);
    expect(emulator.hosting.state.repo('acme', 'rocket')?.hooks[0]?.lastResponse).toMatchObject({
      ...{ code: status, status: word },
    });
  });

  it("a hook delivery requires a valid certificate unless insecure_ssl is '1'", async () => {
    const secure = createSecureServer({ cert: certificate, key: privateKey }, (_seen, response) =>
      response.end(),
    );
    const { port } = await listening(secure);
    for (const insecure_ssl of ['0', '1']) {
      await create({ name: 'web', config: { url: `https://127.0.0.1:${port}/`, insecure_ssl } });
    }
    expect(await listDeliveries(emulator)).toEqual([
      expect.stringMatching(/^ping .*certificate/),
      'ping 200',
    ]);
  });

  it('the emulator records the error of each failed hook delivery', async () => {
    respond(500);
    await create({ name: 'web', config: { url } });
    await listDeliveries(emulator);
    const closed = 'http://127.0.0.1:1/';
    for (const target of [closed, 'https://example.com/', 'ftp://localhost/', 'no url']) {
      emulator.hosting.addHook('acme/rocket', { url: target }, { events: ['watch'] });
    }
    await sendRequest(emulator, 'PUT /user/starred/acme/rocket');
    expect(await listDeliveries(emulator)).toEqual([
      'ping 500',
      expect.stringContaining('ECONNREFUSED'),
      'watch deliveries to this URL are disabled. To enable them, call emulator.hosting.allowDeliveries().',
      'watch the URL must use http or https',
      'watch the URL must use http or https',
    ]);
    const { data } = await sendRequest(emulator, `GET ${hooks}`);
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

  it('the emulator calls the allowDeliveries() callback before a delivery to another machine', async () => {
    const requests: string[] = [];
    emulator.hosting.allowDeliveries((target) => {
      requests.push(target.hostname);
      return false;
    });
    await create({ name: 'web', config: { url: 'https://example.com/hook' } });
    expect(requests).toEqual(['example.com']);
    emulator.reset();
    expect(emulator.hosting.deliveries).toEqual([]);
  });

  it('emulator.close() cancels hook deliveries', async () => {
    reply = () => undefined;
    await create({ name: 'web', config: { url } });
    await emulator.close();
    expect(await listDeliveries(emulator)).toEqual(['ping the emulator stopped']);
  });
});

describe('hook deliveries to control pages', () => {
  it.each(['http://127.0.0.1:4010/_emulator/reset', 'https://user:pw@[::1]/_emulator/clock?a=b#c'])(
    'the emulator rejects the control page %s as the URL of a delivery',
    async (url) => {
      emulator.hosting.allowDeliveries(() => true);
      emulator.hosting.addHook('acme/rocket', { url }, { events: ['push'] });
      emulator.hosting.emit('acme/rocket', 'push', {});
      await emulator.hosting.deliveriesSettled();
      expect(emulator.hosting.deliveries).toMatchObject([
        { status: undefined, error: "deliveries to the emulator's control pages are not allowed" },
      ]);
    },
  );

  it.each([302, 307])("a hook delivery doesn't follow a %i to a control page", async (status) => {
    respond(status, { location: `${(await emulator.listen()).url}/_emulator/reset` });
    emulator.hosting.addHook('acme/rocket', { url }, { events: ['push'] });
    emulator.hosting.emit('acme/rocket', 'push', {});
    expect(await listDeliveries(emulator)).toEqual([`push ${status}`]);
    expect(emulator.requests).toEqual([]);
  });
});
