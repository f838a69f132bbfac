/**
 * Formats a date as the support API does, such as `2015-02-20T16:32:51-0300`.
 * @param offset Minutes ahead of UTC.
 */
export function writeDate(time: number, offset: number): string {
  const digits = (number: number) => String(number).padStart(2, '0');
  const minutes = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}${digits(minutes % 60)}`;
  return new Date(time + offset * 60_000).toISOString().slice(0, 19) + zone;
}

/**
 * Parses a date in the format of {@link writeDate}. Returns epoch ms, or undefined if the date is
 * invalid.
 */
export function readDate(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})([+-])(\d{2})([0-5]\d)$/.exec(text);
  if (!match) return undefined;
  const [, local = '', sign, hours, minutes] = match;
  const time = Date.parse(`${local}Z`);
  // `Date.parse` may roll invalid days over (Feb 30 becomes Mar 2).
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 19) !== local) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? time + offset : time - offset;
}

/** Rounds a time down to whole seconds, the precision of the support API. */
export function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}
