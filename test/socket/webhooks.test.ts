import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createFetchHandler,
  createNodeListener,
  type Delivery,
  type ReceiverOptions,
  signDelivery,
} from '../../src/webhooks/index.js';

const secret = 'shared secret';
const payload = { ref: 'refs/heads/main', sender: { login: 'mona' } };

type Post = (init: RequestInit) => Promise<Response>;

/** Both ways to receive: over a real socket, and by `Request` and `Response`. */
const ways: readonly [string, (options: ReceiverOptions) => Promise<Post>][] = [
  [
    'createNodeListener',
    async (options) => {
      const server = createServer(createNodeListener(options));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        server.close();
        server.closeAllConnections();
      });
      // `as`: a server that listens on TCP has an AddressInfo.
      const { port } = server.address() as AddressInfo;
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

describe.each(ways)('%s', (_name, start) => {
  async function receiver(options: Partial<ReceiverOptions> = {}) {
    const received: Delivery[] = [];
    const errors: unknown[] = [];
    const post = await start({
      secret,
      onDelivery: (delivery) => received.push(delivery),
      onError: (error) => errors.push(error),
      ...options,
    });
    return { post, received, errors };
  }

  const signed = (id?: string) => {
    const { headers, body } = signDelivery({ event: 'push', payload, secret, id });
    return { method: 'POST', headers, body };
  };

  test('hands over what was verified, and answers 202 after it', async () => {
    let done = false;
    const { post } = await receiver({
      onDelivery: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        done = true;
      },
    });
    expect((await post(signed())).status).toBe(202);
    expect(done).toBe(true);
  });

  test('a delivery that is sent again is handled once', async () => {
    const { post, received } = await receiver();
    const answers = await Promise.all([post(signed('guid')), post(signed('guid'))]);
    answers.push(await post(signed('guid')), await post(signed('other')));
    expect(answers.map((each) => each.status)).toEqual([202, 202, 202, 202]);
    expect(received.map((each) => each.id)).toEqual(['guid', 'other']);
  });

  test('only so many are remembered, or none', async () => {
    const two = await receiver({ rememberDeliveries: 2 });
    for (const id of ['a', 'b', 'c', 'a', 'c']) await two.post(signed(id));
    expect(two.received.map((each) => each.id)).toEqual(['a', 'b', 'c', 'a']);
    const none = await receiver({ rememberDeliveries: 0 });
    for (const id of ['a', 'a']) await none.post(signed(id));
    expect(none.received).toHaveLength(2);
  });

  test('a handler that fails is answered 500, told, and may be tried again', async () => {
    let calls = 0;
    const { post, errors } = await receiver({
      onDelivery: () => {
        calls += 1;
        if (calls === 1) throw new Error('the handler broke');
      },
    });
    expect((await post(signed('guid'))).status).toBe(500);
    expect((await post(signed('guid'))).status).toBe(202);
    expect(calls).toBe(2);
    expect(errors).toEqual([expect.objectContaining({ message: 'the handler broke' })]);
  });

  test('also a listener of errors that throws ends nothing', async () => {
    const { post } = await receiver({
      onDelivery: () => Promise.reject(new Error('first')),
      onError: () => {
        throw new Error('second');
      },
    });
    expect((await post(signed())).status).toBe(500);
    expect((await post(signed())).status).toBe(500);
  });

  test.each<[string, RequestInit, number]>([
    [
      'no signature',
      { ...signed(), headers: { 'content-type': 'application/json', 'x-service-event': 'push' } },
      401,
    ],
    ['a body that was changed', { ...signed(), body: '{}' }, 401],
    [
      'another media type',
      { ...signed(), headers: { ...signed().headers, 'content-type': 'text/xml' } },
      415,
    ],
    ['no event', { ...signed(), headers: { ...signed().headers, 'x-service-event': '' } }, 400],
    ['a GET', { method: 'GET' }, 405],
  ])('%s is answered %s', async (_what, init, status) => {
    const { post, received } = await receiver();
    const response = await post(init);
    expect(response.status).toBe(status);
    expect(received).toEqual([]);
    expect(await response.text()).not.toContain(secret);
  });

  test('a body over the cap is answered 413, and read no further', async () => {
    const { post, received } = await receiver({ maxBodyBytes: 10 });
    expect((await post(signed())).status).toBe(413);
    expect(received).toEqual([]);
  });
});
