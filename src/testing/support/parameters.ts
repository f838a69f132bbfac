import { type ErrorFormat, empty, type HttpError, httpError, json } from '../reply.js';
import { readDate } from './dates.js';

/**
 * Creates an error in the support API's format. A 401 contains the message only in the reason
 * phrase. The API responds with 400 to every body that it can't read.
 */
export const formatSupportError: ErrorFormat = (status, statusMessage) => {
  if (status === 401) return { ...empty(401), statusText: statusMessage };
  const shown = status === 413 || status === 415 ? 400 : status;
  return json(shown, { success: false, statusMessage });
};

/** Creates a 200 response with `success: false`, for a POST that was processed but failed. */
export function failed(statusMessage: string): HttpError {
  return httpError(200, statusMessage);
}

/**
 * Returns a required POST parameter.
 * @throws {HttpError} with `success: false` if it is missing or empty.
 */
export function readRequired(values: URLSearchParams, name: string): string {
  const value = values.get(name);
  if (value === null || value === '') throw failed(`${name} is required`);
  return value;
}

/**
 * Returns the channel and ID of a profile or message.
 * @throws {HttpError} with `success: false` if either is missing.
 */
export function parseLink(values: URLSearchParams) {
  return { source: readRequired(values, 'source'), ext_id: readRequired(values, 'ext_id') };
}

/**
 * Returns an optional boolean POST parameter.
 * @throws {HttpError} with `success: false` if it is invalid.
 */
export function parseFlag(values: URLSearchParams, name: string): boolean | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  if (value !== 'true' && value !== 'false') throw failed(`${name} must be true or false`);
  return value === 'true';
}

/** Returns all non-empty values of a repeatable parameter. */
export function getAll(values: URLSearchParams, name: string): string[] {
  return values.getAll(name).filter((value) => value !== '');
}

/** Returns an optional integer GET parameter. @throws {HttpError} 400 if it is invalid. */
export function readWholeNumber(
  values: URLSearchParams,
  name: string,
  least: number,
): number | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  const number = Number(value);
  if (/^\d{1,15}$/.test(value) && number >= least) return number;
  throw httpError(400, `${name} must be a whole number of at least ${least}`);
}

/**
 * Returns an optional date GET parameter, in epoch ms.
 * @throws {HttpError} 400 if it is invalid.
 */
export function parseDate(values: URLSearchParams, name: string): number | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  const date = readDate(value);
  if (date === undefined)
    throw httpError(400, `${name} must be a date such as 2015-02-20T16:32:51-0300`);
  return date;
}
