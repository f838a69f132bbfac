import { hasFourDigitYear } from '../clock.js';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const seconds: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  min: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};
const day = 86_400_000;
/** Matches a day, a time of day, or both. */
const dayOrTime = new RegExp(
  `^(?: (today|tonight|tomorrow|(?:next |this |on )?(?:${weekdays.join('|')})|(?:${months.join('|')}) \\d{1,2}(?:st|nd|rd|th)?))?` +
    '(?:(?: at)? (?:(\\d{1,2})(?::(\\d{2}))? ?([ap]m)?|(noon|midnight)))?$',
);

/**
 * Parses a time in UTC: a date in a format of `Date.parse`, or a phrase such as `in 2 hours`,
 * `tomorrow at 9am`, `next friday 17:30` or `june 5 at noon`.
 * @returns undefined if the text is not a time.
 */
export function parseWhen(text: string, now: Date): Date | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/[,\s]+/g, ' ');
  if (said === 'now') return now;
  const time = duration(said, now) ?? dayAndTime(said, now) ?? written(text);
  // An exported world can't contain times outside these years.
  return time && hasFourDigitYear(time.getTime()) ? time : undefined;
}

function written(text: string): Date | undefined {
  // `Date.parse` accepts almost any text that ends in a number.
  if (!/\d{4}|^\d{1,2}[/.]\d{1,2}[/.]\d{2}\b/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time);
}

function duration(said: string, now: Date): Date | undefined {
  const match = /^(?:in )?(an?|\d{1,6}) (second|minute|min|hour|day|week)s?( from now)?$/.exec(
    said,
  );
  if (!match || !(said.startsWith('in ') || match[3])) return undefined;
  const [, count = '', unit = ''] = match;
  const number = /^\d/.test(count) ? Number(count) : 1;
  return new Date(now.getTime() + number * (seconds[unit] ?? 0) * 1000);
}

function dayAndTime(said: string, now: Date): Date | undefined {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const match = dayOrTime.exec(` ${said}`);
  // A number alone is not a time of day.
  if (!match || /^\d*$/.test(said)) return undefined;
  const [, named = '', hour, minute, half, word] = match;
  const minutes = parseTime(hour, minute, half, word) ?? (named === 'tonight' ? 20 * 60 : 12 * 60);
  if (minutes >= 24 * 60) return undefined;
  const asked = (parseDay(named, start, now) ?? Number.NaN) + minutes * 60_000;
  if (Number.isNaN(asked)) return undefined;
  // A time of day that has already passed means tomorrow.
  return new Date(named === '' && asked < now.getTime() ? asked + day : asked);
}

/** Returns minutes since midnight. */
function parseTime(hour = '', minute = '0', half = '', word = ''): number | undefined {
  if (word !== '') return word === 'noon' ? 12 * 60 : 0;
  if (hour === '') return undefined;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Number(minute) > 59 ? Number.NaN : hours * 60 + Number(minute);
}

function parseDay(named: string, start: number, now: Date): number | undefined {
  if (named === '' || named === 'today' || named === 'tonight') return start;
  if (named === 'tomorrow') return start + day;
  const weekday = weekdays.findIndex((name) => named.endsWith(name));
  if (weekday >= 0) return start + ((weekday - now.getUTCDay() + 6) % 7) * day + day;
  const [month = '', date = ''] = named.split(' ');
  const at = months.indexOf(month);
  const year = now.getUTCFullYear();
  const days = [year, year + 1].map((each) => Date.UTC(each, at, Number.parseInt(date, 10)));
  const coming = days.find((each) => each >= start);
  // `Date.UTC` rolls invalid days over (Feb 30 becomes Mar 2).
  return new Date(coming ?? Number.NaN).getUTCMonth() === at ? coming : undefined;
}

/** Formats a time as appliances do: `Tuesday, January 22 at 15:34 +0000`. */
export function writeWhen(time: Date): string {
  const capital = (name = '') => name.charAt(0).toUpperCase() + name.slice(1);
  const weekday = capital(weekdays[time.getUTCDay()]);
  const month = capital(months[time.getUTCMonth()]);
  const date = String(time.getUTCDate()).padStart(2);
  return `${weekday}, ${month} ${date} at ${time.toISOString().slice(11, 16)} +0000`;
}
