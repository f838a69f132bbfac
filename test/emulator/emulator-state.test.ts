import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator(noon);
});

const described = async () =>
  (await sendRequest(emulator, 'GET /api/v3/repos/acme/rocket')).data.description;

describe('emulator.status()', () => {
  test('emulator.status() returns no requests or faults for a new emulator', () => {
    const { now, families, requests, received, faults } = emulator.status();
    expect(now).toBe('2014-06-01T12:00:00.000Z');
    expect(Object.keys(families)).toEqual(['hosting', 'support', 'console']);
    expect([requests, received, faults]).toEqual([[], 0, []]);
  });

  test('emulator.status() returns the last 50 requests, newest first', async () => {
    for (let index = 0; index < 51; index++)
      await sendRequest(emulator, `GET /api/v3/none/${index}`);
    const { requests, received } = emulator.status();
    expect(received).toBe(51);
    expect(requests).toHaveLength(50);
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/api/v3/none/50', status: 404 });
    expect(requests[49]).toMatchObject({ path: '/api/v3/none/1' });
    expect(requests.map(({ id }) => id)).toEqual(
      emulator.requests
        .slice(1)
        .map(({ id }) => id)
        .reverse(),
    );
  });

  test('emulator.status() returns each fault with its remaining count', () => {
    emulator.fail({}, { kind: 'reset' });
    emulator.fail({ method: 'GET', path: '/user' }, { kind: 'refuse', ms: 1 }, { times: 3 });
    emulator.fail({ query: { page: '2' } }, { kind: 'reset' }, { times: Number.POSITIVE_INFINITY });
    expect(emulator.status().faults).toEqual([
      { kind: 'reset', match: 'any method any path', left: 1 },
      { kind: 'refuse', match: 'GET /user', left: 3 },
      { kind: 'reset', match: 'any method any path {"page":"2"}', left: null },
    ]);
  });
});

describe('emulator.snapshot()', () => {
  test('emulator.snapshot() returns a world that seeds an emulator with equal data and time', async () => {
    emulator.clock.advance(3_600_000);
    const world = emulator.snapshot();
    expect(world).toEqual(emulator.export());
    expect(JSON.parse(JSON.stringify(world))).toEqual(world);
    const other = createEmulator({ seed: world });
    expect(other.clock.now).toEqual(emulator.clock.now);
    expect(other.export()).toEqual(world);
    expect(createEmulator({ seed: world, clock: new Date(0) }).clock.now).toEqual(new Date(0));
  });

  test('emulator.restore() restores the data and time of a snapshot', async () => {
    const before = emulator.snapshot();
    const was = await described();
    emulator.clock.advance(60_000);
    await sendRequest(emulator, 'PATCH /api/v3/repos/acme/rocket', {
      body: { description: 'changed' },
    });
    expect(emulator.export()).not.toEqual(before);
    emulator.restore(before);
    expect(emulator.export()).toEqual(before);
    expect(await described()).toBe(was);
    emulator.clock.advance(60_000);
    const { now: _now, ...timeless } = before;
    emulator.restore(timeless);
    expect(emulator.clock.now.toISOString()).toBe('2014-06-01T12:01:00.000Z');
  });
});

test('emulator.reset() discards changes, requests and faults', async () => {
  const before = emulator.export();
  await sendRequest(emulator, 'DELETE /api/v3/repos/acme/rocket/git/refs/heads/none');
  emulator.clock.advance(60_000);
  emulator.fail({}, { kind: 'reset' });
  emulator.reset();
  expect(emulator.export()).toEqual(before);
  expect(emulator.requests).toEqual([]);
  expect(emulator.status()).toMatchObject({ received: 0, faults: [] });
});

test('emulator.clearFaults() removes all faults', async () => {
  emulator.fail({}, { kind: 'reset' }, { times: 5 });
  emulator.clearFaults();
  expect((await sendRequest(emulator, 'GET /api/v3/user')).status).toBe(200);
});

test('onRequest receives the status 0 for a request without a response', async () => {
  const events: number[] = [];
  const reported = createEmulator({ onRequest: ({ status }) => events.push(status) });
  reported.fail({ path: '/user' }, { kind: 'reset' });
  await sendRequest(reported, 'GET /api/v3/user').catch(() => undefined);
  await sendRequest(reported, 'GET /api/v3/user');
  expect(events).toEqual([0, 200]);
});

describe('emulator.listen()', () => {
  test('emulator.listen() returns the URL of each API', async () => {
    const address = await emulator.listen();
    const { url, port } = address;
    expect(address).toMatchObject({
      port,
      url: `http://127.0.0.1:${port}`,
      hostingUrl: `${url}/api/v3/`,
      supportUrl: `${url}/api/v2/`,
      consoleUrl: `${url}/`,
      webUrl: url,
    });
    await expect(emulator.listen()).rejects.toThrow('listening');
    expect((await fetch(`${url}/api/v3/rate_limit`)).status).toBe(200);
    await emulator.close();
    await expect(fetch(`${url}/api/v3/rate_limit`)).rejects.toThrow();
    await emulator.listen();
    await emulator.close();
  });

  test("emulator.listen() starts a server that stops at the end of the emulator's `await using` block", async () => {
    let url = '';
    {
      await using mine = createEmulator();
      ({ url } = await mine.listen());
    }
    await expect(fetch(url)).rejects.toThrow();
  });
});
