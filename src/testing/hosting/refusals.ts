import { type ErrorFormat, HttpError, httpError, json } from '../reply.js';

/** Base of the documentation URLs in errors. */
export const documentation = 'https://developer.example.com/v3';

/** Creates an error in the form of the hosting API. */
export const formatHostingError: ErrorFormat = (status, message) =>
  json(status, { message, documentation_url: documentation });

/** 404: the resource is missing, or hidden from the caller. */
export function notFound(): HttpError {
  return httpError(404, 'Not Found');
}

/** 401: the request requires authentication. */
export function unauthorized(message = 'Requires authentication'): HttpError {
  return httpError(401, message);
}

/** 403: the caller lacks the permission. */
export function forbidden(message: string): HttpError {
  return httpError(403, message);
}

/** 422: one field is invalid. */
export function invalid(resource: string, field: string, code: string): HttpError {
  return new HttpError(
    json(422, { message: 'Validation Failed', errors: [{ resource, field, code }] }),
  );
}

/** 422 with only a message. */
export function unprocessable(message: string): HttpError {
  return httpError(422, message);
}
