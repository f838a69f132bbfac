import { describe, expect, test } from 'vitest';
import { createFetchHandler, type DeliveryStore } from '../../src/webhooks/index.js';
import { until, watchRejections } from '../support/client.js';
import { receiverBy, signed, ways } from './webhook-receivers.js';

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

  test.each(values)(
    'the receiver responds with 500 if the handler throws %s',
    async (_what, value) => {
      const rejections = watchRejections();
      const { post } = await receiver({
        onError: undefined,
        onDelivery: () => {
          throw value();
        },
      });
      expect((await post(signed())).status).toBe(500);
      expect(await rejections()).toEqual([]);
    },
  );

  test.each(values)(
    'the receiver responds with 202 before the handler rejects with %s',
    async (_what, value) => {
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
    },
  );
});

test.each(values)(
  'createFetchHandler responds with 400 if reading the body fails with %s',
  async (_what, value) => {
    const handle = createFetchHandler({ secret: false, onDelivery: () => undefined });
    const body = new ReadableStream({
      pull() {
        throw value();
      },
    });
    const { method, headers } = signed();
    const request = new Request('http://receiver.test/', { method, headers, body, duplex: 'half' });
    expect((await handle(request)).status).toBe(400);
  },
);

describe('values with a throwing `then` getter', () => {
  const createValue = (reads: number) => () => {
    let count = 0;
    return {
      // biome-ignore lint/suspicious/noThenProperty: the tested value.
      get then() {
        return count++ < reads ? undefined : throwing();
      },
    };
  };

  test.each([1, 2, 3])(
    'createFetchHandler responds with 500 if onError returns an object whose `then` throws (successful reads: %i)',
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

  test.each([1, 2, 3, 4, 5])(
    'createFetchHandler responds with 202 if the store returns an object whose `then` throws (successful reads: %i)',
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
