import { type ErrorFormat, empty, HttpError, httpError, json, type Reply } from '../reply.js';

/** Base of the documentation URLs in errors. */
export const documentation = 'https://developer.example.com/v3';

/** Creates an error in the hosting API's format. */
export const formatHostingError: ErrorFormat = (status, message) =>
  json(status, { message, documentation_url: documentation });

/** Creates a 404 for a resource that is missing, or hidden from the caller. */
export function notFound(): HttpError {
  return httpError(404, 'Not Found');
}

/** Returns a value if it isn't undefined. @throws {HttpError} 404 if it is undefined. */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw notFound();
  return value;
}

/**
 * Responds with 204 to a check for whether something exists.
 * @throws {HttpError} 404 if it doesn't exist.
 */
export function respondIfExists(exists: boolean): Reply {
  if (!exists) throw notFound();
  return empty(204);
}

/** Creates a 401 for a request that requires authentication. */
export function unauthorized(message = 'Requires authentication'): HttpError {
  return httpError(401, message);
}

/** Creates a 403 for a caller without the required permission. */
export function forbidden(message: string): HttpError {
  return httpError(403, message);
}

/** Creates a 422 for an invalid field. */
export function invalid(resource: string, field: string, code: string): HttpError {
  return new HttpError(
    json(422, { message: 'Validation Failed', errors: [{ resource, field, code }] }),
  );
}

/** Creates a 422 that has only a message. */
export function unprocessable(message: string): HttpError {
  return httpError(422, message);
}
