import { beforeAll, beforeEach, expect, test } from 'vitest';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

// The times that people mean, at noon of Sunday, the first of June 2014.

let emulator: Emulator;

beforeAll(() => {
  emulator = createEmulator({ ...noon, seed: { console: { licenseMd5: consoleSeed.licenseMd5 } } });
});

async function setMaintenance(when?: string) {
  const maintenance = JSON.stringify({ enabled: when !== undefined, when });
  const body = new URLSearchParams({ maintenance });
  const url = `http://code.test/setup/api/maintenance?license_md5=${consoleSeed.licenseMd5}`;
  const answer = await emulator.answer(new Request(url, { method: 'POST', body }));
  return { status: answer.status, data: JSON.parse(await answer.text()) };
}

beforeEach(async () => {
  await setMaintenance();
});

test.each([
  ['2014-06-02T09:30:00+02:00', 'Monday, June  2 at 07:30 +0000'],
  ['Tue, 03 Jun 2014 10:00:00 GMT', 'Tuesday, June  3 at 10:00 +0000'],
  ['tomorrow at 9am', 'Monday, June  2 at 09:00 +0000'],
  ['Tomorrow', 'Monday, June  2 at 12:00 +0000'],
  ['tonight', 'Sunday, June  1 at 20:00 +0000'],
  ['in 2 hours', 'Sunday, June  1 at 14:00 +0000'],
  ['an hour from now', 'Sunday, June  1 at 13:00 +0000'],
  ['next friday 17:30', 'Friday, June  6 at 17:30 +0000'],
  ['sunday', 'Sunday, June  8 at 12:00 +0000'],
  ['June 5th, at noon', 'Thursday, June  5 at 12:00 +0000'],
  ['january 22 at 15:34', 'Thursday, January 22 at 15:34 +0000'],
  ['at 11pm', 'Sunday, June  1 at 23:00 +0000'],
  ['10:00', 'Monday, June  2 at 10:00 +0000'],
  [' Tomorrow\t,  AT 9am ', 'Monday, June  2 at 09:00 +0000'],
  ['tomorrow 5pm', 'Monday, June  2 at 17:00 +0000'],
  ['12/15/14 10:00 UTC', 'Monday, December 15 at 10:00 +0000'],
  ['in 90 minutes', 'Sunday, June  1 at 13:30 +0000'],
  ['120 seconds from now', 'Sunday, June  1 at 12:02 +0000'],
  ['in 5 min', 'Sunday, June  1 at 12:05 +0000'],
  ['in 1 day', 'Monday, June  2 at 12:00 +0000'],
  ['in a week from now', 'Sunday, June  8 at 12:00 +0000'],
  ['midnight', 'Monday, June  2 at 00:00 +0000'],
  ['5 pm', 'Sunday, June  1 at 17:00 +0000'],
  ['12:30am', 'Monday, June  2 at 00:30 +0000'],
  ['12:05 pm', 'Sunday, June  1 at 12:05 +0000'],
  ['tonight at 23:15', 'Sunday, June  1 at 23:15 +0000'],
  ['today 18:00', 'Sunday, June  1 at 18:00 +0000'],
  ['tomorrow at midnight', 'Monday, June  2 at 00:00 +0000'],
  ['on monday', 'Monday, June  2 at 12:00 +0000'],
  ['this saturday 23:59', 'Saturday, June  7 at 23:59 +0000'],
  ['wednesday 9', 'Wednesday, June  4 at 09:00 +0000'],
  ['may 31', 'Sunday, May 31 at 12:00 +0000'],
  ['june 1st 15:00', 'Sunday, June  1 at 15:00 +0000'],
  ['6/15/14 10:00 UTC', 'Sunday, June 15 at 10:00 +0000'],
])('maintenance is scheduled for `when: %s`', async (when, time) => {
  const { status: code, data } = await setMaintenance(when);
  expect(code).toBe(200);
  expect(data).toMatchObject({ status: 'scheduled', scheduled_time: time });
});

test.each([
  ...[
    'soon',
    'banana 5',
    '2014-06-32',
    'in hours',
    '2 hours',
    'not in 2 hours',
    'not 2 hours from now',
    'on 6/15/14 10:00 UTC',
    '12',
    'in 2 hours ago',
  ],
  ...['february 29', 'february 30', 'next june 5', 'monday tuesday', 'tomorrow at', 'x tomorrow'],
  ...['5', 'at', '24:00', '25:00', 'tomorrow at 9:75', '9:3', '100:00', 'noon pm'],
])('maintenance is rejected for `when: %s`, which is not a date', async (when) => {
  expect(await setMaintenance(when)).toMatchObject({
    status: 400,
    data: { message: `maintenance.when: now or a date, got ${when}` },
  });
  expect(emulator.console.maintenance).toBe('off');
});

test.each([
  ['now', '12:00'],
  ['noon', '12:00'],
  ['today at 9am', '09:00'],
  ['june 1 at 11', '11:00'],
])('maintenance starts immediately for `when: %s`, which has passed', async (when, time) => {
  const { data } = await setMaintenance(when);
  expect(data).toMatchObject({
    status: 'on',
    scheduled_time: `Sunday, June  1 at ${time} +0000`,
  });
});

test('a weekday in `when` means its next occurrence after today', async () => {
  emulator.clock.advance(3 * 86_400_000);
  for (const [when, time] of [
    ['friday', 'Friday, June  6'],
    ['wednesday', 'Wednesday, June 11'],
    ['sunday', 'Sunday, June  8'],
  ] as const) {
    const { data } = await setMaintenance(when);
    expect(data.scheduled_time).toBe(`${time} at 12:00 +0000`);
  }
  emulator.clock.reset();
});
