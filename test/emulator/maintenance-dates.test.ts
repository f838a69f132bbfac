import { beforeEach, describe, expect, it } from 'vitest';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: { console: { licenseMd5: consoleSeed.licenseMd5 } } });
});

async function setMaintenance(when: string) {
  const body = new URLSearchParams({ maintenance: JSON.stringify({ enabled: true, when }) });
  const url = `http://code.test/setup/api/maintenance?license_md5=${consoleSeed.licenseMd5}`;
  const response = await emulator.respond(new Request(url, { method: 'POST', body }));
  return { status: response.status, data: JSON.parse(await response.text()) };
}

describe('POST /setup/api/maintenance', () => {
  it.each([
    ['2014-06-02T09:30:00+02:00', 'Monday, June  2 at 07:30 +0000'],
    ['Tue, 03 Jun 2014 10:00:00 GMT', 'Tuesday, June  3 at 10:00 +0000'],
    ['2014-12-15', 'Monday, December 15 at 00:00 +0000'],
    ['12/15/14 10:00 UTC', 'Monday, December 15 at 10:00 +0000'],
    ['January 22, 2015 15:34 UTC', 'Thursday, January 22 at 15:34 +0000'],
  ])('POST /setup/api/maintenance reads the date %s as %s', async (when, time) => {
    expect(await setMaintenance(when)).toEqual({
      status: 200,
      data: expect.objectContaining({ status: 'scheduled', scheduled_time: time }),
    });
  });

  it.each([
    ['now', '12:00'],
    [' NOW\t', '12:00'],
    ['2014-06-01T09:00:00Z', '09:00'],
  ])(
    'POST /setup/api/maintenance turns maintenance on immediately if `when` is %j',
    async (when, time) => {
      expect((await setMaintenance(when)).data).toMatchObject({
        status: 'on',
        scheduled_time: `Sunday, June  1 at ${time} +0000`,
      });
    },
  );

  it.each(['soon', 'tomorrow at 5am', '2014-06-32', 'noon', '+010000-01-01T00:00:00Z'])(
    'POST /setup/api/maintenance responds with 400 if `when` is %j',
    async (when) => {
      expect(await setMaintenance(when)).toEqual({
        status: 400,
        data: { message: `maintenance.when: must be 'now' or a date (got ${when})` },
      });
      expect(emulator.console.maintenance).toBe('off');
    },
  );
});
