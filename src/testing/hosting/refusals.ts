import { HttpError, json, type Reply } from '../reply.js';

/** Base of the documentation URLs in errors. */
export const documentation = 'https://developer.example.com/v3';

/** Response to a body that can't be read. */
export function badBody(status: 400 | 413 | 415, message: string): Reply {
  return json(status, { message, documentation_url: documentation });
}

/** 404: the resource is missing, or hidden from the caller. */
export function notFound(): HttpError {
  return new HttpError(json(404, { message: 'Not Found', documentation_url: documentation }));
}

/** 401: the request requires authentication. */
export function unauthorized(message = 'Requires authentication'): HttpError {
  return new HttpError(json(401, { message, documentation_url: documentation }));
}

/** 403: the caller lacks the permission. */
export function forbidden(message: string): HttpError {
  return new HttpError(json(403, { message, documentation_url: documentation }));
}

/** 422: one field is invalid. */
export function invalid(resource: string, field: string, code: string): HttpError {
  return new HttpError(
    json(422, { message: 'Validation Failed', errors: [{ resource, field, code }] }),
  );
}

/** 422 with only a message. */
export function unprocessable(message: string): HttpError {
  return new HttpError(json(422, { message, documentation_url: documentation }));
}
