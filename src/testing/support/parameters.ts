import { readDate } from './dates.js';
import { badRequest, failed } from './refusals.js';

/** A parameter that a POST must have. @throws {Refused} `success: false` */
export function required(values: URLSearchParams, name: string): string {
  const value = values.get(name);
  if (value === null || value === '') throw failed(`${name} is required`);
  return value;
}

/** A profile or a message by its channel and its id there. @throws {Refused} `success: false` */
export function linkOf(values: URLSearchParams) {
  return { source: required(values, 'source'), ext_id: required(values, 'ext_id') };
}

/** An optional `true` or `false` of a POST. @throws {Refused} `success: false` where it is something else */
export function flagOf(values: URLSearchParams, name: string): boolean | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  if (value !== 'true' && value !== 'false') throw failed(`${name} must be true or false`);
  return value === 'true';
}

/** All values of a repeatable parameter but the empty ones. */
export function allOf(values: URLSearchParams, name: string): string[] {
  return values.getAll(name).filter((value) => value !== '');
}

/** An optional whole number of a GET. @throws {Refused} 400 */
export function wholeNumber(
  values: URLSearchParams,
  name: string,
  least: number,
): number | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  const number = Number(value);
  if (/^\d{1,15}$/.test(value) && number >= least) return number;
  throw badRequest(`${name} must be a whole number from ${least} on`);
}

/** An optional date of a GET, as milliseconds. @throws {Refused} 400 */
export function dateOf(values: URLSearchParams, name: string): number | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  const date = readDate(value);
  if (date === undefined) throw badRequest(`${name} must be a date like 2015-02-20T16:32:51-0300`);
  return date;
}
