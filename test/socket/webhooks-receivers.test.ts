import { describe, expect, it } from 'vitest';
import {
  createFetchHandler,
  type DeliveryStore,
  type ReceiverOptions,
} from '../../src/webhooks/index.js';
import { gate, turns, until, watchRejections, watchWarnings } from '../support/client.js';
import { receiverBy, secret, signed, ways } from './webhook-receivers.js';

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
      await until('it was handled again', () => errors.length > 1);
    },
  );

  it('responds with 500 if the handler fails within `respond.within`', async () => {
    const { post } = await receiver({
      respond: { within: 60_000 },
      onDelivery: () => Promise.reject(new Error('no')),
    });
    expect((await post(signed())).status).toBe(500);
  });

  it('passes events to their handlers, and events without a handler to onDelivery', async () => {
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

  it('accepts events that have no handler', async () => {
    const { post } = await receiver({ onDelivery: undefined, handlers: { ping: () => {} } });
    expect((await post(signed())).status).toBe(202);
  });

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

  it('handles every delivery without an ID', async () => {
    const { post, received } = await receiver();
    await post(signed(''));
    await post(signed(''));
    expect(received).toHaveLength(2);
  });

  it('distinguishes delivery IDs of more than 1000 characters', async () => {
    const { post, received } = await receiver();
    const long = 'x'.repeat(1000);
    for (const id of [`${long}1`, `${long}2`, `${long}1`]) await post(signed(id));
    expect(received).toHaveLength(2);
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

  it.each<[string, NonNullable<ReceiverOptions['onError']>]>([
    [
      'throws',
      () => {
        throw new Error('second');
      },
    ],
    ['rejects', () => Promise.reject(new Error('second'))],
  ])('sends its response even if onError %s', async (_what, onError) => {
    const rejections = watchRejections();
    const { post } = await receiver({
      onDelivery: () => Promise.reject(new Error('first')),
      onError,
    });
    expect((await post(signed())).status).toBe(500);
    expect((await post({ method: 'POST', headers: signed().headers, body: '' })).status).toBe(401);
    expect(await rejections()).toEqual([]);
  });

  it('warns about a handler that fails after the response if onError is not set', async () => {
    const warnings = watchWarnings();
    const { post } = await receiver({
      onError: undefined,
      respond: { within: 0 },
      onDelivery: () => Promise.reject(new Error('a slow handler broke')),
    });
    expect((await post(signed())).status).toBe(202);
    await until('the warning came', () => warnings.length > 0);
    expect(warnings).toEqual(['a slow handler broke']);
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
    await until('both warnings came', () => warnings.length >= 2);
    expect(warnings).toEqual(['a handler broke', 'a handler threw text']);
  });

  it.each<[object, string]>([
    [{ secret: '' }, 'secret'],
    [{ secret: undefined }, 'secret'],
    [{ secret: [] }, 'secret'],
    [{ vendor: 'a b' }, 'vendor'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes'],
    [{ respond: 'later' }, 'respond'],
    [{ onDelivery: undefined }, 'onDelivery'],
    [{ onDelivery: undefined, handlers: { push: undefined } }, 'onDelivery'],
    [{ onDelivery: 1 }, 'onDelivery'],
    [{ handlers: { push: 1 } }, 'handlers.push'],
    [{ handlers: { psuh: () => {} } }, 'handlers.psuh'],
    [{ handlers: { '*': () => {} } }, 'handlers.*'],
    [{ onError: 1 }, 'onError'],
    [{ respond: { within: -1 } }, 'respond.within'],
    [{ respond: { within: Number.NaN } }, 'respond.within'],
    [{ respond: { within: 2 ** 31 } }, 'respond.within'],
    [{ respond: {} }, 'respond.within'],
    [{ respond: { before: 1 } }, 'respond.before'],
    [{ deliveries: {} }, 'deliveries'],
    [{ deliveries: null }, 'deliveries'],
  ])('rejects the options %o and names `%s` in the error', async (options, option) => {
    // `as`: JavaScript callers may pass anything.
    const attempt = receiver(options as object);
    await expect(attempt).rejects.toMatchObject({ code: 'configuration', option });
  });

  it('rejects null as the options', async () => {
    const nothing: ReceiverOptions = JSON.parse('null');
    const attempt = (async () => await start(nothing))();
    await expect(attempt).rejects.toMatchObject({ option: 'options' });
  });
});

const throwing = () => {
  throw new Error('no text');
};

/** Thrown values that are hard to convert to text. */
const values: readonly [string, () => unknown][] = [
  ['an object without a prototype', () => Object.create(null)],
  ['an object whose toString throws', () => ({ toString: throwing })],
  ['an object whose toPrimitive throws', () => ({ [Symbol.toPrimitive]: throwing })],
  ['a symbol', () => Symbol('s')],
  ['undefined', () => undefined],
];

describe.each(ways)('%s without onError', (_name, start) => {
  const receiver = receiverBy(start);

  it.each(values)('responds with 500 if the handler throws %s', async (_what, value) => {
    const rejections = watchRejections();
    const { post } = await receiver({
      onError: undefined,
      onDelivery: () => {
        throw value();
      },
    });
    expect((await post(signed())).status).toBe(500);
    expect(await rejections()).toEqual([]);
  });

  it.each(values)('responds with 202 before the handler rejects with %s', async (_what, value) => {
    const rejections = watchRejections();
    let calls = 0;
    const { post } = await receiver({
      onError: undefined,
      respond: { within: 0 },
      onDelivery: async () => {
        calls++;
        throw value();
      },
    });
    expect((await post(signed())).status).toBe(202);
    await until('the handler ran', () => calls === 1);
    expect(await rejections()).toEqual([]);
  });
});

describe('createFetchHandler', () => {
  function recording(key: string | false = secret) {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    return { handle: createFetchHandler({ secret: key, onDelivery: () => {}, onError }), errors };
  }

  it('warns about a body that was already read', async () => {
    const warnings = watchWarnings();
    const handle = createFetchHandler({ secret, onDelivery: () => undefined });
    const request = new Request('http://receiver.test/hook', signed());
    await request.text();
    expect((await handle(request)).status).toBe(500);
    await until('the warning came', () => warnings.length > 0);
    expect(warnings).toEqual([expect.stringContaining('the body was read')]);
  });

  it.each(values)('responds with 400 if reading the body fails with %s', async (_what, value) => {
    const handle = createFetchHandler({ secret: false, onDelivery: () => undefined });
    const body = new ReadableStream({
      pull() {
        throw value();
      },
    });
    const { method, headers } = signed();
    const request = new Request('http://receiver.test/', { method, headers, body, duplex: 'half' });
    expect((await handle(request)).status).toBe(400);
  });

  describe('with a value whose `then` getter throws', () => {
    const createValue = (reads: number) => () => {
      let count = 0;
      return {
        // biome-ignore lint/suspicious/noThenProperty: the tested value.
        get then() {
          return count++ < reads ? undefined : throwing();
        },
      };
    };

    it.each([1, 2, 3])(
      'responds with 500 if onError returns it (successful reads: %i)',
      async (reads) => {
        const rejections = watchRejections();
        const receive = createFetchHandler({
          secret: 'shared secret',
          onDelivery: throwing,
          onError: createValue(reads),
        });
        expect((await receive(new Request('http://receiver.test/', signed()))).status).toBe(500);
        expect(await rejections()).toEqual([]);
      },
    );

    it.each([1, 2, 3, 4, 5])(
      'responds with 202 if the store returns it (successful reads: %i)',
      async (reads) => {
        const rejections = watchRejections();
        const value = createValue(reads);
        // `as`: a custom store can return any value.
        const deliveries = {
          get: value,
          set: value,
          setIfAbsent: value,
          delete: value,
        } as unknown as DeliveryStore;
        const receive = createFetchHandler({
          secret: 'shared secret',
          onDelivery: () => undefined,
          deliveries,
        });
        const response = await receive(new Request('http://receiver.test/', signed('guid')));
        expect(response.status).toBe(202);
        expect(await rejections()).toEqual([]);
      },
    );
  });

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

  it('rejects a POST without a body', async () => {
    const { handle, errors } = recording(false);
    const { headers } = signed();
    const response = await handle(
      new Request('http://receiver.test/', { method: 'POST', headers }),
    );
    expect(response.status).toBe(400);
    expect(errors).toMatchObject([{ code: 'invalid_request', field: 'payload' }]);
  });
});
