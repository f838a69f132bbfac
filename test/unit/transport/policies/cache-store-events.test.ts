import { expect, it } from 'vitest';
import { ConditionalCache } from '../../../../src/transport/policies/cache.js';
import { until } from '../../../support/client.js';
import { createStore, respond, sendThrough } from './cache-entries.js';

it('the cache reports a failing store as lost only once', async () => {
  const store = createStore(undefined);
  const events: unknown[] = [];
  const cache = new ConditionalCache(store, (_name, message) => events.push(message()));
  const call = () => sendThrough(cache, () => respond({}));
  store.get.mockRejectedValue(new Error('gone'));
  await call();
  await call();
  expect(events).toEqual([{ store: 'cache', state: 'lost', reason: 'gone' }]);
  store.get.mockResolvedValue(undefined);
  await call();
  expect(events, 'the store is not tried again immediately').toHaveLength(1);
  await until('it is back', async () => {
    await call();
    return events.length > 1;
  });
  expect(events.slice(1)).toEqual([{ store: 'cache', state: 'back' }]);
});
