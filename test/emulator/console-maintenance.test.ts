import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { callConsole, createConsole, createFields } from './console-emulator.js';

let emulator: Emulator;
const { sendRequest } = callConsole(() => emulator);

beforeEach(() => {
  emulator = createConsole();
});

const set = (maintenance: unknown) =>
  sendRequest('POST /maintenance', {
    body: createFields({ maintenance: JSON.stringify(maintenance) }),
  });
const setMaintenance = async (when: unknown) => {
  const { status, data } = await set({ enabled: true, when });
  return { status, data };
};

describe('console maintenance', () => {
  const numbers = async () =>
    ((await sendRequest('GET /maintenance')).data.connection_services as { number: number }[]) // `as`: only `number` is read.
      .map(({ number }) => number);

  it('in maintenance mode, each status request closes one connection per service', async () => {
    emulator.console.setConnections('git operations', 2);
    emulator.console.setConnections('other', 1);
    const { data } = await sendRequest('GET /maintenance');
    expect(data.connection_services).toEqual([
      { name: 'git operations', number: 2 },
      { name: 'mysql queries', number: 0 },
      { name: 'resque jobs', number: 0 },
      { name: 'other', number: 1 },
    ]);
    expect(await numbers()).toEqual([2, 0, 0, 1]);
    await set({ enabled: true, when: '2014-06-02T12:00:00Z' });
    expect(await numbers(), 'maintenance is only scheduled').toEqual([2, 0, 0, 1]);
    const on = await set({ enabled: true, when: 'now' });
    expect([on.status, on.data.status]).toEqual([200, 'on']);
    expect(await numbers()).toEqual([1, 0, 0, 0]);
    expect(await numbers()).toEqual([0, 0, 0, 0]);
    await set({ enabled: false });
    expect(emulator.console.maintenance).toBe('off');
  });

  it.each([
    {},
    ...[1, 0, null, '', 'yes', 'TRUE', ['true']].map((enabled) => ({ enabled, when: 'now' })),
    { when: 'now' },
    { enabled: true },
    { enabled: true, when: '' },
    { enabled: true, when: 7 },
  ])('POST /maintenance rejects the invalid input %j', async (maintenance) => {
    const before = await sendRequest('GET /maintenance');
    const response = await set(maintenance);
    expect([response.status, response.data]).toEqual([
      400,
      { message: expect.stringMatching(/./) },
    ]);
    expect((await sendRequest('GET /maintenance')).data).toEqual(before.data);
  });
});

describe('POST /setup/api/maintenance', () => {
  it.each([
    ['2014-06-02T09:30:00+02:00', 'Monday, June  2 at 07:30 +0000'],
    ['Tue, 03 Jun 2014 10:00:00 GMT', 'Tuesday, June  3 at 10:00 +0000'],
    ['2014-12-15', 'Monday, December 15 at 00:00 +0000'],
    ['12/15/14 10:00 UTC', 'Monday, December 15 at 10:00 +0000'],
    ['January 22, 2015 15:34 UTC', 'Thursday, January 22 at 15:34 +0000'],
  ])('reads the date %s as %s', async (when, time) => {
    expect(await setMaintenance(when)).toEqual({
      status: 200,
      data: expect.objectContaining({ status: 'scheduled', scheduled_time: time }),
    });
  });

  it.each([
    ['now', '12:00'],
    [' NOW\t', '12:00'],
    ['2014-06-01T09:00:00Z', '09:00'],
  ])('turns maintenance on immediately if `when` is %j', async (when, time) => {
    expect((await setMaintenance(when)).data).toMatchObject({
      status: 'on',
      scheduled_time: `Sunday, June  1 at ${time} +0000`,
    });
  });

  it.each(['soon', 'tomorrow at 5am', '2014-06-32', 'noon', '+010000-01-01T00:00:00Z'])(
    'responds with 400 if `when` is %j',
    async (when) => {
      expect(await setMaintenance(when)).toEqual({
        status: 400,
        data: { message: `maintenance.when: must be 'now' or a date (got ${when})` },
      });
      expect(emulator.console.maintenance).toBe('off');
    },
  );

  it('accepts `enabled` as a string', async () => {
    expect((await set({ enabled: 'true', when: 'now' })).data.status).toBe('on');
    expect((await set({ enabled: 'false' })).data.status).toBe('off');
  });

  it('turns scheduled maintenance on at the scheduled time', async () => {
    await setMaintenance('2014-06-01T14:00:00Z');
    expect(emulator.console.maintenance).toBe('scheduled');
    emulator.clock.advance(2 * 3_600_000);
    expect(emulator.console.maintenance).toBe('on');
  });
});

describe('GET /setup/api/maintenance', () => {
  const status = async (options: EmulatorOptions = {}) => {
    emulator = createEmulator({ ...noon, ...options });
    return (await sendRequest('GET /maintenance')).data;
  };

  it("contains connection counts as strings if consoleNumbers is 'string'", async () => {
    expect((await status()).connection_services[0].number).toBe(0);
    const text = await status({ consoleNumbers: 'string' });
    expect(text.connection_services[0].number).toBe('0');
  });

  it("contains scheduled_time only for scheduled maintenance if consoleScheduledTime is 'scheduled'", async () => {
    expect(await status()).toMatchObject({ status: 'off', scheduled_time: '' });
    const off = await status({ consoleScheduledTime: 'scheduled' });
    expect(off).not.toHaveProperty('scheduled_time');
    expect((await setMaintenance('2014-06-02')).data).toHaveProperty('scheduled_time');
  });
});
