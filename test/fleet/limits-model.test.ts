import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { longExtent } from '../support/extent.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';
import { play, type Scenario } from './limits-model.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('shared limiters', () => {
  const redis = useRedis();

  let scopes = 0;
  async function holds(scenario: Scenario) {
    const outcome = await play(redisStore(redis.client), `${scopes++}`, scenario);
    const { served, refused, most } = outcome;
    const wanted = scenario.clients * scenario.lanes * scenario.calls;
    const reported = scenario.known ? 1 : 0;
    const each = Math.min(scenario.limit, wanted + reported);
    expect(served).toEqual(Array(scenario.credentials).fill(each));
    // Until the limit is known, clients assume 60, the smallest documented quota.
    const blind = scenario.known ? 0 : Math.max(0, 60 - scenario.limit);
    expect(Math.max(...refused)).toBeLessThanOrEqual(blind);
    expect(most).toBeLessThanOrEqual(scenario.slots);
    return outcome;
  }

  const cases = { calls: 1000, credentials: 1, known: false, seed: 1 };
  it.each<Scenario>([
    { ...cases, clients: 24, lanes: 4, limit: 100, slots: 64 },
    { ...cases, clients: 24, lanes: 8, limit: 100, slots: 12 },
    { ...cases, clients: 24, lanes: 8, limit: 100, slots: 24 },
    { ...cases, clients: 8, lanes: 8, limit: 100, slots: 20, credentials: 2 },
    { ...cases, clients: 32, lanes: 8, limit: 500, slots: 64 },
  ])(
    'shared limiters exhaust a quota without a rejected request (scenario: %j)',
    async (scenario) => {
      await holds(scenario);
    },
  );

  it.each<Scenario>([
    { ...cases, clients: 1, lanes: 32, calls: 200, limit: 1_000_000, slots: 64 },
    { ...cases, clients: 8, lanes: 8, calls: 100, limit: 1_000_000, slots: 64 },
  ])(
    'shared limiters send Redis at most one command per ten calls while the quota lasts (scenario: %j)',
    async (scenario) => {
      const { served, commands } = await holds(scenario);
      expect(commands).toBeLessThanOrEqual((served[0] ?? 0) / 10);
    },
  );

  // A timeout of one hour is enough, because a run without progress throws an error after a minute.
  it('shared limiters use the entire known quota without rejections, and stay within the slot limit', {
    timeout: 3_600_000,
  }, async () => {
    const scenario: fc.Arbitrary<Scenario> = fc.record({
      clients: fc.integer({ min: 1, max: 32 }),
      lanes: fc.integer({ min: 1, max: 8 }),
      calls: fc.constantFrom(1, 5, 1000),
      credentials: fc.constantFrom(1, 2),
      limit: fc.oneof(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 5, max: 600 })),
      slots: fc.constantFrom(1, 2, 3, 7, 12, 24, 64, Number.POSITIVE_INFINITY),
      known: fc.boolean(),
      seed: fc.integer(),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async (each) => {
        await holds(each);
      }),
      {
        numRuns: longExtent ? 60 : 6,
        endOnFailure: true,
      },
    );
  });
});
