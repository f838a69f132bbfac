import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { sendRequest } from './send-request.js';

// Runs in a separate process, because it replaces `Date`.

const present = new Date('2026-11-24T08:30:00.250Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: present });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Advances the system time by `ms`. */
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("the emulator's default clock", () => {
  it("the emulator's clock starts at the current time and advances with the system clock", () => {
    const { clock } = createEmulator();
    expect(clock.now).toEqual(present);
    pass(90_000);
    expect(clock.now).toEqual(new Date('2026-11-24T08:31:30.250Z'));
    expect(clock.iso()).toBe('2026-11-24T08:31:30Z');
  });

  it('the emulator resets rate limits after one hour of system time', async () => {
    const emulator = createEmulator();
    const client = new HostingClient({
      baseUrl: 'http://code.test/api/v3/',
      auth: { type: 'token', token: seeded.token },
      dispatcher: emulator.dispatcher(),
    });
    const { core } = await client.rateLimit.get();
    expect(core?.reset).toEqual(new Date('2026-11-24T09:30:00Z'));
    const { headers } = await sendRequest(emulator, 'GET /user');
    expect(headers.date).toBe('Tue, 24 Nov 2026 08:30:00 GMT');
    pass(3_600_000);
    const later = await sendRequest(emulator, 'GET /user');
    expect(later.headers['x-ratelimit-remaining']).toBe('4999');
  });

  it('the emulator dates the seed relative to the current time, even after a reset', () => {
    const emulator = createEmulator();
    const created = () => emulator.hosting.state.repo('acme', 'secret')?.createdAt;
    expect(created()).toBe('2026-11-14T08:30:00Z');
    expect(emulator.support.contacts[249]?.creation_date).toBe('2026-06-27T05:30:00-0300');
    expect(emulator.console.settings.enterprise).toMatchObject({
      configuration_id: Date.parse('2026-11-24T08:30:00Z') / 1000,
      license: { expire_at: '2027-11-24T00:00:00-07:00' },
    });
    pass(24 * 3_600_000);
    emulator.reset();
    expect(created()).toBe('2026-11-15T08:30:00Z');
  });

  it("the emulator's clock continues from the time set by advance() or set() until a reset", () => {
    const { clock } = createEmulator();
    clock.advance(3_600_000);
    pass(1000);
    expect(clock.now).toEqual(new Date('2026-11-24T09:30:01.250Z'));
    clock.set(new Date('2020-01-01T00:00:00Z'));
    pass(1000);
    expect(clock.now).toEqual(new Date('2020-01-01T00:00:01Z'));
    clock.reset();
    expect(clock.now).toEqual(new Date(Date.now()));
  });

  it('emulator.restore() sets the clock to the offset in the snapshot', () => {
    const emulator = createEmulator();
    const start = emulator.snapshot();
    expect(start).toMatchObject({ ahead: 0 });
    expect(start).not.toHaveProperty('now');
    emulator.clock.advance(5000);
    const later = emulator.snapshot();
    emulator.clock.advance(5000);
    emulator.restore(later);
    expect(emulator.status().ahead).toBe(5000);
    emulator.restore(start);
    pass(1000);
    expect(emulator.clock.now).toEqual(new Date(Date.now()));
    expect(createEmulator({ seed: later }).clock.now).toEqual(new Date(Date.now() + 5000));
  });
});

describe('the clock option', () => {
  it.each([
    ['2014-06-01T12:00:00Z', '2014-06-01T12:00:00.000Z'],
    ['2014-06-01T14:00:00.5+02:00', '2014-06-01T12:00:00.500Z'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
  ])("the clock option stops the emulator's clock at %s until advance() is called", (time, now) => {
    const { clock } = createEmulator({ clock: time, seed: { ahead: 5 } });
    pass(1000);
    expect(clock.now.toISOString()).toBe(now);
    clock.advance(1000);
    pass(1000);
    expect(clock.now).toEqual(new Date(Date.parse(now) + 1000));
    clock.reset();
    expect(clock.now.toISOString()).toBe(now);
  });

  it.each(['noon', '', '2014', '2014-06-01 12:00:00', '2014-06-01T12:00:00'])(
    'the clock option rejects the ambiguous or invalid time %j',
    (clock) => {
      expect(() => createEmulator({ clock })).toThrow(
        `clock: must be an ISO 8601 time with a year from 0 to 9999, such as '2014-06-01T12:00:00Z' (got ${clock})`,
      );
    },
  );

  it("the clock option defaults to the seed's `now`", () => {
    const emulator = createEmulator({ seed: { now: '2020-01-01T00:00:00Z' } });
    pass(1000);
    expect(emulator.clock.now.toISOString()).toBe('2020-01-01T00:00:00.000Z');
    expect(emulator.status()).toMatchObject({ now: '2020-01-01T00:00:00.000Z', ahead: null });
    expect(emulator.export()).toMatchObject({ now: '2020-01-01T00:00:00Z' });
    expect(emulator.export()).not.toHaveProperty('ahead');
  });
});
