import { HttpError, json, type Reply } from '../reply.js';

/** Response to a body that can't be read. */
export function badBody(status: number, message: string): Reply {
  return json(status, { message });
}

/** 400: an input is missing or can't be read. */
export function badRequest(message: string): HttpError {
  return new HttpError(json(400, { message }));
}

/** 401: the hash is not the license's. */
export function unauthorized(): HttpError {
  return new HttpError(json(401, { message: 'Authentication required' }));
}
