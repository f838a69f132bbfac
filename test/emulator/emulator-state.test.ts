import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('emulator.status()', () => {
  it('returns the last 50 requests, newest first', async () => {
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
});

it('emulator.reset() discards changes, requests and faults', async () => {
  const before = emulator.export();
  await sendRequest(emulator, 'DELETE /api/v3/repos/acme/rocket/git/refs/heads/none');
  emulator.clock.advance(60_000);
  emulator.fail({}, { kind: 'reset' });
  emulator.reset();
  expect(emulator.export()).toEqual(before);
  expect(emulator.requests).toEqual([]);
  expect(emulator.status()).toMatchObject({ received: 0, faults: [] });
});

it('onRequest receives the status 0 for a request without a response', async () => {
  const events: number[] = [];
  const reported = createEmulator({ onRequest: ({ status }) => events.push(status) });
  reported.fail({ path: '/user' }, { kind: 'reset' });
  await sendRequest(reported, 'GET /api/v3/user').catch(() => undefined);
  await sendRequest(reported, 'GET /api/v3/user');
  expect(events).toEqual([0, 200]);
});

describe('the number of records', () => {
  it('is part of emulator.status() for each kind', () => {
    emulator = createEmulator({ seed: false });
    const { hosting } = emulator;
    hosting.addUser('ada');
    hosting.addOrg('lab', ['ada']);
    hosting.addRepo('lab', 'engine');
    hosting.addToken('ada');
    hosting.addApplication('App');
    hosting.allowDeliveries(() => false);
    hosting.addPull('lab/engine');
    const asset = hosting.addRelease('lab/engine', 'v1');
    hosting.addAsset(asset, 'a');
    hosting.addRelease('lab/engine', 'v2');
    for (let count = 0; count < 3; count++)
      hosting.addHook('lab/engine', { url: 'http://far.test/' });
    hosting.emit('lab/engine', 'push', {});
    expect(emulator.status().families.hosting).toEqual({
      accounts: 2,
      repositories: 1,
      'pull requests': 1,
      releases: 2,
      hooks: 3,
      teams: 1,
      tokens: 1,
      applications: 1,
      deliveries: 3,
    });
  });
});

it("the emulator's clock accepts only the years 0 to 9999", () => {
  for (const time of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z']) {
    emulator.clock.set(new Date(time));
    expect(emulator.clock.now.toISOString()).toBe(time);
    const beyond = new Date(Date.parse(time) + (time.startsWith('0') ? -1 : 1));
    expect(() => emulator.clock.set(beyond)).toThrow(RangeError);
    expect(createEmulator({ clock: new Date(time) }).clock.iso()).toBe(time.replace('.000', ''));
    expect(() => createEmulator({ clock: beyond })).toThrow(/^clock: /);
  }
  emulator.clock.set(new Date(1234));
  expect([emulator.clock.iso(), emulator.clock.iso(1000)]).toEqual([
    '1970-01-01T00:00:01Z',
    '1970-01-01T00:00:02Z',
  ]);
});
