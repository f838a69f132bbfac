import { once } from 'node:events';
import { createServer, type RequestListener, request as requestHttp } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createFetchHandler,
  createNodeListener,
  type Delivery,
  type ErrorContext,
  type ReceiverOptions,
  signDelivery,
} from '../../src/webhooks/index.js';
import { turns, until, watchRejections } from '../support/client.js';

const secret = 'shared secret';
const payload = { ref: 'refs/heads/main', sender: { login: 'mona' } };

type Post = (init: RequestInit) => Promise<Response>;

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // `as`: a server that listens on TCP has an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** Both ways to receive: over a real socket, and by `Request` and `Response`. */
const ways: readonly [string, (options: ReceiverOptions) => Promise<Post>][] = [
  [
    'createNodeListener',
    async (options) => {
      const port = await listen(createNodeListener(options));
      return (init) => fetch(`http://127.0.0.1:${port}/hook`, init);
    },
  ],
  [
    'createFetchHandler',
    async (options) => {
      const handle = createFetchHandler(options);
      return (init) => handle(new Request('http://receiver.test/hook', init));
    },
  ],
];

const signed = (id?: string, event = 'push', given: object = payload) => {
  const { headers, body } = signDelivery({ event, payload: given, secret, id });
  return { method: 'POST', headers, body };
};

function deferred() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe.each(ways)('%s', (_name, start) => {
  async function receiver(options: Partial<ReceiverOptions> = {}) {
    const received: Delivery[] = [];
    const errors: unknown[] = [];
    const contexts: ErrorContext[] = [];
    const post = await start({
      secret,
      onDelivery: (delivery) => received.push(delivery),
      onError: (error, context) => {
        errors.push(error);
        contexts.push(context);
      },
      ...options,
    });
    return { post, received, errors, contexts };
  }

  test('hands over what was verified, and answers 202 after it', async () => {
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

  test('answers 202 before the handler where it is told to, and tells what that throws', async () => {
    const gate = deferred();
    const { post, errors, contexts } = await receiver({
      respond: 'before',
      onDelivery: async () => {
        await gate.opened;
        throw new Error('too late');
      },
    });
    expect((await post(signed('guid'))).status).toBe(202);
    expect(errors).toEqual([]);
    gate.open();
    await until('the failure was told', () => errors.length > 0);
    expect(errors).toEqual([expect.objectContaining({ message: 'too late' })]);
    expect(contexts).toEqual([
      { status: 202, delivery: expect.objectContaining({ id: 'guid', event: 'push' }) },
    ]);
    // It has failed, so it may come again.
    await post(signed('guid'));
    await until('it was handled again', () => errors.length > 1);
  });

  test('each event goes to its own handler, the rest to onDelivery', async () => {
    const calls: string[] = [];
    const { post } = await receiver({
      handlers: {
        ping: ({ payload: { zen } }) => calls.push(`ping ${zen}`),
        push: async ({ payload: { ref } }) => calls.push(`push ${ref}`),
        other: ({ name }) => calls.push(`other ${name}`),
        watch: undefined,
      },
      onDelivery: ({ event }) => calls.push(`else ${event}`),
    });
    await post(signed(undefined, 'ping', { zen: 'z', hook_id: 1 }));
    await post(signed());
    await post(signed(undefined, 'star', {}));
    await post(signed(undefined, 'watch', {}));
    expect(calls).toEqual(['ping z', 'push refs/heads/main', 'other star', 'else watch']);
  });

  test('what nobody handles is accepted all the same', async () => {
    const { post } = await receiver({ onDelivery: undefined, handlers: { ping: () => {} } });
    expect((await post(signed())).status).toBe(202);
  });

  test('a delivery that is sent again is handled once', async () => {
    const { post, received } = await receiver();
    const answers = await Promise.all([post(signed('guid')), post(signed('guid'))]);
    answers.push(await post(signed('guid')), await post(signed('other')));
    expect(answers.map((each) => each.status)).toEqual([202, 202, 202, 202]);
    expect(received.map((each) => each.id)).toEqual(['guid', 'other']);
  });

  test('what is sent again while it is handled shares the outcome', async () => {
    const gate = deferred();
    let calls = 0;
    const { post } = await receiver({
      onDelivery: async () => {
        calls += 1;
        await gate.opened;
        throw new Error('failed');
      },
    });
    const answers = [post(signed('guid')), post(signed('guid'))];
    await until('the handler runs', () => calls > 0);
    gate.open();
    // Had the second been told 202, nobody would have sent the delivery a third time.
    expect((await Promise.all(answers)).map(({ status }) => status)).toContain(500);
    expect((await answers[0])?.status).toBe(500);
  });

  test('deliveries without an id are all handled', async () => {
    const { post, received } = await receiver();
    await post(signed(''));
    await post(signed(''));
    expect(received).toHaveLength(2);
  });

  test('only so many are remembered, or none', async () => {
    const two = await receiver({ rememberDeliveries: 2 });
    for (const id of ['a', 'b', 'c', 'a', 'c']) await two.post(signed(id));
    expect(two.received.map((each) => each.id)).toEqual(['a', 'b', 'c', 'a']);
    const none = await receiver({ rememberDeliveries: 0 });
    for (const id of ['a', 'a']) await none.post(signed(id));
    expect(none.received).toHaveLength(2);
  });

  test('long ids are told apart too', async () => {
    const { post, received } = await receiver();
    const long = 'x'.repeat(1000);
    for (const id of [`${long}1`, `${long}2`, `${long}1`]) await post(signed(id));
    expect(received).toHaveLength(2);
  });

  test('a handler that fails is answered 500, told, and may be tried again', async () => {
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

  test.each<[string, NonNullable<ReceiverOptions['onError']>]>([
    [
      'throws',
      () => {
        throw new Error('second');
      },
    ],
    ['rejects', () => Promise.reject(new Error('second'))],
  ])('a listener of errors that %s ends nothing', async (_what, onError) => {
    const rejections = watchRejections();
    const { post } = await receiver({
      onDelivery: () => Promise.reject(new Error('first')),
      onError,
    });
    expect((await post(signed())).status).toBe(500);
    expect((await post({ method: 'POST', headers: signed().headers, body: '' })).status).toBe(401);
    expect(await rejections()).toEqual([]);
  });

  test('without a listener of errors, failing handlers become warnings; refusals do not', async () => {
    const warnings: unknown[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    onTestFinished(() => {
      process.off('warning', note);
    });
    const failures: unknown[] = [new Error('a handler broke'), 'a handler threw text'];
    const { post } = await receiver({
      onError: undefined,
      onDelivery: () => Promise.reject(failures.shift()),
    });
    await post({ ...signed(), body: '{}' });
    await post(signed());
    await post(signed());
    await until('both warnings came', () => warnings.length >= 2);
    expect(warnings).toEqual(['a handler broke', 'a handler threw text']);
  });

  test.each<[string, RequestInit, number]>([
    [
      'no signature',
      { ...signed(), headers: { 'content-type': 'application/json', 'x-service-event': 'push' } },
      401,
    ],
    [
      'a malformed signature',
      {
        ...signed(),
        headers: { ...signed().headers, 'x-hub-signature': 'x', 'x-hub-signature-256': '' },
      },
      401,
    ],
    ['a body that was changed', { ...signed(), body: '{}' }, 401],
    [
      'another media type',
      { ...signed(), headers: { ...signed().headers, 'content-type': 'text/xml' } },
      415,
    ],
    ['no event', { ...signed(), headers: { ...signed().headers, 'x-service-event': '' } }, 400],
    ['a ping without its fields', signed(undefined, 'ping', {}), 400],
    ['a GET', { method: 'GET' }, 405],
    ['a PUT', { ...signed(), method: 'PUT' }, 405],
  ])('%s is refused', async (_what, init, status) => {
    const { post, received } = await receiver();
    const response = await post(init);
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(received).toEqual([]);
    expect(await response.text()).not.toContain(secret);
  });

  test('refusals are told with their status', async () => {
    const { post, errors, contexts } = await receiver();
    await post({ ...signed(), body: '{}' });
    await post(signed(undefined, 'ping', {}));
    expect(errors).toMatchObject([
      { code: 'signature', problem: 'mismatch' },
      { code: 'invalid_request', field: 'payload.zen' },
    ]);
    expect(contexts).toEqual([
      { status: 401, delivery: undefined },
      { status: 400, delivery: undefined },
    ]);
  });

  test('a body of just the cap is taken, one byte more is answered 413', async () => {
    const init = signed();
    const { post, received } = await receiver({ maxBodyBytes: init.body.length });
    expect((await post(init)).status).toBe(202);
    const longer = signed(undefined, 'push', { ...payload, x: 1 });
    expect((await post(longer)).status).toBe(413);
    expect(received).toHaveLength(1);
  });

  test('a body over the cap whose length nobody told is answered 413 too', async () => {
    const { post, received } = await receiver({ maxBodyBytes: 1000 });
    let sent = 0;
    const body = new ReadableStream({
      async pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1000));
        if (sent === 500) controller.close();
      },
    });
    const init: RequestInit = { ...signed(), body, duplex: 'half' };
    expect((await post(init)).status).toBe(413);
    expect(received).toEqual([]);
  });

  test('a form delivery', async () => {
    const { post, received } = await receiver({ vendor: ['service', 'github'] });
    const { headers, body } = signDelivery({
      event: 'push',
      payload,
      secret,
      contentType: 'form',
      vendor: 'github',
    });
    expect((await post({ method: 'POST', headers, body })).status).toBe(202);
    expect(received[0]?.payload).toEqual(payload);
  });

  test('hooks without a secret are taken only where that is said', async () => {
    const { headers, body } = signDelivery({ event: 'push', payload });
    const { post, received } = await receiver({ secret: false });
    expect((await post({ method: 'POST', headers, body })).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  test.each<[object, string]>([
    [{ secret: '' }, 'secret'],
    [{ secret: undefined }, 'secret'],
    [{ secret: [] }, 'secret'],
    [{ vendor: 'a b' }, 'vendor'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes'],
    [{ rememberDeliveries: -1 }, 'rememberDeliveries'],
    [{ respond: 'later' }, 'respond'],
    [{ onDelivery: undefined }, 'onDelivery'],
    [{ onDelivery: undefined, handlers: { push: undefined } }, 'onDelivery'],
    [{ onDelivery: 1 }, 'onDelivery'],
    [{ handlers: { push: 1 } }, 'handlers.push'],
    [{ onError: 1 }, 'onError'],
  ])('%j is refused by name, at once', async (options, option) => {
    await expect(receiver(options)).rejects.toMatchObject({ code: 'configuration', option });
  });

  test('no options at all are refused', async () => {
    const nothing: ReceiverOptions = JSON.parse('null');
    const attempt = (async () => await start(nothing))();
    await expect(attempt).rejects.toMatchObject({ option: 'options' });
  });
});

describe('on a socket', () => {
  const receive = (received: Delivery[], errors: unknown[] = []) =>
    createNodeListener({
      secret,
      onDelivery: (delivery) => received.push(delivery),
      onError: (error) => errors.push(error),
    });

  test('a connection survives a body that was too long', async () => {
    const received: Delivery[] = [];
    const listener = createNodeListener({
      secret,
      maxBodyBytes: 1000,
      onDelivery: (delivery) => received.push(delivery),
    });
    const port = await listen(listener);
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    const raw = (body: string, headers: Readonly<Record<string, string>>) =>
      `POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${body}`;
    const { headers, body } = signed();
    socket.write(raw('x'.repeat(200_000), headers) + raw(body, headers));
    await until('both were answered', () => (answer.match(/HTTP\/1\.1/g) ?? []).length === 2);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 202']);
    expect(received).toHaveLength(1);
  });

  test('a sender that leaves in mid-body harms nothing', async () => {
    const received: Delivery[] = [];
    const errors: unknown[] = [];
    const port = await listen(receive(received, errors));
    const { headers } = signed();
    const leaving = requestHttp({
      port,
      method: 'POST',
      headers: { ...headers, 'content-length': '100' },
    });
    leaving.on('error', () => undefined);
    leaving.write('half', () => leaving.destroy());
    await until('it was noticed', () => errors.length > 0);
    const response = await fetch(`http://127.0.0.1:${port}/`, signed());
    expect(response.status).toBe(202);
    expect(received).toHaveLength(1);
  });

  test.each<[string, (raw: Buffer) => object, number]>([
    ['parsed it', (raw) => ({ body: JSON.parse(raw.toString()) }), 500],
    ['read it and kept nothing', () => ({}), 500],
    ['kept the bytes as body', (raw) => ({ body: raw }), 202],
    ['kept the text as body', (raw) => ({ body: raw.toString() }), 202],
    [
      'kept the bytes beside a parsed body',
      (raw) => ({ body: JSON.parse(raw.toString()), rawBody: raw }),
      202,
    ],
    ['kept bytes over the cap', () => ({ rawBody: Buffer.alloc(26 * 1024 * 1024) }), 413],
  ])('a parser before it that %s', async (_what, keep, status) => {
    const received: Delivery[] = [];
    const errors: unknown[] = [];
    const listener = receive(received, errors);
    const port = await listen(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      Object.assign(request, keep(Buffer.concat(chunks)));
      listener(request, response);
    });
    expect((await fetch(`http://127.0.0.1:${port}/`, signed())).status).toBe(status);
    expect(received).toHaveLength(status === 202 ? 1 : 0);
    if (status === 500) {
      expect(errors).toMatchObject([{ code: 'signature', problem: 'not_raw' }]);
      expect(String(errors[0])).toContain('express.raw()');
    }
  });

  test('a request whose encoding was set', async () => {
    const received: Delivery[] = [];
    const listener = receive(received);
    const port = await listen((request, response) => {
      request.setEncoding('utf8');
      listener(request, response);
    });
    const init = signed(undefined, 'push', { ref: 'refs/heads/🚀' });
    expect((await fetch(`http://127.0.0.1:${port}/`, init)).status).toBe(202);
    expect(received).toHaveLength(1);
  });
});

test('a Request whose body was read before gets the reason', async () => {
  const errors: unknown[] = [];
  const handle = createFetchHandler({
    secret,
    onDelivery: () => {},
    onError: (error) => errors.push(error),
  });
  const request = new Request('http://receiver.test/', signed());
  await request.json();
  expect((await handle(request)).status).toBe(500);
  expect(errors).toMatchObject([{ problem: 'not_raw' }]);
});

test('a POST without a body is no delivery', async () => {
  const handle = createFetchHandler({ secret: false, onDelivery: () => {} });
  const { headers } = signed();
  const response = await handle(new Request('http://receiver.test/', { method: 'POST', headers }));
  expect(response.status).toBe(400);
});
