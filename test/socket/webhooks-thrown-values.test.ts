import { describe, expect, test } from 'vitest';
import { createFetchHandler } from '../../src/webhooks/index.js';
import { until, watchRejections } from '../support/client.js';
import { receiverBy, signed, ways } from './webhook-receivers.js';

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const throwing = () => {
  throw new Error('no text');
};

/** Values that JavaScript can throw and that can't be converted to text. */
const values: readonly [string, () => unknown][] = [
  ['an object without a prototype', () => Object.create(null)],
  ['an object whose toString throws', () => ({ toString: throwing })],
  ['an object whose toPrimitive throws', () => ({ [Symbol.toPrimitive]: throwing })],
  ['a revoked proxy', revoked],
  ['a symbol', () => Symbol('s')],
  [
    'an error whose message throws',
    () => Object.defineProperty(new Error(), 'message', { get: throwing }),
  ],
  [
    'an error whose stack throws',
    () => Object.defineProperty(new Error('x'), 'stack', { get: throwing }),
  ],
  ['undefined', () => undefined],
];

describe.each(ways)('%s, without onError', (_name, start) => {
  const receiver = receiverBy(start);

  test.each(values)('responds with 500 to a handler that throws %s', async (_what, value) => {
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

  test.each(values)('survives a slow handler that rejects with %s', async (_what, value) => {
    const rejections = watchRejections();
    let calls = 0;
    const { post } = await receiver({
      onError: undefined,
      respond: 'before',
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

test.each(values)(
  'a fetch handler responds with 400 to a body that breaks with %s',
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
