import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DeliveryStore } from '../../src/webhooks/index.js';
import { gate, until } from '../support/client.js';
import { receiverBy, signed, ways } from './webhook-receivers.js';

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

  it('keeps waiting for another process if the store fails temporarily', async () => {
    const store = memoryStore();
    let failures = 0;
    let isDown = false;
    const deliveries: DeliveryStore = {
      ...store,
      setIfAbsent: async (key, value) => {
        if (isDown) {
          failures++;
          throw new Error('the store is down');
        }
        return await store.setIfAbsent(key, value);
      },
    };
    const handler = gate();
    const one = await receiver({ deliveries: store, onDelivery: () => handler.opened });
    const claim = vi.spyOn(store, 'setIfAbsent');
    const two = await receiver({ deliveries });
    const first = one.post(signed('guid'));
    await until('the delivery is claimed', () => store.claims.size === 1);
    const second = two.post(signed('guid'));
    await until('the second process waits', () => claim.mock.calls.length > 1);
    isDown = true;
    await until('the second process has called the failing store', () => failures > 0);
    handler.open();
    expect((await first).status).toBe(202);
    isDown = false;
    expect(await (await second).text()).toContain('already handled');
    expect(two.received).toEqual([]);
  });

  it('releases a failed delivery only after a pending claim renewal ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryStore();
    const [handler, renewal] = [gate(), gate()];
    let claims = 0;
    const deliveries: DeliveryStore = {
      ...store,
      set: async (key, value) => {
        claims++;
        await renewal.opened;
        await store.set(key, value);
      },
    };
    const one = await receiver({
      deliveries,
      onDelivery: async () => {
        await handler.opened;
        throw new Error('no');
      },
    });
    const first = one.post(signed('guid'));
    await until('the delivery is claimed', () => store.claims.size === 1);
    vi.advanceTimersByTime(10_000);
    await until('the claim is renewed', () => claims === 1);
    const release = vi.spyOn(deliveries, 'delete');
    handler.open();
    await until('the failure was reported', () => one.errors.length === 1);
    expect(release).not.toHaveBeenCalled();
    renewal.open();
    expect((await first).status).toBe(500);
    expect(store.claims).toEqual(new Map());
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
