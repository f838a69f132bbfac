import { afterEach, describe, expect, test } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

const { owner, repo, token } = seeded;
const emulator = createEmulator(noon);
const connect = (rateLimit: object, baseUrl = 'http://code.test/api/v3/') =>
  new HostingClient({
    baseUrl,
    auth: { type: 'token', token },
    dispatcher: baseUrl.includes('127') ? undefined : emulator.dispatcher(),
    rateLimit,
  });
const hosting = connect({ onLimit: 'throw' });
const get = (client = hosting) => client.pulls.get({ owner, repo, number: 1 });

afterEach(async () => {
  await emulator.close();
  emulator.reset();
  hosting.resetLimits();
});

/** Exhausts a quota of three requests and checks that the client itself rejects the next call. */
async function useUp(client = hosting): Promise<void> {
  emulator.hosting.setRateLimit(3);
  for (let round = 0; round < 3; round++) await get(client);
  const before = emulator.requests.length;
  await expect(get(client)).rejects.toMatchObject({ code: 'rate_limit' });
  expect(emulator.requests, 'the client itself rejects the call').toHaveLength(before);
}

describe('resetLimits()', () => {
  test("resetLimits() allows calls after the emulator's clock advances by one hour", async () => {
    await useUp();
    emulator.clock.advance(3_600_000);
    hosting.resetLimits();
    expect((await get()).number).toBe(1);
  });

  test('resetLimits() allows calls after a reset of the emulator', async () => {
    emulator.clock.advance(86_400_000);
    await useUp();
    emulator.reset();
    hosting.resetLimits();
    expect((await get()).number).toBe(1);
    await useUp();
  });

  test("resetLimits() allows calls after the emulator's clock or limit changes", async () => {
    await useUp();
    emulator.clock.set(new Date('2024-02-29T12:00:00Z'));
    hosting.resetLimits();
    expect((await get()).number).toBe(1);
    await useUp();
    emulator.hosting.setRateLimit(undefined);
    hosting.resetLimits();
    expect((await get()).number).toBe(1);
  });

  test('resetLimits() allows calls to an emulator that listens on a port', async () => {
    const { hostingUrl } = await emulator.listen();
    await using client = connect({ onLimit: 'throw' }, hostingUrl);
    await useUp(client);
    emulator.clock.advance(3_600_000);
    client.resetLimits();
    expect((await get(client)).number).toBe(1);
  });

  test("resetLimits() sends a waiting call after the emulator's clock advances", async () => {
    emulator.hosting.setRateLimit(1);
    const waiting = connect({ onLimit: 'wait', maxWait: 7_200_000 });
    await get(waiting);
    const call = get(waiting);
    await new Promise((resolve) => setImmediate(resolve));
    emulator.clock.advance(3_600_000);
    waiting.resetLimits();
    expect((await call).number).toBe(1);
  });
});
