import { beforeEach, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

test("the emulator's clock accepts only the years 0 to 9999", () => {
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
