import { type ErrorFormat, empty, type HttpError, httpError, json } from '../reply.js';

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
