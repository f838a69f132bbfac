import { expect, it } from 'vitest';
import { ConditionalCache } from '../../../../src/transport/policies/cache.js';
import { until } from '../../../support/client.js';
import { answer, sendThrough, storeOf } from './cache-entries.js';

it('a failing cache store is reported as lost once, and as back when it responds', async () => {
  const store = storeOf(undefined);
  const told: unknown[] = [];
  const cache = new ConditionalCache(store, (_name, message) => told.push(message()));
  const call = () => sendThrough(cache, () => answer({}));
  store.get.mockRejectedValue(new Error('gone'));
  await call();
  await call();
  expect(told).toEqual([{ store: 'cache', state: 'lost', reason: 'gone' }]);
  store.get.mockResolvedValue(undefined);
  await call();
  expect(told, 'it is left alone for a while').toHaveLength(1);
  await until('it is back', async () => {
    await call();
    return told.length > 1;
  });
  expect(told.slice(1)).toEqual([{ store: 'cache', state: 'back' }]);
});
