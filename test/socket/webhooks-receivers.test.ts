import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import {
  createFetchHandler,
  createNodeListener,
  type Delivery,
  type DeliveryStore,
} from '../../src/webhooks/index.js';
import { createClient, gate, turns, until, watchWarnings } from '../support/client.js';
import { listening } from '../support/server.js';
import { signDelivery } from '../support/sign-delivery.js';
import { payload, receiverBy, secret, signed, ways } from './webhook-receivers.js';

describe.each(ways)('%s', (_name, start) => {
  const receiver = receiverBy(start);

  it('responds with 202 when the handler has finished', async () => {
    const order: string[] = [];
    const { post } = await receiver({
      onDelivery: async () => {
        await turns(3);
        order.push('handled');
      },
    });
    const response = await post(signed());
    order.push('answered');
    expect(response.status).toBe(202);
    expect(order).toEqual(['handled', 'answered']);
  });

  it.each([0, 20])(
    'responds with 202 after `respond.within`, and the handler continues (%i ms)',
    async (within) => {
      const handler = gate();
      const { post, errors, contexts } = await receiver({
        respond: { within },
        onDelivery: async () => {
          await handler.opened;
          throw new Error('too late');
        },
      });
      expect((await post(signed('guid'))).status).toBe(202);
      expect(errors).toEqual([]);
      handler.open();
      await until('the failure was reported', () => errors.length > 0);
      expect(errors).toEqual([expect.objectContaining({ message: 'too late' })]);
      expect(contexts).toEqual([
        { status: 202, delivery: expect.objectContaining({ id: 'guid', event: 'push' }) },
      ]);
      // The handler failed, so a redelivery is handled.
      await post(signed('guid'));
      await until('the delivery was handled again', () => errors.length > 1);
    },
  );

  it('handles a repeated delivery only once', async () => {
    const { post, received } = await receiver();
    const responses = await Promise.all([post(signed('guid')), post(signed('guid'))]);
    responses.push(await post(signed('guid')), await post(signed('other')));
    expect(responses.map((each) => each.status)).toEqual([202, 202, 202, 202]);
    expect(received.map((each) => each.id)).toEqual(['guid', 'other']);
  });

  it('responds to a concurrent redelivery with the outcome of the first handler call', async () => {
    const handler = gate();
    let calls = 0;
    const { post } = await receiver({
      onDelivery: async () => {
        calls += 1;
        await handler.opened;
        throw new Error('failed');
      },
    });
    const first = post(signed('guid'));
    await until('the handler runs', () => calls === 1);
    const second = post(signed('guid'));
    // If the second delivery didn't wait for the first handler, its response would arrive within
    // 500 turns.
    const early = await Promise.race([second, turns(500).then(() => 'waits for the first')]);
    expect(early).toBe('waits for the first');
    handler.open();
    expect((await first).status).toBe(500);
    // After a 202, the server would not send the delivery a third time.
    expect((await second).status).toBe(500);
  });

  it("reports a handler's error and responds with 500", async () => {
    let calls = 0;
    const { post, errors, contexts } = await receiver({
      onDelivery: () => {
        calls += 1;
        if (calls === 1) throw new Error('the handler broke');
      },
    });
    const response = await post(signed('guid'));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('broke');
    expect((await post(signed('guid'))).status).toBe(202);
    expect(calls).toBe(2);
    expect(errors).toEqual([expect.objectContaining({ message: 'the handler broke' })]);
    expect(contexts[0]).toMatchObject({ status: 500, delivery: { id: 'guid' } });
  });

  it('warns about failing handlers, but not about rejected requests, if onError is not set', async () => {
    const warnings = watchWarnings();
    const failures: unknown[] = [new Error('a handler broke'), 'a handler threw text'];
    const { post } = await receiver({
      onError: undefined,
      onDelivery: () => Promise.reject(failures.shift()),
    });
    await post({ ...signed(), body: '{}' });
    await post(signed());
    await post(signed());
    await until('two warnings were logged', () => warnings.length >= 2);
    expect(warnings).toEqual(['a handler broke', 'a handler threw text']);
  });

  it.each<[object, string]>([
    [{ secret: '' }, 'secret'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes'],
    [{ onDelivery: undefined }, 'onDelivery'],
    [{ onDelivery: 1 }, 'onDelivery'],
    [{ onError: 1 }, 'onError'],
    [{ respond: { within: -1 } }, 'respond.within'],
    [{ deliveries: {} }, 'deliveries'],
  ])('rejects the options %o and names `%s` in the error', async (options, option) => {
    // `as`: JavaScript callers may pass anything.
    const attempt = receiver(options as object);
    await expect(attempt).rejects.toMatchObject({ code: 'configuration', option });
  });
});

describe('createFetchHandler', () => {
  function recording(key: string | false = secret) {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    return { handle: createFetchHandler({ secret: key, onDelivery: () => {}, onError }), errors };
  }

  it('reports an error if the body was already read', async () => {
    const { handle, errors } = recording();
    const request = new Request('http://receiver.test/', signed());
    await request.json();
    expect((await handle(request)).status).toBe(500);
    expect(errors).toMatchObject([{ reason: 'not_raw' }]);
    expect(String(errors[0])).toMatch(/^(?!.*express).*request\.clone\(\)/);
  });

  it("responds with 400 if the body can't be read, without exposing the error", async () => {
    const { handle, errors } = recording();
    const body = new ReadableStream({
      start: (controller) => controller.error(new Error('the socket of 10.0.0.7 broke')),
    });
    const init: RequestInit = { ...signed(), body, duplex: 'half' };
    const response = await handle(new Request('http://receiver.test/', init));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/^(?!.*10\.0).*\w/);
    expect(errors).toEqual([new Error('the socket of 10.0.0.7 broke')]);
  });
});

const body = '{"ref":"refs/heads/main"}';
const hmac = (algorithm: string, key = secret, text: string | Buffer = body) =>
  createHmac(algorithm, key).update(text).digest('hex');

describe.each(ways)('%s', (_name, start) => {
  const receiver = receiverBy(start);

  it.each<[string, RequestInit, number, string?]>([
    [
      'a missing signature',
      { ...signed(), headers: { 'content-type': 'application/json', 'x-service-event': 'push' } },
      401,
    ],
    ['a changed body', { ...signed(), body: '{}' }, 401],
    [
      'a missing event header',
      { ...signed(), headers: { ...signed().headers, 'x-service-event': '' } },
      400,
    ],
    ['a ping without its fields', signed(undefined, 'ping', {}), 400, 'payload.zen'],
    ['a GET', { method: 'GET' }, 405],
  ])('rejects %s', async (_what, init, status, names) => {
    const { post, received } = await receiver();
    const response = await post(init);
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(received).toEqual([]);
    const text = await response.text();
    expect(text).toMatch(/\w/);
    expect(text).not.toContain(secret);
    if (names) expect(text).toContain(names);
  });

  it('reports an unsupported media type with 415 and an oversized body with 413', async () => {
    const { post, errors, contexts } = await receiver({ maxBodyBytes: 1000 });
    const xml = { ...signed().headers, 'content-type': 'text/xml' };
    await post({ ...signed(), headers: xml });
    await post({ ...signed(), body: 'x'.repeat(1001) });
    const body = new Blob(['x'.repeat(1001)]).stream();
    await post({ ...signed(), body, duplex: 'half' });
    expect(errors).toMatchObject([
      { code: 'invalid_request', field: 'content-type' },
      { code: 'invalid_request', field: 'body' },
      { code: 'invalid_request', field: 'body' },
    ]);
    expect(contexts).toEqual([
      { status: 415, delivery: undefined },
      { status: 413, delivery: undefined },
      { status: 413, delivery: undefined },
    ]);
  });

  it('accepts a body of maxBodyBytes, and responds with 413 to a longer body', async () => {
    const init = signed();
    const { post, received } = await receiver({ maxBodyBytes: init.body.length });
    expect((await post(init)).status).toBe(202);
    const longer = signed(undefined, 'push', { ...payload, x: 1 });
    expect((await post(longer)).status).toBe(413);
    expect(received).toHaveLength(1);
  });

  it('accepts unsigned deliveries if `secret` is false', async () => {
    const { headers, body } = signDelivery({ event: 'push', payload });
    const { post, received } = await receiver({ secret: false });
    expect((await post({ method: 'POST', headers, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  it.each<[string, string | Buffer]>([
    ['compressed', gzipSync(body)],
    [
      'a delivery with a deeply nested sender',
      `{"sender":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
    ],
  ])('responds with 400 if a signed body is %s', async (_what, bytes) => {
    const { post, received } = await receiver();
    const headers = {
      ...signed().headers,
      'x-hub-signature': '',
      'x-hub-signature-256': `sha256=${hmac('sha256', secret, Buffer.from(bytes))}`,
    };
    const response = await post({ method: 'POST', headers, body: Buffer.from(bytes) });
    expect(response.status).toBe(400);
    expect(received).toEqual([]);
  });
});

it.each(['json', 'form'] as const)(
  "createNodeListener accepts the emulator's %s deliveries",
  async (content_type) => {
    const received: Delivery[] = [];
    const onDelivery = (delivery: Delivery) => received.push(delivery);
    const server = createServer(createNodeListener({ secret, onDelivery }));
    const { origin } = await listening(server);
    const emulator = createEmulator();
    onTestFinished(() => emulator.close());
    const { hostingUrl } = await emulator.listen();
    const place = { owner: seeded.owner, repo: seeded.repo };
    const auth = { type: 'token', token: seeded.token } as const;
    const client = createClient({ origin: hostingUrl }, { baseUrl: hostingUrl, auth });
    const config = { url: `${origin}/hook`, content_type, secret };
    const { id } = await client.hooks.create({ ...place, name: 'web', events: ['push'], config });
    await client.hooks.test({ ...place, id });
    await emulator.hosting.deliveriesSettled();
    const { deliveries } = emulator.hosting;
    expect(deliveries.map(({ status }) => status)).toEqual([202, 202]);
    // Each delivery uses a separate connection, so deliveries may overtake each other.
    const events = new Map(received.map((each) => [each.event, each]));
    expect(events.get('ping')?.payload).toMatchObject({ hook_id: id });
    expect(events.get('push')?.payload).toMatchObject({
      repository: { name: seeded.repo },
      sender: { login: seeded.login },
    });
  },
);

/** Creates an in-memory store that several receivers can share, like processes that share Redis. */
function memoryStore() {
  const claims = new Map<string, string>();
  return {
    claims,
    timeout: 5000,
    get: async (key: string) => claims.get(key),
    set: async (key: string, value: string) => void claims.set(key, value),
    setIfAbsent: async (key: string, value: string) => {
      if (claims.has(key)) return false;
      claims.set(key, value);
      return true;
    },
    delete: async (key: string) => void claims.delete(key),
  } satisfies DeliveryStore & { readonly claims: Map<string, string> };
}

describe.each(ways)('%s with a delivery store', (_name, start) => {
  const receiver = receiverBy(start);

  it('two receivers with a shared store handle a delivery only once', async () => {
    const deliveries = memoryStore();
    const [one, two] = [await receiver({ deliveries }), await receiver({ deliveries })];
    expect((await one.post(signed('guid'))).status).toBe(202);
    const again = await two.post(signed('guid'));
    expect(again.status).toBe(202);
    expect(await again.text()).toContain('already handled');
    expect([one.received.length, two.received.length]).toEqual([1, 0]);
  });

  it('handles a delivery with a known ID but a different body', async () => {
    const deliveries = memoryStore();
    const { post, received } = await receiver({ deliveries });
    await post(signed('guid'));
    await post(signed('guid', 'push', { ref: 'refs/heads/other' }));
    expect(received).toHaveLength(2);
  });

  it('waits while another process handles the delivery', async () => {
    const deliveries = memoryStore();
    const handler = gate();
    const one = await receiver({ deliveries, onDelivery: () => handler.opened });
    const two = await receiver({ deliveries });
    const first = one.post(signed('guid'));
    await until('the delivery is claimed', () => deliveries.claims.size === 1);
    const second = two.post(signed('guid'));
    handler.open();
    expect((await first).status).toBe(202);
    expect(await (await second).text()).toContain('already handled');
    expect(two.received).toEqual([]);
  });

  it('handles a delivery again if another process failed to handle it', async () => {
    const deliveries = memoryStore();
    const one = await receiver({ deliveries, onDelivery: () => Promise.reject(new Error('no')) });
    const two = await receiver({ deliveries });
    expect((await one.post(signed('guid'))).status).toBe(500);
    expect((await two.post(signed('guid'))).status).toBe(202);
    expect(two.received).toHaveLength(1);
  });

  it('stops calling a failed delivery store for a while', async () => {
    let calls = 0;
    const fail = () => {
      calls++;
      return Promise.reject(new Error('the store is down'));
    };
    const deliveries = { get: fail, set: fail, setIfAbsent: fail, delete: fail };
    const { post } = await receiver({ deliveries });
    await post(signed('a'));
    for (const id of ['b', 'c', 'd', 'e']) await post(signed(id));
    expect(calls).toBeLessThan(5);
  });
});
